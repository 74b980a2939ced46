import type { ApplyDoc, ApplyLineDoc } from '../../engine/document.ts';
import { causesOf } from '../causes.ts';
import { costText, endingOf } from '../endings.ts';
import { applyNotes, driftWords, kindOf, stateTone } from '../line-words.ts';
import { counted, showJson, showTime } from '../text.ts';
import { stateWords, verdictSigns } from '../verdicts.ts';
import { graph } from './graph.ts';
import { outputLink } from './inert.ts';
import {
  changesPart,
  codeCell,
  errorsPart,
  facts,
  heading,
  hostsPart,
  leftPart,
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
    return [
      heading(sheet, o, symbol, `${o.isDestroy ? 'Destroy' : 'Apply'} of ${where}: ${words}`),
      states(document.lines),
      lines(sheet, o, document.lines),
      hostsPart(sheet, document.hosts),
      errorsPart(sheet, o, causesOf(document)),
      outputs(sheet, document.outputs, o),
      changesPart(sheet, document.lines),
      leftPart(sheet, document.putBack),
      orphansPart(sheet, document.orphans, o.next?.destroy),
      staysPart(sheet, document.stays),
      warningsPart(sheet, document.warnings),
      drawn(sheet, document.lines),
      facts(sheet, [
        receipt(sheet, document.receipt),
        ...(document.digest === '' ? [] : [`Digest ${sheet.code(document.digest)}`]),
        costText(document.stats),
        `Run ${sheet.code(document.runId)}`,
      ]),
    ];
  };

/** `5 lines: 4 settled, 1 failed` */
function states(all: readonly ApplyLineDoc[]): string {
  const counts = new Map<string, number>();
  for (const { state } of all) counts.set(wordsOf(state), (counts.get(wordsOf(state)) ?? 0) + 1);
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  return parts.length === 0 ? 'No line had anything to do.' : `${counted(all.length, 'line')}: ${parts.join(', ')}.`;
}

/** Shows a state only if it looks like a name of the machine. Any other text is not repeated. */
const wordsOf = (state: string): string => (/^[a-zA-Z]{1,30}$/.test(state) ? stateWords(state) : 'in a state without a name');

const isUnchanged = (line: ApplyLineDoc): boolean =>
  (line.verdict === 'none' || line.verdict === 'keep') && line.state === 'settled' && line.drift === 'none' && !line.error;

function lines(sheet: Sheet, o: MarkdownOptions, all: readonly ApplyLineDoc[]): string {
  const changed = sheet.unchanged ? all : all.filter((line) => !isUnchanged(line));
  if (changed.length < all.length) sheet.leave(counted(all.length - changed.length, 'unchanged line'));
  return table<ApplyLineDoc>(
    [
      { head: 'Verdict', cell: (line) => verdictCell(line.verdict) },
      { head: 'Line', cell: (line) => sheet.code(line.id) },
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
  return table<(typeof entries)[number]>(
    [
      { head: 'Output', cell: ({ name }) => sheet.code(name) },
      {
        head: 'Value',
        cell: ({ value }) => (typeof value === 'string' ? outputLink(value, o.runUrl) : null) ?? sheet.code(showJson(value)),
      },
    ],
    sheet.take(entries, 'output'),
  );
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

const receipt = (sheet: Sheet, { branch, commit }: ApplyDoc['receipt']): string =>
  commit === null ? 'Receipt not written' : `Receipt ${sheet.code(branch)} at ${sheet.code(commit.slice(0, 12))}`;
