import type { Verdict } from '../engine/document.ts';
import type { Tone } from './styles.ts';

export interface VerdictSign {
  readonly glyph: string;
  /** The word beside one line. */
  readonly word: string;
  readonly tone: Tone;
  /** The word after a number in the summary of a plan. */
  readonly counted: string;
  /** The word for an applied line, and after a number of applied lines. */
  readonly done: string;
}

/** The look of each verdict, in the order of the summary line. The set is closed, so a reader learns the glyphs once. */
export const verdictSigns: { readonly [verdict in Verdict]: VerdictSign } = {
  create: { glyph: '+', word: 'create', tone: 'add', counted: 'to create', done: 'created' },
  claim: { glyph: '<', word: 'claim', tone: 'add', counted: 'to claim', done: 'claimed' },
  adopt: { glyph: '<', word: 'adopt', tone: 'add', counted: 'to adopt', done: 'adopted' },
  update: { glyph: '~', word: 'update', tone: 'change', counted: 'to update', done: 'updated' },
  replace: { glyph: '-/+', word: 'replace', tone: 'change', counted: 'to replace', done: 'replaced' },
  reconcile: { glyph: '~', word: 'reconcile', tone: 'change', counted: 'to reconcile', done: 'reconciled' },
  rename: { glyph: '~', word: 'rename', tone: 'change', counted: 'to rename', done: 'renamed' },
  record: { glyph: '~', word: 'record', tone: 'change', counted: 'to record', done: 'recorded' },
  redeploy: { glyph: '>', word: 'redeploy', tone: 'change', counted: 'to redeploy', done: 'redeployed' },
  send: { glyph: '>', word: 'send', tone: 'add', counted: 'to send', done: 'sent' },
  delete: { glyph: '-', word: 'delete', tone: 'remove', counted: 'to delete', done: 'deleted' },
  forget: { glyph: '-', word: 'forget', tone: 'quiet', counted: 'to forget', done: 'forgotten' },
  pending: { glyph: '?', word: 'pending', tone: 'warn', counted: 'pending', done: 'pending' },
  keep: { glyph: '=', word: 'keep', tone: 'quiet', counted: 'kept', done: 'kept' },
  none: { glyph: '=', word: 'none', tone: 'quiet', counted: 'unchanged', done: 'unchanged' },
  refused: { glyph: '!', word: 'refused', tone: 'bad', counted: 'refused', done: 'refused' },
  failed: { glyph: '!', word: 'failed', tone: 'bad', counted: 'failed', done: 'failed' },
};

/** `2 to create, 1 unchanged`, or `no lines`. */
export function summaryText(counts: { readonly [verdict in Verdict]?: number }): string {
  const parts = (Object.keys(verdictSigns) as Verdict[]).flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [`${count} ${verdictSigns[verdict].counted}`];
  });
  return parts.length === 0 ? 'no lines' : parts.join(', ');
}

/** `1 failed, 3 skipped, 2 created`: counts the lines of an apply by their state, and settled lines by their result. */
export function appliedText(lines: readonly { readonly state: string; readonly verdict: Verdict }[]): string {
  const count = new Map<string, number>();
  const words = ({ state, verdict }: { readonly state: string; readonly verdict: Verdict }): string =>
    state === 'settled' ? verdictSigns[verdict].done : state;
  for (const line of lines) count.set(words(line), (count.get(words(line)) ?? 0) + 1);
  const order = ['failed', 'refused', 'skipped', 'interrupted', 'waiting', ...Object.values(verdictSigns).map(({ done }) => done)];
  const ranked = [...count].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return ranked.length === 0 ? 'no lines' : ranked.map(([word, n]) => `${n} ${word}`).join(', ');
}

/** The states of a line that has ended. */
const ended: ReadonlySet<string> = new Set(['settled', 'planned', 'refused', 'failed', 'skipped', 'interrupted', 'paused']);
/** The states of a line that has not begun. */
const idle: ReadonlySet<string> = new Set(['waiting']);
/** States in which a line writes at its provider. A log tells of these and of ends: the others take no time, or a wait tells of them. */
const writing: ReadonlySet<string> = new Set(['creating', 'relocating', 'updating', 'sending', 'removing']);

export const hasEnded = (state: string): boolean => ended.has(state);
export const isIdle = (state: string): boolean => idle.has(state);
export const isQuiet = (state: string): boolean => state === 'planned' || !(writing.has(state) || ended.has(state));

/** `recordingIntent` → `recording intent`. */
export const stateWords = (state: string): string => state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
