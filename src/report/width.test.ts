import { describe, expect, it, vi } from 'vitest';
import { cutEnd, cutMiddle, isWithin, padTo, widthOf, wrapped } from './width.ts';

describe('columns in a terminal', () => {
  it.each([
    ['plain', 5],
    ['Größe', 5],
    ['Ελλάδα … Россия “a”', 19],
    ['大小', 4],
    ['ﾊﾝｶｸ', 4],
    ['한글', 4],
    ['e\u0301tat', 4],
    ['\u{1f600}', 2],
    ['\u{1f44d}\u{1f3fd}', 2],
    ['\u{1f1eb}\u{1f1f7}', 2],
    ['', 0],
  ])('%s takes %i', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('count when text is padded, not characters', () => {
    expect(padTo('大小', 6)).toBe('大小  ');
    expect(padTo('longer', 3)).toBe('longer');
  });

  it('hold a text that was cut, and no letter is halved', () => {
    expect(cutEnd('大小大小', 5)).toBe('大小…');
    expect(cutEnd('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(cutEnd('fits', 4)).toBe('fits');
    expect(cutEnd('any', 0)).toBe('');
    for (let room = 0; room < 12; room += 1) {
      expect(widthOf(cutEnd('ab大\u{1f600}cd小ef', room))).toBeLessThanOrEqual(room);
      expect(widthOf(cutMiddle('ab大\u{1f600}cd小ef', room))).toBeLessThanOrEqual(room);
    }
  });

  it.each(['ab大\u{1f600}cd小ef', 'e\u0301tat', 'plain', ''])('hold %s exactly when it takes no more of them', (text) => {
    const width = widthOf(text);
    expect([isWithin(text, width - 1), isWithin(text, width), isWithin(text, width + 1)]).toEqual([false, true, true]);
  });

  it('end the reading of a text once they are full', () => {
    let read = 0;
    const whole = Intl.Segmenter.prototype.segment;
    vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
      const segments = whole.call(this, text);
      const counting = function* (): Generator<Intl.SegmentData, undefined> {
        for (const segment of segments) {
          read += 1;
          yield segment;
        }
      };
      return { containing: (at) => segments.containing(at), [Symbol.iterator]: counting };
    });
    expect([cutEnd('大'.repeat(1_000), 5), isWithin('大'.repeat(1_000), 5)]).toEqual(['大大…', false]);
    expect(read).toBeLessThan(12);
    vi.restoreAllMocks();
  });

  it('cut a name in its middle, because names differ most at their ends', () => {
    expect(cutMiddle('database-url-preview', 13)).toBe('databa…review');
  });

  it('break text between words, and inside a word that is too long', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('see https://example.com/a', 10)).toEqual(['see https:', '//example.', 'com/a']);
    expect(wrapped('大小 大小', 5)).toEqual(['大小', '大小']);
    expect(wrapped('', 5)).toEqual(['']);
  });
});
