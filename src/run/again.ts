import { shellQuote } from '../core/shell-quote.ts';

/** Which scope a command is about, as its flags say it. */
export interface Target {
  readonly environment: string;
  readonly scope: string;
  /** `--plan` as it was typed: without it the command would be about another plan. */
  readonly planFile: string | null;
}

/** The command that does something more for this very scope, ready to be pasted into a shell. */
export function applyAgain({ environment, scope, planFile }: Target, ...flags: readonly string[]): string {
  const plan = planFile === null ? [] : ['--plan', planFile];
  const where = environment === 'preview' ? [] : ['--env', environment];
  // Production has one scope, which is never named.
  const which = scope === 'production' ? [] : ['--scope', scope];
  return ['pilotfish', 'apply', ...flags, ...plan, ...where, ...which].map(shellQuote).join(' ');
}

/** The command that looks at this very scope and changes nothing. */
export const planAgain = (target: Target): string => applyAgain(target).replace(/^pilotfish apply/, 'pilotfish plan');

/** What makes room where a provider has none: the scopes of closed pull requests. Production has no such scopes. */
export function destroyClosed({ environment, planFile }: Target): string | null {
  if (environment === 'production') return null;
  const plan = planFile === null ? [] : ['--plan', planFile];
  const where = environment === 'preview' ? [] : ['--env', environment];
  const command = ['pilotfish', 'apply', '--destroy', '--closed', ...plan, ...where].map(shellQuote).join(' ');
  return `Run \`${command}\` to remove what closed pull requests left, or raise the limit at the provider.`;
}

export const recreateFix = (target: Target, lines: readonly string[]): string =>
  `Run \`${applyAgain(target, ...lines.flatMap((line) => ['--recreate', line]))}\`.`;
