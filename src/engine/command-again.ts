import { door, type Given } from '../core/door.ts';

/** The scope of a command, as its inputs name it. */
export interface Target {
  readonly environment: string;
  readonly scope: string;
  /** The plan file as it was given: without it the command would be about another plan. */
  readonly planFile: string | null;
}

/** The run that does something more for this very scope, within a sentence after "run". */
export const applyAgain = (target: Target, ...inputs: readonly Given[]): string =>
  door.run({ command: 'apply', inputs: [...inputs, ...whereOf(target)] });

/** The run that shows what such a run would do. */
export const planAgain = (target: Target, ...inputs: readonly Given[]): string =>
  door.run({ command: 'plan', inputs: [...inputs, ...whereOf(target)] });

/** The look at all scopes of the environment. */
export const listCommand = ({ environment, plan }: { readonly environment: string; readonly plan: string | null }): string =>
  door.run({ command: 'list', inputs: placeOf({ environment, planFile: plan }) });

/** The run that writes back what others changed, to be copied. */
export const putBackCommand = (target: Target): string => door.command({ command: 'apply', inputs: [['put-back'], ...whereOf(target)] });

/** The run that takes a scope away, to be copied. */
export const destroyCommand = (target: Target): string => door.command({ command: 'apply', inputs: [['destroy'], ...whereOf(target)] });

function whereOf({ environment, scope, planFile }: Target): readonly Given[] {
  const where: readonly Given[] = [...placeOf({ environment, planFile })];
  // Production has one scope, which is never named.
  return scope === 'production' ? where : [...where, ['scope', scope]];
}

const placeOf = ({ environment, planFile }: Omit<Target, 'scope'>): readonly Given[] => [
  ...(planFile === null ? [] : [['plan', planFile] as const]),
  ...(environment === 'preview' ? [] : [['env', environment] as const]),
];

/** The command that makes room at a full provider: it destroys the scopes of closed pull requests. Production has no such scopes. */
export function destroyClosed(target: Target): string | null {
  if (target.environment === 'production') return null;
  const run = door.run({ command: 'apply', inputs: [['destroy'], ['closed'], ...placeOf(target)] });
  return `Run ${run} to remove what closed pull requests left, or raise the limit at the provider.`;
}

export const recreateFix = (target: Target, lines: readonly string[]): string =>
  `Run ${applyAgain(target, ...lines.map((line) => ['recreate', line] as const))}.`;
