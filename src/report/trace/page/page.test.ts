import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../engine/document.ts';
import { machineSources } from '../../../machines/sources.ts';
import type { PageData } from './data.ts';
import { traceHtml } from './page.ts';
import { readPageFiles } from './page-files.ts';

const files = readPageFiles();
const html = (events: readonly RunEvent[], title = 'apply preview/pr-12'): string =>
  traceHtml(events, { about: { title, version: '1.2.3', errors: [] }, machines: machineSources, files });
const note = (text: string): RunEvent => ({ type: 'note', line: 'db', text, at: 1 });

/** Elements whose text is never read as markup, by the name of the element. */
const between = (page: string, start: string, end: string): string => {
  const from = page.indexOf(start) + start.length;
  return page.slice(from, page.indexOf(end, from));
};
const dataOf = (page: string): PageData => JSON.parse(between(page, '<script type="application/json" id="data">', '</script>'));

describe('trace.html', () => {
  it('runs only its own script and style, and sends no request', () => {
    const page = html([]);
    const policy = between(page, 'http-equiv="Content-Security-Policy" content="', '"').split('; ');
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toEqual([
      "default-src 'none'",
      `script-src ${hash(files.script)}`,
      `style-src ${hash(files.style)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(between(page, '<style>', '</style>')).toBe(files.style);
    expect(page).toContain(`<script>${files.script}</script>`);
    expect(page).not.toMatch(/\s(?:src|href|on[a-z]+|style)=/);
    expect(files.script).not.toMatch(/\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  });

  it('is small without its data', () => {
    expect(Buffer.byteLength(html([]))).toBeLessThan(150_000);
  });

  it.each(['</script><script>alert(1)</script>', '<!--', '<script', '\u2028\u2029', '"quoted" \\u003c & \u0000'])(
    'holds %j as data',
    (text) => {
      const page = html([note(text)]);
      expect(dataOf(page).events).toEqual([note(text)]);
      // The notice for browsers without scripts, the data, and the script.
      expect(page.match(/<\/?script/g)).toHaveLength(4);
      expect(page).not.toContain('<!--');
      expect(page).not.toMatch(/[\u2028\u2029]/);
    },
  );

  it('shows its title as text', () => {
    expect(html([], '<b>"&')).toContain('<title>&#60;b&#62;&#34;&#38; · pilotfish</title>');
  });

  it('has the pictures of all machines', () => {
    expect(dataOf(html([])).charts.map(({ name }) => name)).toEqual(['line', 'parent', 'readiness', 'coordinator']);
  });
});
