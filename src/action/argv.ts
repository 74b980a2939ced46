import type { Inputs } from './inputs.ts';

/** The subject of the run, by the event and not by the inputs. */
export interface Subject {
  readonly pull: number | null;
  /** Set only for a deployment. The run itself reads the event of a pull request. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** The commit whose plan is trusted; `null` if the workflow does not ask for one, or runs that plan itself. */
  readonly trusted?: string | null;
}

/** The inputs that are about an apply alone. */
const ofApply = ['expect', 'recreate', 'only', 'reconcile', 'put-back', 'prune', 'run'] as const;

/**
 * The inputs that this run leaves out. A workflow gives its inputs once, for all its events. An input that narrows or repeats an apply must
 * not keep the destroy of a closed pull request from removing everything. A destroy that the workflow itself asks for takes these inputs.
 */
export function leftOut(inputs: Inputs, command: NonNullable<Inputs['command']>): readonly (typeof ofApply)[number][] {
  if (command !== 'destroy' || inputs.command === 'destroy' || inputs.closed) return [];
  return ofApply.filter((name) => inputs[name] !== null && inputs[name] !== false && [inputs[name]].flat().length > 0);
}

const value = (flag: string, text: string | number | null): readonly string[] => (text === null ? [] : [`--${flag}=${text}`]);

/** The shell of a step of a GitHub job, which ends at the first command that fails. */
const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'] as const;

/** The command line of the input `run`. `made`: lines of whose values at least one must be used; `null` for every apply. */
export function runArgv(
  inputs: Inputs,
  { pull, branch, commit, trusted = null }: Subject,
  scope: string,
  made: readonly string[] | null,
): readonly string[] {
  return [
    'run',
    ...value('env', inputs.env),
    ...value('scope', scope),
    ...value('plan', inputs.plan),
    ...value('plan-from', trusted),
    ...value('pr', pull),
    ...value('branch', branch),
    ...value('sha', commit),
    ...(made ?? []).map((line) => `--if-from=${line}`),
    '--',
    ...shell,
    inputs.run ?? '',
  ];
}

/** The command line of the inputs. The action is only another way to give a command line. */
export function argvOf(inputs: Inputs, command: NonNullable<Inputs['command']>, subject: Subject): readonly string[] {
  const each = (flag: string, texts: readonly string[]): string[] => texts.map((text) => `--${flag}=${text}`);
  const { pull, branch, commit, trusted = null } = subject;
  const out = new Set<string>(leftOut(inputs, command));
  return [
    command === 'plan' ? 'plan' : 'apply',
    ...(command === 'destroy' ? ['--destroy'] : []),
    ...value('env', inputs.env),
    ...value('scope', inputs.scope),
    ...value('plan', inputs.plan),
    ...value('plan-from', trusted),
    ...value('pr', pull),
    ...value('branch', branch),
    ...value('sha', commit),
    ...value('approved-by', inputs.approvedBy),
    ...value('wait-timeout', inputs.waitTimeout),
    ...value('trace', inputs.trace),
    ...(out.has('expect') ? [] : value('expect', inputs.expect)),
    ...(out.has('recreate') ? [] : each('recreate', inputs.recreate)),
    ...(out.has('only') ? [] : each('only', inputs.only)),
    ...(inputs.reconcile && !out.has('reconcile') ? ['--reconcile'] : []),
    ...(inputs['put-back'] && !out.has('put-back') ? ['--put-back'] : []),
    ...(inputs.prune && !out.has('prune') ? ['--prune'] : []),
    ...(inputs.closed ? ['--closed'] : []),
    ...(inputs.expired ? ['--expired'] : []),
    // Several scopes have no common pull request for a comment.
    ...((inputs.comment ?? !inputs.closed) ? ['--comment'] : []),
    '--progress=plain',
  ];
}
