import { describe, expect, it } from 'vitest';
import { oneLine, safeText, showJson } from './text.ts';

describe('text that others wrote', () => {
  it.each([
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['NUL and a bell', 'a\u0000b\u0007', 'a\\u0000b\\u0007'],
    ['a direction override', 'a\u202eb\u2066c\u061c', 'a\\u202eb\\u2066c\\u061c'],
    ['zero-width characters', 'a\u200bb\u200dc\ufeffd\u2060', 'a\\u200bb\\u200dc\\ufeffd\\u2060'],
    ['a soft hyphen and a filler', 'a\u00adb\u3164', 'a\\u00adb\\u3164'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['variation selectors', 'a\ufe0f\u{e0100}', 'a\\ufe0f\\u{e0100}'],
    ['lone surrogates', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['a non-character', 'a\uffffb', 'a\\uffffb'],
  ])('%s is shown by its number', (_, text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('keeps letters of any script, signs and whole emoji', () => {
    const text = 'Größe 大小 גודל حجم ñ \u{1f600} → §';
    expect(safeText(text)).toBe(text);
  });

  it('keeps line breaks, makes them spaces on one line, and makes tabs and carriage returns spaces', () => {
    expect(safeText('a\r\nb\tc')).toBe('a \nb c');
    expect(oneLine('a \r\n\n  b')).toBe('a b');
  });
});

describe('a value on one line', () => {
  it('is cut by columns, between letters, and says how long it is', () => {
    expect(showJson('abc')).toBe('"abc"');
    expect(showJson('\u{1f600}'.repeat(5), 4)).toBe('"\u{1f600}… (12 characters)');
    expect(showJson('a'.repeat(200))).toBe(`"${'a'.repeat(159)}… (202 characters)`);
  });
});
