import type { FieldChange, PlanDoc, PlanLineDoc } from './document.ts';
import { errorLines } from './errors-text.ts';
import { indent, joinParts, type NextCommands, orphanLines, warningLines } from './sections.ts';
import type { Styles } from './styles.ts';
import { columns, counted, oneLine, safeText, showSide } from './text.ts';
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

const kindOf = (line: PlanLineDoc): string => line.recipe ?? `${line.adapter}.${line.op}`;

const drift = (line: PlanLineDoc): string =>
  line.drift === 'none' ? '' : line.drift === 'missing' ? '  [drift: missing]' : '  [drift: changed outside]';

function details(line: PlanLineDoc, styles: Styles): string[] {
  return [
    // "As planned" under every unchanged line would bury the others.
    ...(line.why && line.verdict !== 'none' ? safeText(line.why).split('\n') : []),
    ...(line.waitingOn && line.waitingOn.length > 0 ? [`waits for ${line.waitingOn.join(', ')}`] : []),
    ...columns(line.changes.map((change) => [`${oneLine(change.field)}:`, sides(change)])),
    ...unmanaged(line),
    ...(line.error ? errorLines(line.error, styles) : []),
  ];
}

function sides(change: FieldChange): string {
  const before = showSide(change.before);
  const after = showSide(change.after);
  return before === after ? `${after}, changed` : `${before} -> ${after}`;
}

function unmanaged(line: PlanLineDoc): string[] {
  const names = line.unmanaged ?? [];
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).map(oneLine).join(', ');
  return [
    `unmanaged: ${counted(names.length, 'entry', 'entries')} left as ${names.length === 1 ? 'it is' : 'they are'}: ${shown}${names.length > 5 ? ', …' : ''}`,
  ];
}

function nextStep(document: PlanDoc, next: NextCommands): string[] {
  if (!document.ok) return ['Next: correct what is marked with "!", then plan again.'];
  const idle = document.lines.every((line) => line.verdict === 'none' || line.verdict === 'keep');
  if (idle && !next.isDestroy) return ['Nothing to do: the services hold what the plan says.'];
  return [`Next: ${next.apply} --expect ${document.digest}`];
}
