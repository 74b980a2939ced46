import type { ApplyLineDoc } from '../engine/document.ts';
import type { Orphan } from '../engine/orphan-document.ts';
import { entryLines } from './entries.ts';
import { errorLines } from './errors-text.ts';
import { kindOf, subjectText } from './line-words.ts';
import type { Styles } from './styles.ts';
import { counted, oneLine } from './text.ts';
import { verdictSigns } from './verdicts.ts';
import type { Window } from './window.ts';

/** A plan tells what an apply will do, and an apply what it did. */
export type When = 'plan' | 'apply';

interface Told {
  readonly styles: Styles;
  /** The apply that removes orphans. */
  readonly command: string;
  readonly when: When;
  readonly window: Window | null;
}

/** The orphans: recorded objects that no line of the plan names any more. */
export function orphanLines(orphans: readonly Orphan[], { styles, command, when, window }: Told): string[] {
  if (orphans.length === 0) return [];
  const entries = orphans.map((orphan) => {
    const sign = verdictSigns[orphan.error ? 'failed' : orphan.verdict];
    const glyph = orphan.becomes === 'left' && !orphan.error ? verdictSigns.keep.glyph : sign.glyph;
    const signs = orphan.becomes === undefined ? [] : [glyph, endWords(orphan.becomes, when)];
    return {
      tone: orphan.becomes === undefined ? null : sign.tone,
      cells: [...signs, oneLine(orphan.id ?? orphan.line), oneLine(kindOf(orphan))],
      subject: subjectText(orphan) || oneLine(orphan.recordId),
      details: [styles.paint('quiet', oneLine(orphan.why)), ...(orphan.error ? errorLines(orphan.error, styles) : [])],
    };
  });
  return [orphansText(orphans, { command: `\`${command}\``, when }), ...entryLines(entries, styles, window)];
}

export const isPruning = (orphans: readonly Pick<Orphan, 'becomes'>[]): boolean => orphans.some(({ becomes }) => becomes !== undefined);

/** Tells how many orphans there are, and what becomes of them. `command`: the apply that removes them, as it may be shown. */
export function orphansText(
  orphans: readonly Pick<Orphan, 'verdict' | 'becomes'>[],
  { command, when }: { readonly command: string; readonly when: When },
): string {
  const all = counted(orphans.length, 'orphan');
  if (isPruning(orphans)) return prunedText(orphans, when);
  const staying = orphans.filter(({ verdict }) => verdict === 'forget').length;
  if (staying === 0) return `${all}, left alone by apply; ${command} removes what was made:`;
  const forget = `only forgets ${staying === orphans.length ? (staying === 1 ? 'it' : 'them') : `${staying} of them`}`;
  return `${all}, left alone by apply; ${command} ${staying === orphans.length ? forget : `removes ${orphans.length - staying} and ${forget}`}:`;
}

function prunedText(orphans: readonly Pick<Orphan, 'becomes'>[], when: When): string {
  const all = counted(orphans.length, 'orphan');
  const parts = ends.flatMap((end) => {
    const count = orphans.filter(({ becomes }) => becomes === end).length;
    return count === 0 ? [] : [`${count} ${endWords(end, when)}`];
  });
  const pruned = orphans.some(({ becomes }) => becomes !== 'left');
  if (!pruned) return `${all}, not pruned:`;
  return `${all}${when === 'plan' ? ' to prune once every line stands' : ''}: ${parts.join(', ')}:`;
}

const ends = ['removed', 'forgotten', 'left'] as const;

const willWords = { removed: 'remove', forgotten: 'forget', left: 'leave' } as const;

/** The end of an orphan as a word. */
export const endWords = (end: Orphan['becomes'], when: When): string => (end === undefined ? '' : when === 'plan' ? willWords[end] : end);

/** The orphans that have a line of their own in this run, for a summary of all lines. */
export const prunedRows = (orphans: readonly Orphan[]): readonly Pick<ApplyLineDoc, 'id' | 'verdict' | 'drift' | 'state' | 'error'>[] =>
  orphans.flatMap(({ id, verdict, state = '', error }) =>
    id === undefined ? [] : [{ id, verdict, state, drift: 'none', ...(error && { error }) }],
  );
