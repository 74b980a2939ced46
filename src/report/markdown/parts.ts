import { door } from '../../core/door.ts';
import { errorKinds, isErrorKind } from '../../core/error-kinds.ts';
import { type ErrorCode, errorTable } from '../../core/error-table.ts';
import type { ErrorData } from '../../core/errors.ts';
import type { FieldChange, HostDoc, Verdict } from '../../engine/document.ts';
import type { Orphan } from '../../engine/orphan-document.ts';
import type { Cause } from '../causes.ts';
import { changeText, kindOf, subjectText } from '../line-words.ts';
import { endWords, isPruning, orphansText, type When } from '../orphans.ts';
import { hostsText, type NextCommands, namesText, type Staying, staysText } from '../sections.ts';
import { columns, counted, oneLine } from '../text.ts';
import { verdictSigns } from '../verdicts.ts';
import { waitingText } from '../waiting.ts';
import { folded } from './fold.ts';
import { inertBlock, linkTo, outputLink } from './inert.ts';
import { type Sheet, table } from './sheet.ts';

/** Parts that the pages of several documents have. */

/** `## ✅ Apply of preview/pr-12: complete`, and below it the commit, the log and the trace. */
export function heading(sheet: Sheet, o: MarkdownOptions, symbol: string, words: string): string {
  const facts = [
    ...previewLinks(o),
    '**pilotfish**',
    ...(o.commit ? [`Commit ${sheet.code(o.commit.slice(0, 12))}`] : []),
    ...(o.runUrl && sheet.rest ? [linkTo(o.runUrl, 'Run') ?? ''] : []),
    ...(o.traceUrl && sheet.rest ? [linkTo(o.traceUrl, 'Trace') ?? ''] : []),
  ].filter((fact) => fact !== '');
  return `## ${symbol} ${words}\n\n${facts.join(' · ')}`;
}

/** Links to the deployments that the run waited for. */
function previewLinks({ previews = [], runUrl }: MarkdownOptions): readonly string[] {
  const links = previews.slice(0, mostPreviews).flatMap((url) => outputLink(url, runUrl) ?? []);
  return links.length === 0 ? [] : [`**Preview:** ${links.join(', ')}`];
}

const mostPreviews = 3;

/** The id of a line, as a link to the line of the plan at this commit. */
export function lineCell(
  sheet: Sheet,
  { planUrl }: MarkdownOptions,
  { id, place }: { readonly id: string; readonly place?: string },
): string {
  const name = sheet.code(id);
  const [, line] = /:(\d+):\d+$/.exec(place ?? '') ?? [];
  return (planUrl && line && linkTo(`${planUrl}#L${line}`, name)) || name;
}

/** The verdict with its sign from the terminal. */
export const verdictCell = (verdict: Verdict): string => `\`${verdictSigns[verdict].glyph}\` ${verdictSigns[verdict].word}`;

/** The name of the object; empty where no text names it. */
export function subjectCell(sheet: Sheet, line: { readonly subject?: string }): string {
  const text = subjectText(line);
  return text === '' ? '' : sheet.code(text);
}

interface Changed {
  readonly id: string;
  readonly verdict: Verdict;
  readonly changes: readonly FieldChange[];
}

/** The field changes of all lines, folded and aligned as in the terminal. A word stands for a secret or a pending value. */
export function changesPart(sheet: Sheet, lines: readonly Changed[]): string {
  const changed = lines.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return '';
  const total = counted(
    changed.reduce((sum, { changes }) => sum + changes.length, 0),
    'field change',
  );
  if (!sheet.changes) {
    sheet.leave(total);
    return '';
  }
  const block = changed.flatMap(({ id, verdict, changes }) => [
    `${verdictSigns[verdict].glyph} ${named(id)}`,
    ...columns(changes.map((change) => [`${named(change.field)}:`, changeText(change)])).map((line) => `    ${line}`),
  ]);
  return folded(total, inertBlock(block));
}

/** Cuts a long name, because it would push every value out of sight. */
const named = (name: string): string => oneLine(name.length > 200 ? `${name.slice(0, 200)}…` : name);

