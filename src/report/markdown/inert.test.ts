import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inert, inertBlock, inertLines } from './inert.ts';

/** The text that a browser shows for the element. */
const shown = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

describe('text that nothing interprets', () => {
  it.each([
    ['pr-12', '<code>pr-12</code>'],
    ['<img src=x onerror=alert(1)>', '<code>&#60;img src&#61;x onerror&#61;alert&#40;1&#41;&#62;</code>'],
    ['</code><b>', '<code>&#60;&#47;code&#62;&#60;b&#62;</code>'],
    ['&lt;', '<code>&#38;lt&#59;</code>'],
    ['[a](b)', '<code>&#91;a&#93;&#40;b&#41;</code>'],
    ['a|b', '<code>a&#124;b</code>'],
    ['`a`', '<code>&#96;a&#96;</code>'],
    ['\\|', '<code>&#92;&#124;</code>'],
    ['::set-output name=a::b', '<code>&#58;<wbr>&#58;<wbr>set-output name&#61;a&#58;<wbr>&#58;<wbr>b</code>'],
    ['##[error]x', '<code>&#35;&#35;&#91;error&#93;x</code>'],
    ['', '(empty)'],
    [' \n ', '(empty)'],
  ])('%j is written %j', (text, html) => {
    expect(inert(text)).toBe(html);
  });

  it.each([
    ['someone@example.com', 'someone&#64;<wbr>example.com'],
    ['mailto:someone', 'mailto&#58;<wbr>someone'],
    ['WWW.example.com', 'WWW<wbr>.example.com'],
    ['https://a.b', 'https&#58;<wbr>&#47;&#47;a.b'],
  ])('splits %s, because some parsers look for addresses after they resolve references', (text, html) => {
    expect(inert(text)).toBe(`<code>${html}</code>`);
  });

  it('keeps right-to-left letters from turning the text beside them', () => {
    expect(inert('גודל')).toBe('<code dir="auto">גודל</code>');
    expect(inert('Größe')).toBe('<code>Größe</code>');
  });

  it('keeps a few lines as lines, and joins many into one', () => {
    expect(inertLines('a\n\n b ')).toBe('<code>a</code><br><code>b</code>');
    expect(inertLines('a\n'.repeat(30))).toMatch(/^<code>a a[^<]*<\/code>$/);
  });

  it('keeps the spaces of a block', () => {
    expect(inertBlock(['+ a', '', '    /b:  "</pre>"'])).toBe('<pre>&#43; a\n\n    &#47;b&#58;  &#34;&#60;&#47;pre&#62;&#34;</pre>');
  });

  it('is one element of letters, digits, references and <wbr> for any text, and reads the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const html = inert(text);
        if (html === '(empty)') return;
        expect(html).toMatch(
          /^<code(?: dir="auto")?>(?:[A-Za-z0-9 .,-]|[^\p{ASCII}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|&#\d{2,3};|<wbr>)*<\/code>$/u,
        );
        if (/^[!-~]+$/.test(text)) expect(shown(html)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('is cut between characters to the bytes it may take, and says so', () => {
    const hostile = fc.string({ unit: fc.constantFrom('@a', ':x', 'www.', '<', '\u{1f600}', 'é', '\u202e', 'a'), maxLength: 200 });
    fc.assert(
      fc.property(hostile, fc.integer({ min: 20, max: 400 }), (text, longest) => {
        const inside = inert(text, longest).replace(/^<code[^>]*>|<\/code>$/g, '');
        expect(Buffer.byteLength(inside)).toBeLessThanOrEqual(longest);
        if (inside !== inert(text).replace(/^<code[^>]*>|<\/code>$/g, '')) expect(inside).toMatch(/…$/);
      }),
    );
  });
});
