import { findNormal, normalOf } from './normal-text.ts';
import { isOrdinaryRun, leastOf } from './ordinary.ts';
import { PackedText } from './packed-text.ts';
import { packedForms, secretParts, writtenForms } from './secret-forms.ts';
import { type Range, TextFinder } from './text-finder.ts';
import { textOf, type Units, unitsOf } from './text-units.ts';

/** Finds secrets in a text in any spelling: in the text as it is, in its normal form, and in the base64 and hex within it. */
export class SecretFinder {
  readonly #written = new TextFinder();
  readonly #normal = new TextFinder();
  #isEmpty = true;
  /** Length of the longest normal form. */
  #longest = 0;
  /** Whether a secret may stand in a number. */
  isInDigits = false;

  add(secret: string): void {
    this.#isEmpty = false;
    for (const part of secretParts(secret, TextFinder.shortest)) {
      const cut = part.slice(0, leastOf(part));
      for (const [form, least] of formsWithLeast(part, cut, writtenForms)) {
        this.#written.add(form, least);
        this.isInDigits ||= /^[-+.e\d]+$/.test(form);
      }
      // The end of a secret may look like the beginning of an escape, which the text behind the secret completes.
      const sure = normalOf(part.replace(openEnd, ''));
      // A secret may hold characters that read like an escape. They are none where something stands between them.
      const normals = (text: string) => [text, [...text].join(' '), ...packedForms(text)].map(normalOf);
      for (const [form, least] of formsWithLeast(part, cut, normals)) {
        this.#normal.add(form, form.startsWith(sure) ? Math.max(TextFinder.shortest, Math.min(least, sure.length)) : least);
        this.#longest = Math.max(this.#longest, form.length);
      }
    }
  }

  /** The ranges in order; overlapping ranges are one. */
  find(text: string): readonly Range[] {
    return this.#isEmpty || text.length < TextFinder.shortest ? [] : this.#findIn(unitsOf(text), 0);
  }

  #findIn(text: Units, depth: number): readonly Range[] {
    const ranges = [...this.#written.find(text)];
    for (const { from, to } of findNormal(text, this.#normal, this.#longest)) {
      // Words in other letters or spacing are words that texts have anyway. For them only the secret as written counts.
      if (!isOrdinaryRun(textOf(text, from, to))) ranges.push({ from, to });
    }
    if (depth < deepest) {
      const packed = new PackedText(text);
      if (packed.units.length > 0) for (const range of this.#findIn(packed.units, depth + 1)) ranges.push(packed.rangeOf(range));
    }
    return merged(ranges);
  }
}

/** Each form of a part, and how many first characters it shares with the form of the cut part. */
function* formsWithLeast(part: string, cut: string, formsOf: (text: string) => readonly string[]): Generator<readonly [string, number]> {
  const cuts = formsOf(cut);
  for (const [index, form] of formsOf(part).entries()) {
    if (form.length < TextFinder.shortest) continue;
    let least = 0;
    while (least < form.length && form.charCodeAt(least) === cuts[index]?.charCodeAt(least)) least += 1;
    yield [form, Math.max(least, TextFinder.shortest)];
  }
}

function merged(ranges: Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges;
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = all.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** How many layers of base64 and hex in one another are decoded. */
const deepest = 4;

/** An escape at the end of a secret that the next characters may complete. */
const openEnd =
  /(?:%(?:[0-9a-f]|u[0-9a-f]{0,3})?|=[0-9a-f]{0,2}|&(?:#x?[0-9a-f]{0,7}|[a-z]{0,20})|\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|[0-3][0-7]?)?)$/i;
