import { shellQuote } from '../core/how-to-set.ts';

/** The scope of a command, as its flags name it. */
export interface Target {
  readonly environment: string;
  readonly scope: string;
  /** `--plan` as it was typed: without it the command would be about another plan. */
  readonly planFile: string | null;
}

/** The command that does something more for this very scope, ready to be pasted into a shell. */
export const applyAgain = (target: Target, ...flags: readonly string[]): string => commandFor('apply', target, flags);

/** The command that shows what such a run would do. */
export const planAgain = (target: Target, ...flags: readonly string[]): string => commandFor('plan', target, flags);

function commandFor(command: 'plan' | 'apply', { environment, scope, planFile }: Target, flags: readonly string[]): string {
  const plan = planFile === null ? [] : ['--plan', planFile];
  const where = environment === 'preview' ? [] : ['--env', environment];
  // Production has one scope, which is never named.
  const which = scope === 'production' ? [] : ['--scope', scope];
  return ['pilotfish', command, ...flags, ...plan, ...where, ...which].map(shellQuote).join(' ');
}

/** The command that makes room at a full provider: it destroys the scopes of closed pull requests. Production has no such scopes. */
export function destroyClosed({ environment, planFile }: Target): string | null {
  if (environment === 'production') return null;
  const plan = planFile === null ? [] : ['--plan', planFile];
  const where = environment === 'preview' ? [] : ['--env', environment];
  const command = ['pilotfish', 'apply', '--destroy', '--closed', ...plan, ...where].map(shellQuote).join(' ');
  return `Run \`${command}\` to remove what closed pull requests left, or raise the limit at the provider.`;
}

export const recreateFix = (target: Target, lines: readonly string[]): string =>
  `Run \`${applyAgain(target, ...lines.flatMap((line) => ['--recreate', line]))}\`.`;
