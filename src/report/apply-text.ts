import type { ErrorData } from '../core/errors.ts';
import type { ApplyDoc, ApplyLineDoc, RunStatus } from './document.ts';
import { errorLines } from './errors-text.ts';
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
    document.error && !isOfALine(document.error, document) ? errorLines(document.error, styles) : [],
    closing(document, styles),
  ]);
}

/** The run's error is that of its first bad line, shown there, or its own: what could not be stored, and where it is kept. */
const isOfALine = ({ code, detail }: ErrorData, { lines }: ApplyDoc): boolean =>
  lines.some(({ error }) => error?.code === code && error.detail === detail);

const endings: { readonly [status in RunStatus]: { readonly tone: Tone; readonly words: string } } = {
  complete: { tone: 'add', words: 'complete' },
  partial: { tone: 'warn', words: 'partial; the deployment event continues it' },
  failed: { tone: 'bad', words: 'failed; the next apply goes on from here' },
  stale: { tone: 'warn', words: 'stale; a newer commit or a destroyed scope stands in its place, and nothing was written' },
  interrupted: { tone: 'warn', words: 'interrupted; the next apply goes on from here' },
};

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
      [
        ...(line.why && saysMore(line) ? safeText(line.why).split('\n') : []),
        ...(line.notes ?? []).map(oneLine),
        ...(line.error ? errorLines(line.error, styles) : []),
      ],
      6,
    ),
  ]);
}

/** Why a settled line was made or left alone, its verdict says already. */
const saysMore = (line: ApplyLineDoc): boolean => line.state !== 'settled' || !['none', 'create', 'send', 'delete'].includes(line.verdict);

const badStates = new Set(['failed', 'refused']);
const openStates = new Set(['skipped', 'interrupted', 'waiting']);
const toneOf = (line: ApplyLineDoc): Tone =>
  badStates.has(line.state) ? 'bad' : openStates.has(line.state) ? 'warn' : verdictSigns[line.verdict].tone;

function outputs(document: ApplyDoc): string[] {
  const rows = Object.entries(document.outputs).flatMap(([line, values]) =>
    Object.entries(values).map(([name, value]) => [`${line}.${name}`, showJson(value)]),
  );
  return rows.length === 0 ? [] : ['Outputs:', ...indent(columns(rows), 2)];
}

function closing(document: ApplyDoc, styles: Styles): string[] {
  const { receipt, stats } = document;
  const receiptText = receipt.commit === null ? 'not written' : `${oneLine(receipt.branch)} at ${receipt.commit.slice(0, 12)}`;
  const cost = [
    `${counted(stats.requests, 'request')} (${counted(stats.writes, 'write')})`,
    `${counted(stats.fetches, 'fetch', 'fetches')} and ${counted(stats.pushes, 'push', 'pushes')} of the ledger`,
    ...(stats.lockPushes > 0 ? [`${counted(stats.lockPushes, 'push', 'pushes')} of locks`] : []),
    showTime(stats.ms),
  ].join(', ');
  return columns([
    ['Receipt', receiptText],
    ['Cost', cost],
    ['Run', document.runId],
  ]).map((line) => styles.paint('quiet', line));
}
