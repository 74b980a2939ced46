import { params } from './door.ts';
import type { ApplyParams, PlanParams } from './params.ts';

type Value = string | number | boolean | readonly string[] | undefined;

/** The command line of a call. Each value is one word with its flag, so that no value can be read as another flag. */
export const planArgv = ({ destroy, ...given }: PlanParams & Partial<ApplyParams>): readonly string[] => [
  'plan',
  ...flagsOf({ ...given, expect: undefined, lease_timeout: undefined, wait_timeout: undefined }, destroy),
];

export const applyArgv = (given: ApplyParams): readonly string[] => ['apply', ...flagsOf({ ...given })];

const flagsOf = (given: { readonly [param: string]: Value }, destroy?: boolean): readonly string[] =>
  [['destroy', destroy] as const, ...Object.entries(params).map(([flag, param]) => [flag, given[param]] as const)].flatMap(
    ([flag, value]) => {
      if (value === undefined || value === false) return [];
      if (value === true) return [`--${flag}`];
      return (typeof value === 'object' ? value : [value]).map((one) => `--${flag}=${one}`);
    },
  );
