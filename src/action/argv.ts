import type { Inputs } from './inputs.ts';

/** What the run is about, where the event says it and not the inputs. */
export interface Subject {
  readonly pull: number | null;
  /** Only of a deployment: the event of a pull request is read by the run itself. */
  readonly branch: string | null;
  readonly commit: string | null;
}

const ofNoApply: Pick<Inputs, 'expect' | 'recreate' | 'only' | 'reconcile'> = { expect: null, recreate: [], only: [], reconcile: false };

/** The command line that the inputs stand for: the action is nothing but another way to give it. */
export function argvOf(inputs: Inputs, command: NonNullable<Inputs['command']>, subject: Subject): readonly string[] {
  const value = (flag: string, text: string | number | null): string[] => (text === null ? [] : [`--${flag}=${text}`]);
  const each = (flag: string, texts: readonly string[]): string[] => texts.map((text) => `--${flag}=${text}`);
  const { pull, branch, commit } = subject;
  // A workflow gives its inputs once, for all its events. What narrows or repeats an apply must keep nothing from going with the pull request.
  const { expect, recreate, only, reconcile } = command === 'destroy' && inputs.command === null ? ofNoApply : inputs;
  return [
    command === 'plan' ? 'plan' : 'apply',
    ...(command === 'destroy' ? ['--destroy'] : []),
    ...value('env', inputs.env),
    ...value('scope', inputs.scope),
    ...value('plan', inputs.plan),
    ...value('pr', pull),
    ...value('branch', branch),
    ...value('sha', commit),
    ...value('approved-by', inputs.approvedBy),
    ...value('wait-timeout', inputs.waitTimeout),
    ...value('trace', inputs.trace),
    ...value('expect', expect),
    ...each('recreate', recreate),
    ...each('only', only),
    ...(reconcile ? ['--reconcile'] : []),
    ...(inputs.closed ? ['--closed'] : []),
    // Several scopes have no pull request in common.
    ...(inputs.comment && !inputs.closed ? ['--comment'] : []),
    '--progress=plain',
  ];
}
