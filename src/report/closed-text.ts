import type { ClosedDoc, ClosedOutcome, ClosedScopeDoc } from '../engine/document.ts';
import { closedEndings, costText } from './endings.ts';
import { errorLines } from './errors-text.ts';
import { hostLines, indent, joinParts, warningLines } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, counted, oneLine } from './text.ts';
import { fitted, rowsOf, type Window } from './window.ts';

/**
 * Tells people what `apply --destroy --closed` did, or a plan of it would do: one line per scope, and the cost. A report that is longer than the window counts the
 * untouched scopes.
 */
export function closedText(document: ClosedDoc, styles: Styles, window: Window | null = null): string {
  const title = `${document.command === 'plan' ? 'Plan of the destroy' : 'Destroy'} of closed pull requests of ${oneLine(document.repository)} in ${oneLine(document.environment)}: `;
  const head = [styles.paint('strong', title) + styles.paint(closedEndings[document.status].tone, closedEndings[document.status].words)];
  const cost = [styles.paint('quiet', `Cost  ${costText(document.stats)}`)];
  const whole = [head, scopes(document.scopes, styles), cost].map((part) => fitted(part, window));
  if (window === null || rowsOf(whole.flat(), window) + whole.length < window.rows) return joinParts(whole);
  const quiet = document.scopes.filter(isQuiet);
  const others = document.scopes.filter((scope) => !isQuiet(scope));
  const counts = [...Map.groupBy(quiet, ({ outcome }) => outcome)].map(([outcome, of]) => `  ${counted(of.length, 'scope')} ${outcome}`);
  const rows = others.length === 0 ? [] : scopes(others, styles);
  return joinParts([[...counts, ...rows], cost, head].map((part) => fitted(part, window)));
}

const isQuiet = ({ outcome, warnings = [] }: ClosedScopeDoc): boolean =>
  (outcome === 'gone' || outcome === 'kept') && warnings.length === 0;

const tones: { readonly [outcome in ClosedOutcome]: Tone } = {
  destroyed: 'remove',
  gone: 'quiet',
  removed: 'remove',
  kept: 'quiet',
  failed: 'bad',
  interrupted: 'warn',
  'would destroy': 'remove',
  'would remove': 'remove',
};

function scopes(all: readonly ClosedScopeDoc[], styles: Styles): string[] {
  if (all.length === 0) return ['There is no scope.'];
  const rows = columns(all.map((scope) => [oneLine(nameOf(scope)), scope.outcome, oneLine(scope.why)]));
  return all.flatMap((scope, i) => [
    `  ${styles.paint(tones[scope.outcome], rows[i] ?? nameOf(scope))}`,
    ...indent(hostLines(scope.hosts, styles), 6),
    ...indent(warningLines(scope.warnings ?? [], styles), 6),
    ...indent(scope.error ? errorLines(scope.error, styles) : [], 6),
  ]);
}

export const nameOf = ({ scope, plan, branch }: ClosedScopeDoc): string =>
  scope === null ? branch : plan === null ? scope : `${scope} of ${plan}`;
