import type { ApplyDoc, ApplyLineDoc } from './document.ts';
import { costText, endings } from './endings.ts';
import { errorLines } from './errors-text.ts';
import { applyNotes, isOfALine, stateTone } from './line-words.ts';
import { indent, joinParts, type NextCommands, orphanLines, warningLines } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, counted, oneLine, safeText, showJson, showTime } from './text.ts';
import { verdictSigns } from './verdicts.ts';

/** What apply did, for people: one entry a line, outputs that may be shown, the receipt, and what it cost. */
export function applyText(document: ApplyDoc, styles: Styles, next: NextCommands): string {
  const where = `${document.environment}/${oneLine(document.scope)}`;
  return joinParts([
    [
      styles.paint('strong', `${next.isDestroy ? 'Destroy' : 'Apply'} of ${where}: `) +
        styles.paint(endings[document.status].tone, endings[document.status].words),
    ],
    entries(document.lines, styles),
    outputs(document),
    orphanLines(document.orphans, styles, next.destroy),
    warningLines(document.warnings, styles),
    document.error && !isOfALine(document.error, document.lines) ? errorLines(document.error, styles) : [],
    closing(document, styles),
  ]);
}

function entries(lines: readonly ApplyLineDoc[], styles: Styles): string[] {
  const rows = columns(
    lines.map((line) => {
      const requests = line.requests === 0 ? '' : counted(line.requests, 'request');
      return [verdictSigns[line.verdict].glyph, verdictSigns[line.verdict].word, line.id, line.state, showTime(line.ms), requests];
    }),
  );
  return lines.flatMap((line, i) => [
    `  ${styles.paint(toneOf(line), rows[i] ?? line.id)}`,
    ...indent(
      [...applyNotes(line).flatMap((note) => safeText(note).split('\n')), ...(line.error ? errorLines(line.error, styles) : [])],
      6,
    ),
  ]);
}

const toneOf = (line: ApplyLineDoc): Tone =>
  (({ bad: 'bad', open: 'warn', good: verdictSigns[line.verdict].tone }) as const)[stateTone(line.state)];

function outputs(document: ApplyDoc): string[] {
  const rows = Object.entries(document.outputs).flatMap(([line, values]) =>
    Object.entries(values).map(([name, value]) => [`${line}.${name}`, showJson(value)]),
  );
  return rows.length === 0 ? [] : ['Outputs:', ...indent(columns(rows), 2)];
}

function closing(document: ApplyDoc, styles: Styles): string[] {
  const { receipt, stats } = document;
  const receiptText = receipt.commit === null ? 'not written' : `${oneLine(receipt.branch)} at ${receipt.commit.slice(0, 12)}`;
  return columns([
    ['Receipt', receiptText],
    ['Cost', costText(stats)],
    ['Run', document.runId],
  ]).map((line) => styles.paint('quiet', line));
}
