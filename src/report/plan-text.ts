import type { PlanDoc, PlanLineDoc } from './document.ts';
import { errorLines } from './errors-text.ts';
import { changeText, driftWords, kindOf, planAsks, planNotes, unmanagedText } from './line-words.ts';
import { indent, joinParts, type NextCommands, orphanLines, warningLines } from './sections.ts';
import type { Styles } from './styles.ts';
import { columns, oneLine, safeText } from './text.ts';
import { summaryText, verdictSigns } from './verdicts.ts';

/** The plan for people: one entry a line with its field changes, then orphans, warnings, digest, summary and the next step. */
export function planText(document: PlanDoc, styles: Styles, next: NextCommands): string {
  const hasLineErrors = document.lines.some((line) => line.error);
  return joinParts([
    [styles.paint('strong', `${next.isDestroy ? 'Plan to destroy' : 'Plan for'} ${document.environment}/${oneLine(document.scope)}`)],
    entries(document.lines, styles),
    orphanLines(document.orphans, styles, next.destroy),
    warningLines(document.warnings, styles),
    document.error && !hasLineErrors ? errorLines(document.error, styles) : [],
    [summaryText(document.summary), styles.paint('quiet', `Digest ${document.digest}`)],
    nextStep(document, next),
  ]);
}

function entries(lines: readonly PlanLineDoc[], styles: Styles): string[] {
  const rows = columns(lines.map((line) => [verdictSigns[line.verdict].glyph, verdictSigns[line.verdict].word, line.id, kindOf(line)]));
  return lines.flatMap((line, i) => {
    const { tone } = verdictSigns[line.verdict];
    return [`  ${styles.paint(tone, `${rows[i] ?? line.id}${drift(line)}`)}`, ...indent(details(line, styles), 6)];
  });
}

const drift = (line: PlanLineDoc): string => (line.drift === 'none' ? '' : `  [drift: ${driftWords[line.drift]}]`);

function details(line: PlanLineDoc, styles: Styles): string[] {
  return [
    ...planNotes(line).flatMap((note) => safeText(note).split('\n')),
    ...columns(line.changes.map((change) => [`${oneLine(change.field)}:`, changeText(change)])),
    ...unmanagedText(line.unmanaged),
    ...(line.error ? errorLines(line.error, styles) : []),
  ];
}

const nextStep = (document: PlanDoc, next: NextCommands): string[] => [
  planAsks(document, next.isDestroy) ?? `Next: ${next.apply} --expect ${document.digest}`,
];
