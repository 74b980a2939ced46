import type { ApplyParams, PlanParams } from './params.ts';

type Value = string | number | boolean | readonly string[] | undefined;

/** The command line of a call. Each value is one word with its flag, so that no value can be read as another flag. */
export const planArgv = ({ destroy, ...params }: PlanParams & Partial<ApplyParams>): readonly string[] => [
  'plan',
  ...flags({ destroy, ...scopeFlags(params) }),
];

export const applyArgv = (params: ApplyParams): readonly string[] => [
  'apply',
  ...flags({
    ...scopeFlags(params),
    expect: params.expect,
    'lease-timeout': params.lease_timeout,
    'wait-timeout': params.wait_timeout,
  }),
];

const scopeFlags = (params: PlanParams): { readonly [flag: string]: Value } => ({
  plan: params.plan,
  env: params.environment,
  scope: params.scope,
  pr: params.pr,
  branch: params.branch,
  sha: params.sha,
  only: params.only,
  recreate: params.recreate,
  reconcile: params.reconcile,
  'put-back': params.put_back,
});

const flags = (values: { readonly [flag: string]: Value }): readonly string[] =>
  Object.entries(values).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${flag}`];
    return (typeof value === 'object' ? value : [value]).map((one) => `--${flag}=${one}`);
  });
