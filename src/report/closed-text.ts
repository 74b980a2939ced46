import type { ClosedDoc, ClosedOutcome, ClosedScopeDoc } from './document.ts';
import { closedEndings, costText } from './endings.ts';
import { errorLines } from './errors-text.ts';
import { indent, joinParts } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, oneLine } from './text.ts';

/** What `apply --destroy --closed` did, for people: a line for each scope, and what it cost. */
export function closedText(document: ClosedDoc, styles: Styles): string {
  const head = `Destroy of closed pull requests of ${oneLine(document.repository)} in ${oneLine(document.environment)}: `;
  return joinParts([
    [styles.paint('strong', head) + styles.paint(closedEndings[document.status].tone, closedEndings[document.status].words)],
    scopes(document.scopes, styles),
    [styles.paint('quiet', `Cost  ${costText(document.stats)}`)],
  ]);
}

const tones: { readonly [outcome in ClosedOutcome]: Tone } = {
  destroyed: 'remove',
  gone: 'quiet',
  removed: 'remove',
  kept: 'quiet',
  failed: 'bad',
  interrupted: 'warn',
};

function scopes(all: readonly ClosedScopeDoc[], styles: Styles): string[] {
  if (all.length === 0) return ['There is no scope.'];
  const rows = columns(all.map((scope) => [oneLine(nameOf(scope)), scope.outcome, oneLine(scope.why)]));
  return all.flatMap((scope, i) => [
    `  ${styles.paint(tones[scope.outcome], rows[i] ?? nameOf(scope))}`,
    ...indent(scope.error ? errorLines(scope.error, styles) : [], 6),
  ]);
}

export const nameOf = ({ scope, plan, branch }: ClosedScopeDoc): string =>
  scope === null ? branch : plan === null ? scope : `${scope} of ${plan}`;
