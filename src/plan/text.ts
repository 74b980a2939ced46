import { placedValue, type TextUse } from './placed-value.ts';

/** The use of a text, and the name that it stands under. */
export interface Spot {
  readonly use: TextUse;
  readonly name: string | null;
}

export const asData: Spot = { use: 'data', name: null };

/** A `${…}` of a text, or a text between two of them. `$${` is plain text: it stands for `${`. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `${ctx.scope}`; with `isClosed: false` where the `}` is missing. */
  | { readonly kind: 'context'; readonly name: string; readonly source: string; readonly isClosed: boolean }
  /** `${database.url}`, `${FOO}`, `${{shared.HOST}}`. `name` is the text between the braces. */
  | { readonly kind: 'mention'; readonly name: string; readonly source: string; readonly isClosed: boolean };

const pattern = /\$\$\{|\$\{\{[^{}\n]*\}\}|\$\{([^{}\n]*)(\}|)/g;

/** Splits a text of the plan at its `${…}`. */
export function partsOfText(source: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = '';
  const endPlain = (): void => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
  };
  let from = 0;
  for (const match of source.matchAll(pattern)) {
    const [whole, inner, end] = match;
    plain += source.slice(from, match.index);
    from = match.index + whole.length;
    if (whole === '$${') {
      plain += '${';
      continue;
    }
    endPlain();
    const name = (inner ?? whole.slice(2, -1)).trim();
    const kind = /^(?:ctx|context)(?![\w-])/i.test(name) ? 'context' : 'mention';
    parts.push({ kind, name, source: whole, isClosed: inner === undefined || end === '}' });
  }
  plain += source.slice(from);
  endPlain();
  return parts;
}

/** Whether a text holds a `${…}`: it was written for this plan and not copied from a provider. */
export const mentionsValue = (text: string): boolean => text.includes('${') && partsOfText(text).some(({ kind }) => kind !== 'text');

/** A text, and whether it was put in for a `${…}`. */
export interface WrittenPart {
  readonly text: string;
  readonly isValue: boolean;
}

/**
 * The parts as they stand in the text: each value that was put in is encoded for its place in an address, and plain text stays as it is. A
 * value that begins the text with a scheme is the address itself: `${preview.url}/api`.
 */
export function placedParts(parts: readonly WrittenPart[], spot: Spot): readonly string[] {
  let before = '';
  return parts.map(({ text, isValue }) => {
    const isStart = before === '' && /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
    const placed = isValue && !isStart ? placedValue(before, before.length, spot)(text) : text;
    // A value decides nothing of the form of the address behind it. `placedValue` takes this for a value of the plan's text.
    before += isValue && !isStart ? '${}' : text;
    return placed;
  });
}
