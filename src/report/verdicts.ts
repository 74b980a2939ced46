import type { Verdict } from './document.ts';
import type { Tone } from './styles.ts';

export interface VerdictSign {
  readonly glyph: string;
  /** What is said of one line. */
  readonly word: string;
  readonly tone: Tone;
  /** What the summary line says after a number. */
  readonly counted: string;
}

/** How each verdict looks: a closed set, so that a reader learns the glyphs once. In the order of the summary line. */
export const verdictSigns: { readonly [verdict in Verdict]: VerdictSign } = {
  create: { glyph: '+', word: 'create', tone: 'add', counted: 'to create' },
  claim: { glyph: '<', word: 'claim', tone: 'add', counted: 'to claim' },
  adopt: { glyph: '<', word: 'adopt', tone: 'add', counted: 'to adopt' },
  update: { glyph: '~', word: 'update', tone: 'change', counted: 'to update' },
  replace: { glyph: '-/+', word: 'replace', tone: 'change', counted: 'to replace' },
  reconcile: { glyph: '~', word: 'reconcile', tone: 'change', counted: 'to reconcile' },
  send: { glyph: '>', word: 'send', tone: 'add', counted: 'to send' },
  delete: { glyph: '-', word: 'delete', tone: 'remove', counted: 'to delete' },
  forget: { glyph: '-', word: 'forget', tone: 'quiet', counted: 'to forget' },
  pending: { glyph: '?', word: 'pending', tone: 'warn', counted: 'pending' },
  keep: { glyph: '=', word: 'keep', tone: 'quiet', counted: 'kept' },
  none: { glyph: '=', word: 'none', tone: 'quiet', counted: 'unchanged' },
  refused: { glyph: '!', word: 'refused', tone: 'bad', counted: 'refused' },
  failed: { glyph: '!', word: 'failed', tone: 'bad', counted: 'failed' },
};

/** `2 to create, 1 unchanged`; `nothing to do` where there is no line. */
export function summaryText(counts: { readonly [verdict in Verdict]?: number }): string {
  const parts = (Object.keys(verdictSigns) as Verdict[]).flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [`${count} ${verdictSigns[verdict].counted}`];
  });
  return parts.length === 0 ? 'no lines' : parts.join(', ');
}
