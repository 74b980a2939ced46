import type { Verdict } from '../engine/document.ts';
import type { Tone } from './styles.ts';

export interface VerdictSign {
  readonly glyph: string;
  /** What is said of one line. */
  readonly word: string;
  readonly tone: Tone;
  /** What the summary line says after a number. */
  readonly counted: string;
  /** What is said of a line that was applied, and of a number of them. */
  readonly done: string;
}

/** How each verdict looks: a closed set, so that a reader learns the glyphs once. In the order of the summary line. */
export const verdictSigns: { readonly [verdict in Verdict]: VerdictSign } = {
  create: { glyph: '+', word: 'create', tone: 'add', counted: 'to create', done: 'created' },
  claim: { glyph: '<', word: 'claim', tone: 'add', counted: 'to claim', done: 'claimed' },
  adopt: { glyph: '<', word: 'adopt', tone: 'add', counted: 'to adopt', done: 'adopted' },
  update: { glyph: '~', word: 'update', tone: 'change', counted: 'to update', done: 'updated' },
  replace: { glyph: '-/+', word: 'replace', tone: 'change', counted: 'to replace', done: 'replaced' },
  reconcile: { glyph: '~', word: 'reconcile', tone: 'change', counted: 'to reconcile', done: 'reconciled' },
  send: { glyph: '>', word: 'send', tone: 'add', counted: 'to send', done: 'sent' },
  delete: { glyph: '-', word: 'delete', tone: 'remove', counted: 'to delete', done: 'deleted' },
  forget: { glyph: '-', word: 'forget', tone: 'quiet', counted: 'to forget', done: 'forgotten' },
  pending: { glyph: '?', word: 'pending', tone: 'warn', counted: 'pending', done: 'pending' },
  keep: { glyph: '=', word: 'keep', tone: 'quiet', counted: 'kept', done: 'kept' },
  none: { glyph: '=', word: 'none', tone: 'quiet', counted: 'unchanged', done: 'unchanged' },
  refused: { glyph: '!', word: 'refused', tone: 'bad', counted: 'refused', done: 'refused' },
  failed: { glyph: '!', word: 'failed', tone: 'bad', counted: 'failed', done: 'failed' },
};

/** `2 to create, 1 unchanged`; `nothing to do` where there is no line. */
export function summaryText(counts: { readonly [verdict in Verdict]?: number }): string {
  const parts = (Object.keys(verdictSigns) as Verdict[]).flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [`${count} ${verdictSigns[verdict].counted}`];
  });
  return parts.length === 0 ? 'no lines' : parts.join(', ');
}

/** `1 failed, 3 skipped, 2 created`: how the lines of an apply ended, and what became of those that settled. */
export function appliedText(lines: readonly { readonly state: string; readonly verdict: Verdict }[]): string {
  const count = new Map<string, number>();
  const words = ({ state, verdict }: { readonly state: string; readonly verdict: Verdict }): string =>
    state === 'settled' ? verdictSigns[verdict].done : state;
  for (const line of lines) count.set(words(line), (count.get(words(line)) ?? 0) + 1);
  const order = ['failed', 'refused', 'skipped', 'interrupted', 'waiting', ...Object.values(verdictSigns).map(({ done }) => done)];
  const ranked = [...count].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return ranked.length === 0 ? 'no lines' : ranked.map(([word, n]) => `${n} ${word}`).join(', ');
}

/** States in which a line has ended. */
const ended: ReadonlySet<string> = new Set(['settled', 'planned', 'refused', 'failed', 'skipped', 'interrupted', 'paused']);
/** States in which nothing has begun. */
const idle: ReadonlySet<string> = new Set(['waiting']);
/** States in which a line writes at its provider. A log tells of these and of ends: the others take no time, or a wait tells of them. */
const writing: ReadonlySet<string> = new Set(['creating', 'relocating', 'updating', 'sending', 'removing']);

export const hasEnded = (state: string): boolean => ended.has(state);
export const isIdle = (state: string): boolean => idle.has(state);
export const isQuiet = (state: string): boolean => state === 'planned' || !(writing.has(state) || ended.has(state));

/** `recordingIntent` → `recording intent`. */
export const stateWords = (state: string): string => state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
