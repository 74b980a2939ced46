import type { ListDoc, ScopeRow } from '../engine/stands-document.ts';
import { errorLines } from './errors-text.ts';
import { indent, joinParts } from './sections.ts';
import { ageText, lastRunText, leaseText, leftoverTexts, momentText, pullsText, scopeText } from './stands-words.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, counted, oneLine } from './text.ts';
import { cutMiddle, widthOf } from './width.ts';
import { fitted, type Window } from './window.ts';

/** Tells people what stands: a row for each scope, the oldest first, with what it needs somebody to know below it. */
export function listText(document: ListDoc, styles: Styles, window: Window | null = null): string {
  const { scopes, environment, ledger, notAsked } = document;
  const where = `${oneLine(environment)} on ${oneLine(ledger)}`;
  if (scopes.length === 0) return joinParts([fitted([`No scope of ${where}.`], window)]);
  const head = styles.paint('strong', `${counted(scopes.length, 'scope')} of ${where}, the oldest first`);
  const hint = notAsked === undefined ? [] : [styles.paint('quiet', `The pull requests were not asked for: ${oneLine(notAsked)}.`)];
  return joinParts([[head], table(document, styles, window), hint].map((part) => fitted(part, window)));
}

const titles = ['Pull request', 'Lines', 'Objects', 'Age', 'Last run'];

/** The name of a scope takes the room that the other columns leave. */
function table({ scopes, at }: ListDoc, styles: Styles, window: Window | null): readonly string[] {
  const others = [
    titles,
    ...scopes.map((row) => [
      pullsText(row.pulls),
      row.error ? '' : String(row.lineCount),
      row.error ? '' : String(row.objectCount),
      ageText(row.firstRun, at),
      row.error ? 'cannot be read' : lastRunText(row.lastRun, at),
    ]),
  ];
  const right = columns(others);
  const room = window === null ? longest : Math.max(shortest, window.columns - gap - indentBy - Math.max(...right.map(widthOf)));
  const [title = '', ...rows] = columns(
    [['Scope', right[0] ?? ''], ...scopes.map((row, i) => [cutMiddle(scopeText(row), room), right[i + 1] ?? ''])],
    gap,
  );
  return [
    `  ${styles.paint('quiet', title)}`,
    ...scopes.flatMap((row, i) => [`  ${styles.paint(toneOf(row), rows[i] ?? '')}`, ...indent(details(row, styles), 6)]),
  ];
}

const gap = 2;
const indentBy = 2;
const longest = 60;
const shortest = 12;

function toneOf({ error, objectCount, leftovers, pulls }: ScopeRow): Tone {
  if (error) return 'bad';
  if (objectCount + leftovers.unfinished + leftovers.leaving === 0) return 'quiet';
  return pulls.state === 'closed' || pulls.state === 'none' ? 'warn' : 'strong';
}

/** What is out of the ordinary. Most rows have nothing. */
function details({ error, lease, expires, leftovers, pulls, objectCount }: ScopeRow, styles: Styles): readonly string[] {
  if (error) return errorLines(error, styles);
  const left = leftoverTexts(leftovers);
  return [
    ...(lease ? [`${leaseText(lease)}.`] : []),
    ...(expires ? [`Stays until ${momentText(expires)}.`] : []),
    ...(left.length > 0 ? [`${left.join(', ')}.`] : []),
    ...(pulls.state === 'none' && objectCount > 0 ? ['Its ledger names no pull request.'] : []),
  ];
}
