import type { ClosedDoc, ClosedOutcome, ClosedScopeDoc } from './document.ts';
import { errorLines } from './errors-text.ts';
import { indent, joinParts } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, counted, oneLine, showTime } from './text.ts';

/** What `apply --destroy --closed` did, for people: a line for each scope, and what it cost. */
export function closedText(document: ClosedDoc, styles: Styles): string {
  const head = `Destroy of closed pull requests of ${oneLine(document.repository)} in ${oneLine(document.environment)}: `;
  return joinParts([
    [styles.paint('strong', head) + styles.paint(endings[document.status].tone, endings[document.status].words)],
    scopes(document.scopes, styles),
    [styles.paint('quiet', cost(document))],
  ]);
}

const endings: { readonly [status in ClosedDoc['status']]: { readonly tone: Tone; readonly words: string } } = {
  complete: { tone: 'add', words: 'complete' },
  failed: { tone: 'bad', words: 'failed; run it again to go on from here' },
  interrupted: { tone: 'warn', words: 'interrupted; run it again to go on from here' },
};

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

const nameOf = ({ scope, plan, branch }: ClosedScopeDoc): string =>
  scope === null ? branch : plan === null ? scope : `${scope} of ${plan}`;

function cost({ stats }: ClosedDoc): string {
  const ledger = `${counted(stats.fetches, 'fetch', 'fetches')} and ${counted(stats.pushes, 'push', 'pushes')} of the ledger`;
  return `Cost  ${counted(stats.requests, 'request')} (${counted(stats.writes, 'write')}), ${ledger}, ${showTime(stats.ms)}`;
}
