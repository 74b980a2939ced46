import type { Orphan } from '../engine/document.ts';
import { entryLines } from './entries.ts';
import { kindOf, subjectText } from './line-words.ts';
import type { Styles } from './styles.ts';
import { counted, oneLine } from './text.ts';
import type { Window } from './window.ts';

/** The orphans: recorded objects that no line of the plan names any more. */
export function orphanLines(
  orphans: readonly Orphan[],
  { styles, command, window }: { readonly styles: Styles; readonly command: string; readonly window: Window | null },
): string[] {
  if (orphans.length === 0) return [];
  const entries = orphans.map((orphan) => ({
    tone: null,
    cells: [oneLine(orphan.line), oneLine(kindOf(orphan))],
    subject: subjectText(orphan) || oneLine(orphan.recordId),
    details: [styles.paint('quiet', oneLine(orphan.why))],
  }));
  return [orphansText(orphans, `\`${command}\``), ...entryLines(entries, styles, window)];
}

/** Tells how many orphans there are, and what a destroy does with them. `command` is the destroy as it may be shown. */
export function orphansText(orphans: readonly Pick<Orphan, 'verdict'>[], command: string): string {
  const all = counted(orphans.length, 'orphan');
  const staying = orphans.filter(({ verdict }) => verdict === 'forget').length;
  if (staying === 0) return `${all}, left alone by apply; ${command} removes what was made:`;
  const stay = `lets ${staying === orphans.length ? (staying === 1 ? 'it' : 'them') : `${staying} of them`} stay`;
  return `${all}, left alone by apply; ${command} ${staying === orphans.length ? stay : `removes ${orphans.length - staying} and ${stay}`}:`;
}
