import { describe, expect, it } from 'vitest';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import { allVerdicts, apply } from './documents.ts';
import { hostileDocuments, hostileOptions } from './hostile-documents.ts';
import { hostileOf, hostileTexts } from './hostile-texts.ts';
import { expectInert } from './inert-page.ts';

const links = ['https://ci.example.com/', 'https://docs.example.com/'];

describe.each(Object.entries(hostileDocuments))('hostile text in every place of the document: %s', (_, document) => {
  it.each(hostileTexts.map((text) => [text]))('%j is not interpreted', (text) => {
    expectInert(markdownOf(document(text), hostileOptions(text)), { links });
  });

  it('two hundred kilobytes of it in all, whole', () => {
    const places = JSON.stringify(document('a place')).split('a place').length;
    const text = hostileOf(200_000 / places);
    const page = markdownOf(document(text), { ...hostileOptions(text), longest: Number.POSITIVE_INFINITY });
    expect(page.length).toBeGreaterThan(200_000);
    expect(page).not.toContain('Left out here');
    expectInert(page, { links });
  });

  it.each([2_000, 65_536])('two hundred kilobytes of it in every place, cut to %i bytes', (longest) => {
    const text = hostileOf(200_000);
    const page = markdownOf(document(text), { ...hostileOptions(text), longest });
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(longest);
    expect(page).toContain('Left out here');
    expectInert(page, { links });
  });
});

describe('what the page itself may link', () => {
  it.each(['javascript:alert(1)', 'https://a.test/"onmouseover="x', 'https://a.test/\n\n# x', 'https://u:p@a.test/', '  '])(
    'not an address of the run like %j',
    (url) => {
      const page = markdownOf({ ...allVerdicts, outputs: {} }, { longest: 65_000, runUrl: url, traceUrl: url, errorsUrl: url });
      expect(page).not.toContain('<a ');
    },
  );

  it('a hostile list of addresses as outputs gives no link but plain ones', () => {
    const values = Object.fromEntries(hostileTexts.map((text, at) => [`o${at}`, text]));
    const page = markdownOf(apply({ outputs: { line: { ...values, good: 'https://shop.example.app/a' } } }), { longest: 1_000_000 });
    expectInert(page, { links: ['https://shop.example.app/a'] });
    expect(page.match(/<a /g)).toHaveLength(1);
  });
});