/** Every error with its detail, its fix, and its code as a link to the page about it. */
export function errorsPart(sheet: Sheet, o: MarkdownOptions, all: readonly Cause[]): string {
  const shown = sheet.take(all, 'error').map((cause) => errorText(sheet, o, cause));
  const more = shown.slice(mostOpenErrors);
  return [...shown.slice(0, mostOpenErrors), folded(`❗ ${counted(more.length, 'more error', 'more errors')}`, ...more)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The first ones are read at once. With more of them nobody would see the rest of the comment. */
const mostOpenErrors = 2;

function errorText(sheet: Sheet, o: MarkdownOptions, { of, error, waiting }: Cause): string {
  const head = [
    `❗ ${of === undefined ? '' : `${sheet.code(of)} `}${codeCell(sheet, o, error.code)}${summaryOf(error)}`,
    ...(error.place === undefined ? [] : [`at ${sheet.code(error.place)}`]),
  ];
  const waits = waitingText(waiting, sheet.code);
  const said = [sheet.lines(error.detail), ...(waits === '' ? [] : [waits]), `Fix: ${sheet.lines(error.fix)}`];
  return `${head.join(' ')}\n\n> ${said.join('\n>\n> ')}`;
}

/** A code as a link to its entry on the page of the error codes. */
export function codeCell(sheet: Sheet, o: MarkdownOptions, code: ErrorCode): string {
  const shown = sheet.code(code);
  return (o.errorsUrl && isKnown(code) && linkTo(`${o.errorsUrl}#${code.toLowerCase()}`, shown)) || shown;
}

const isKnown = (code: ErrorCode): boolean => Object.hasOwn(errorTable, code);
/** The title by our own tables: the document may be made by anybody. */
const summaryOf = ({ code, kind }: ErrorData): string =>
  isKnown(code) ? ` **${(isErrorKind(kind) ? errorKinds[kind] : errorTable[code]).summary}**` : '';

export function warningsPart(sheet: Sheet, warnings: readonly string[]): string {
  const shown = sheet.take(warnings, 'warning').map((warning) => `- ⚠️ ${sheet.lines(warning)}`);
  if (shown.length <= mostOpenWarnings) return shown.join('\n');
  return folded(`⚠️ ${counted(shown.length, 'warning')}`, shown.join('\n'));
}

const mostOpenWarnings = 2;

/** The orphans: recorded objects that no line of the plan names any more. */
export function orphansPart(
  sheet: Sheet,
  orphans: readonly Orphan[],
  { command, when }: { readonly command: string | undefined; readonly when: When },
): string {
  const shown = sheet.take(orphans, 'orphan', ({ error }) => error !== undefined);
  if (shown.length === 0) return '';
  const rows = table<Orphan>(
    [
      { head: 'Orphan', cell: (orphan) => sheet.code(orphan.id ?? orphan.line) },
      ...(isPruning(orphans) ? [{ head: 'With prune', cell: ({ becomes }: Orphan) => endWords(becomes, when) }] : []),
      { head: 'Operation', cell: (orphan) => sheet.code(kindOf(orphan)) },
      { head: 'What', cell: (orphan) => subjectCell(sheet, orphan) },
      { head: 'Record', cell: (orphan) => sheet.code(orphan.recordId) },
      { head: 'Why', cell: (orphan) => sheet.lines(orphan.why) },
    ],
    shown,
  );
  return folded(
    orphansText(orphans, { command: command === undefined ? `an apply with ${door.named('prune')}` : sheet.code(command), when }),
    rows,
  );
}

/** The hosts that are not the provider's own, each with its lines. */
export function hostsPart(sheet: Sheet, hosts: readonly HostDoc[] = []): string {
  const shown = sheet.take(hosts, 'host').map(({ origin, lines }) => `${sheet.code(origin)} (${namesText(lines.map(sheet.code))})`);
  return shown.length <= mostOpenHosts
    ? shown.length === 0
      ? ''
      : `⚠️ ${hostsText} ${shown.join(', ')}`
    : folded(
        `⚠️ ${hostsText} ${shown.slice(0, mostOpenHosts).join(', ')} and ${shown.length - mostOpenHosts} more`,
        shown.map((host) => `- ${host}`).join('\n'),
      );
}

const mostOpenHosts = 2;

/** The lines that a narrowed destroy leaves alone. */
export function staysPart(sheet: Sheet, { stays = [], orphansOnly }: Staying): string {
  const shown = sheet.take(stays, 'line that stays');
  return shown.length === 0 ? '' : staysText(shown.map(sheet.code), stays.length, orphansOnly);
}

/** Small print: facts that people look up when they need them. */
export const facts = (sheet: Sheet, all: readonly string[]): string =>
  sheet.rest && all.length > 0 ? `<sub>${all.join(' · ')}</sub>` : '';

/** Facts for the Markdown of a run that its document does not hold. */
export interface MarkdownOptions {
  /** The most bytes of UTF-8, and so the most characters. Less than 2,000 leaves only the heading. */
  readonly longest: number;
  /** The run is a destroy, or plans one. */
  readonly isDestroy?: boolean;
  /** Environment and scope for a document without them, because the run failed before it began. */
  readonly environment?: string | null;
  readonly scope?: string | null;
  readonly commit?: string | null;
  /** The address of the run's log. */
  readonly runUrl?: string | null;
  /** The address of the uploaded trace. */
  readonly traceUrl?: string | null;
  /** The addresses of the deployments that the run waited for. */
  readonly previews?: readonly string[];
  /** The address of the plan at this commit. */
  readonly planUrl?: string | null;
  /** The address of the branch with the receipts. */
  readonly receiptUrl?: string | null;
  /** The address of the page of the error codes. */
  readonly errorsUrl?: string | null;
  /** Commands that a reader can run. */
  readonly next?: Pick<NextCommands, 'apply' | 'prune'>;
}

/** Names the command that writes back what others changed and lines leave. */
export const leftPart = (sheet: Sheet, command: string | undefined): string =>
  command === undefined || command.length > sheet.text
    ? ''
    : `What others changed is left so. To write it back:\n\n${inertBlock([command])}`;
