const names: { readonly [code: number]: string } = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow' };
const inks = [31, 32, 33];
/** What ends which. */
const ends: { readonly [code: number]: readonly number[] } = { 22: [1, 2], 31: inks, 32: inks, 33: inks, 39: inks };

/** A screen with its colours in words, `{red}! failed{}`: versions of tmux write the same colours in different ways. */
export function withColorsInWords(screen: string): string {
  const on = new Set<number>();
  let told = '';
  let text = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  for (const part of screen.split(/(\u001b\[[\d;]*m)/)) {
    const codes = part.startsWith('\u001b[') ? part.slice(2, -1).split(';').map(Number) : null;
    if (codes) {
      for (const code of codes) {
        if (code === 0) on.clear();
        for (const ended of ends[code] ?? []) on.delete(ended);
        if (code in names) on.add(code);
      }
      continue;
    }
    for (const letter of part) {
      const style = [...on].toSorted((a, b) => a - b).map((code) => names[code]);
      const now = style.join(' ');
      // A colour is seen on letters only.
      if (letter.trim() !== '' && now !== told) {
        text += `{${now}}`;
        told = now;
      }
      text += letter;
    }
  }
  return text;
}
