import type { ApplyDoc, ApplyLineDoc } from '../../engine/document.ts';
import { causesOf } from '../causes.ts';
import { costText, endingOf } from '../endings.ts';
import { goesText } from '../lifetime-words.ts';
import { applyNotes, driftWords, kindOf, stateTone } from '../line-words.ts';
import { prunedRows } from '../orphans.ts';
import { counted, showJson, showTime } from '../text.ts';
import { stateWords, verdictSigns } from '../verdicts.ts';
import { changedText } from './changed.ts';
import { folded } from './fold.ts';
import { graph } from './graph.ts';
import { linkTo, outputLink } from './inert.ts';
import {
  changesPart,
  codeCell,
  errorsPart,
  facts,
  heading,
  hostsPart,
  leftPart,
  lineCell,
  type MarkdownOptions,
  orphansPart,
  staysPart,
  subjectCell,
  verdictCell,
  warningsPart,
} from './parts.ts';
import { type Page, type Sheet, table } from './sheet.ts';

/** The page of an apply or a destroy: its lines, the outputs that may be shown, the receipt and the cost. */
export const applyPage =
  (document: ApplyDoc, o: MarkdownOptions): Page =>
  (sheet) => {
    const { symbol, words } = endingOf(document, o.isDestroy === true);
    const where = sheet.code(`${document.environment}/${document.scope}`);
    const previews = document.previews?.map(({ url }) => url) ?? [];
    return [
      heading(sheet, { ...o, previews }, symbol, `${o.isDestroy ? 'Destroy' : 'Apply'} of ${where}: ${words}`),
      errorsPart(sheet, o, causesOf(document)),
      changedText(sheet, o, {
        head: 'Changed',
        lines: [...document.lines, ...prunedRows(document.orphans)],
        wordOf: doneWord,
        isUnchanged,
      }),
      nextStep(document.status, o.isDestroy === true),
      document.lifetime ? `This preview goes on ${goesText(document.lifetime, sheet.code)}.` : '',
      leftPart(sheet, document.putBack),
      hostsPart(sheet, document.hosts),
      staysPart(sheet, document),
      warningsPart(sheet, document.warnings),
      orphansPart(sheet, document.orphans, { command: o.next?.prune, when: 'apply' }),
      folded(states(document.lines), lines(sheet, o, document.lines), drawn(sheet, document.lines)),
      changesPart(sheet, document.lines),
      outputs(sheet, document.outputs, o),
      facts(sheet, [
        receipt(sheet, o, document.receipt),
        ...(document.digest === '' ? [] : [`Digest ${sheet.code(document.digest)}`]),
        costText(document.stats),
        `Run ${sheet.code(document.runId)}`,
      ]),
    ];
  };

/** The members of a line that tell whether it changed. A pruned orphan has them too. */
type Said = Pick<ApplyLineDoc, 'state' | 'verdict' | 'drift' | 'error'>;

/** The word for a change that this run made; `null` for a line that the run left as it was. */
const doneWord = ({ state, verdict }: Said): string | null =>
  state === 'settled' && verdict !== 'none' && verdict !== 'keep' ? verdictSigns[verdict].done : null;

/** The next thing for the reader to do. An error has a fix of its own. */
function nextStep(status: ApplyDoc['status'], isDestroy: boolean): string {
  if (status === 'partial') return '**To do:** nothing. The run goes on when the deployment is ready.';
  return status === 'interrupted' ? `**To do:** run the ${isDestroy ? 'destroy' : 'apply'} again. It goes on from here.` : '';
}

/** `5 lines: 4 settled, 1 failed` */
function states(all: readonly ApplyLineDoc[]): string {
  const counts = new Map<string, number>();
  for (const { state } of all) counts.set(wordsOf(state), (counts.get(wordsOf(state)) ?? 0) + 1);
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  return `${counted(all.length, 'line')}: ${parts.join(', ')}`;
}

/** Shows a state only if it looks like a name of the machine. Any other text is not repeated. */
const wordsOf = (state: string): string => (/^[a-zA-Z]{1,30}$/.test(state) ? stateWords(state) : 'in a state without a name');

const isUnchanged = (line: Said): boolean =>
  (line.verdict === 'none' || line.verdict === 'keep') && line.state === 'settled' && line.drift === 'none' && !line.error;

function lines(sheet: Sheet, o: MarkdownOptions, all: readonly ApplyLineDoc[]): string {
  const changed = sheet.unchanged ? all : all.filter((line) => !isUnchanged(line));
  if (changed.length < all.length) sheet.leave(counted(all.length - changed.length, 'unchanged line'));
  return table<ApplyLineDoc>(
    [
      { head: 'Verdict', cell: (line) => verdictCell(line.verdict) },
      { head: 'Line', cell: (line) => lineCell(sheet, o, line) },
      { head: 'Operation', cell: (line) => sheet.code(kindOf(line)) },
      { head: 'What', cell: (line) => subjectCell(sheet, line) },
      { head: 'Drift', cell: (line) => driftWords[line.drift] },
      { head: 'State', cell: (line) => stateCell(sheet, o, line) },
      { head: 'Time', cell: (line) => showTime(line.ms), isNumber: true },
    ],
    sheet.take(changed, 'line', (line) => stateTone(line.state) !== 'good'),
  );
}

const marks = { good: '', open: '⏸️ ', bad: '❗ ' } as const;

function stateCell(sheet: Sheet, o: MarkdownOptions, line: ApplyLineDoc): string {
  const state = `${marks[stateTone(line.state)]}${wordsOf(line.state)}`;
  return [line.error ? `${state} ${codeCell(sheet, o, line.error.code)}` : state, ...applyNotes(line).map(sheet.lines)].join('<br>');
}

function outputs(sheet: Sheet, all: ApplyDoc['outputs'], o: MarkdownOptions): string {
  const entries = Object.entries(all).flatMap(([line, values]) =>
    Object.entries(values).map(([name, value]) => ({ name: `${line}.${name}`, value })),
  );
  const rows = table<(typeof entries)[number]>(
    [
      { head: 'Output', cell: ({ name }) => sheet.code(name) },
      {
        head: 'Value',
        cell: ({ value }) => (typeof value === 'string' ? outputLink(value, o.runUrl) : null) ?? sheet.code(showJson(value)),
      },
    ],
    sheet.take(entries, 'output'),
  );
  return folded(counted(entries.length, 'output'), rows);
}

function drawn(sheet: Sheet, all: readonly ApplyLineDoc[]): string {
  const picture = graph(
    all.map(({ id, verdict, state, after }) => {
      const ended = stateTone(state);
      const sign = verdictSigns[verdict];
      return {
        id,
        word: ended === 'good' ? sign.word : wordsOf(state),
        tone: ended === 'good' ? sign.tone : ended === 'open' ? 'warn' : 'bad',
        ...(after && { after }),
      };
    }),
  );
  if (sheet.graph || picture === '') return picture;
  sheet.leave('the graph');
  return '';
}

function receipt(sheet: Sheet, { receiptUrl }: MarkdownOptions, { branch, commit }: ApplyDoc['receipt']): string {
  if (commit === null) return 'Receipt not written';
  const name = sheet.code(branch);
  return `Receipt ${(receiptUrl && linkTo(receiptUrl, name)) || name} at ${sheet.code(commit.slice(0, 12))}`;
}
