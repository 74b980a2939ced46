import { door } from '../../core/door.ts';
import type { PlanDoc, PlanLineDoc } from '../../engine/document.ts';
import { causesOf } from '../causes.ts';
import { driftWords, isIdle, kindOf, planAsks, planNotes, unmanagedText } from '../line-words.ts';
import { prunedRows } from '../orphans.ts';
import { counted } from '../text.ts';
import { summaryText, verdictSigns } from '../verdicts.ts';
import { changedText } from './changed.ts';
import { folded } from './fold.ts';
import { graph } from './graph.ts';
import { inertBlock } from './inert.ts';
import {
  changesPart,
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

/** The page of a plan: its verdicts, their changes, and the command that applies exactly them. */
export const planPage =
  (document: PlanDoc, o: MarkdownOptions): Page =>
  (sheet) => [
    heading(
      sheet,
      o,
      document.ok ? (isIdle(document) ? '✅' : '📋') : '❌',
      `${o.isDestroy ? 'Plan to destroy' : 'Plan for'} ${sheet.code(`${document.environment}/${document.scope}`)}: ${summaryText(document.summary)}`,
    ),
    errorsPart(sheet, o, causesOf(document)),
    changedText(sheet, o, { head: 'To change', lines: [...document.lines, ...prunedRows(document.orphans)], wordOf, isUnchanged }),
    nextStep(sheet, document, o),
    leftPart(sheet, document.putBack),
    hostsPart(sheet, document.hosts),
    staysPart(sheet, document),
    warningsPart(sheet, document.warnings),
    orphansPart(sheet, document.orphans, { command: o.next?.prune, when: 'plan' }),
    folded(counted(document.lines.length, 'line'), lines(sheet, o, document.lines), drawn(sheet, document.lines)),
    changesPart(sheet, document.lines),
    facts(sheet, [`Digest ${sheet.code(document.digest)}`]),
  ];

/** The members of a line that tell whether it changes. A pruned orphan has them too. */
type Said = Pick<PlanLineDoc, 'verdict' | 'drift' | 'error'>;

/** The word for a change that a run would make; `null` for a line that the run would leave as it is. */
const wordOf = ({ verdict, error }: Said): string | null =>
  error || verdict === 'none' || verdict === 'keep' ? null : verdictSigns[verdict].word;

const isUnchanged = (line: Said): boolean => (line.verdict === 'none' || line.verdict === 'keep') && line.drift === 'none' && !line.error;

function lines(sheet: Sheet, o: MarkdownOptions, all: readonly PlanLineDoc[]): string {
  const changed = sheet.unchanged ? all : all.filter((line) => !isUnchanged(line));
  if (changed.length < all.length) sheet.leave(counted(all.length - changed.length, 'unchanged line'));
  return table<PlanLineDoc>(
    [
      { head: 'Verdict', cell: (line) => verdictCell(line.verdict) },
      { head: 'Line', cell: (line) => lineCell(sheet, o, line) },
      { head: 'Operation', cell: (line) => sheet.code(kindOf(line)) },
      { head: 'What', cell: (line) => subjectCell(sheet, line) },
      { head: 'Drift', cell: (line) => driftWords[line.drift] },
      { head: 'Why', cell: (line) => [...planNotes(line), ...unmanagedText(line.unmanaged)].map(sheet.lines).join('<br>') },
    ],
    sheet.take(changed, 'line', (line) => line.verdict === 'refused' || line.verdict === 'failed'),
  );
}

function drawn(sheet: Sheet, all: readonly PlanLineDoc[]): string {
  const picture = graph(all.map(({ id, verdict, after }) => ({ id, ...verdictSigns[verdict], ...(after && { after }) })));
  if (sheet.graph || picture === '') return picture;
  sheet.leave('the graph');
  return '';
}

function nextStep(sheet: Sheet, document: PlanDoc, o: MarkdownOptions): string {
  if (!sheet.rest) return '';
  const asked = planAsks(document, o.isDestroy ?? false);
  if (asked !== null) return asked;
  const command = o.next === undefined ? '' : door.also(o.next.apply, 'expect', document.digest);
  if (command === '' || command.length > sheet.text) return '';
  return `To apply exactly this:\n\n${inertBlock([command])}`;
}
