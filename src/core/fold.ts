/** Nothing stays of the character. */
export const dropped = 0;
/** The character may begin an escape, or is part of a character of several units. */
export const special = 1;
const unknown = 2;

/** The normal form of each unit outside an escape. Values below `plain` have no form here: the caller must look closer. */
export const plain = 3;
export const unitFolds = new Uint16Array(1 << 16).fill(unknown);
for (let code = 0; code < 0x80; code += 1) unitFolds[code] = asciiFold(code);
unitFolds.fill(special, 0x80, 0x100);
unitFolds.fill(special, 0xd800, 0xe000);

function asciiFold(code: number): number {
  const character = String.fromCharCode(code);
  if ('%&\\=\u001b'.includes(character)) return special;
  // Quotes come and go with the syntax around. `+`, `-` and `_` differ between the alphabets of base64, and `+` may be a space.
  if (code <= 0x20 || code === 0x7f || '"\'`+-,'.includes(character)) return dropped;
  return (character === '_' ? '/' : character.toLowerCase()).charCodeAt(0);
}

/** The normal form of a unit outside an escape, or `dropped`, or `special`. */
export function unitFold(code: number): number {
  const fold = unitFolds[code] ?? special;
  return fold === unknown ? learn(code) : fold;
}

function learn(code: number): number {
  const folded = foldOf(code);
  const first = folded.charCodeAt(0);
  const fold = folded === '' ? dropped : folded.length === 1 && first >= 0x80 ? first : special;
  unitFolds[code] = fold;
  return fold;
}

const known = new Map<number, string>();

/** The normal form of any character: its letter without case, marks and width. Invisible characters, dashes and quotes leave nothing. */
export function foldOf(point: number): string {
  const seen = known.get(point);
  if (seen !== undefined) return seen;
  const spelled = String.fromCodePoint(point).normalize('NFKD').toUpperCase().toLowerCase();
  const folded = point === 0x241b ? '\u001b' : spelled.replace(/[\p{M}\p{C}\p{Z}\p{Pd}\p{Pi}\p{Pf}]/gu, '');
  known.set(point, folded);
  return folded;
}

/** The same of a unit from 0x80 on that is no byte of another character; `special` where more than one unit stays. */
export function latinFold(code: number): number {
  return latinFolds[code] ?? special;
}

const latinFolds = Uint16Array.from({ length: 0x100 }, (_, code) => {
  const folded = code < 0x80 ? '' : foldOf(code);
  return folded.length === 1 && folded.charCodeAt(0) >= 0x61 ? folded.charCodeAt(0) : special;
});
