import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { externalLinks } from '../../scripts/docs/external-links.ts';
import { readLink } from '../../scripts/docs/links.ts';
import { pageTexts } from '../../scripts/docs/page-paths.ts';
import { type ReadPage, readPage } from '../../scripts/docs/read-page.ts';
import { slugOf } from '../../scripts/docs/slugs.ts';
import { root } from '../../scripts/tasks.ts';

let pages: ReadonlyMap<string, ReadPage> = new Map();
beforeAll(async () => {
  pages = new Map([...(await pageTexts())].map(([path, text]) => [path, readPage(text)]));
});

describe('links of the pages', () => {
  it('lead to files and anchors that are there', () => {
    const dead: string[] = [];
    for (const [from, { links }] of pages) {
      for (const href of links) {
        const link = readLink(href, from);
        if (link.kind === 'external') continue;
        const isThere = link.path !== '..' && !link.path.startsWith('../') && existsSync(join(root, link.path));
        const target = pages.get(link.path) ?? pages.get(`${link.path}/README.md`);
        if (!isThere || (link.anchor !== '' && target && !target.anchors.has(link.anchor))) dead.push(`${from}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  it('to other sites stand in docs/external-links.json, each with a date, and nothing else does', async () => {
    const listed: Record<string, string> = JSON.parse(await readFile(join(root, 'docs/external-links.json'), 'utf8'));
    const fix = 'run `node scripts/docs.ts`';
    expect(Object.keys(listed).toSorted(), fix).toEqual(await externalLinks());
    for (const date of Object.values(listed)) expect(date).toMatch(/^2\d{3}-[01]\d-[0-3]\d$/);
  });

  it('leave no page alone: each of docs is reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const from of reached) {
      for (const href of pages.get(from)?.links ?? []) {
        const link = readLink(href, from);
        if (link.kind === 'external') continue;
        for (const path of [link.path, `${link.path}/README.md`]) if (pages.has(path)) reached.add(path);
      }
    }
    expect([...pages.keys()].filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  });
});

describe('a page that is taken apart', () => {
  it('has the anchors that code hosts give', () => {
    expect(slugOf('`op: resource`: one object')).toBe('op-resource-one-object');
    expect(slugOf('Order & rate, 2 of them')).toBe('order--rate-2-of-them');
    const { anchors } = readPage('# A `b`\n\n## Twice\n\n## Twice\n\n| x |\n| - |\n| <a id="here"></a>y |\n');
    expect([...anchors].toSorted()).toEqual(['a-b', 'here', 'twice', 'twice-1']);
  });

  it('has the links of lists, tables and running text, and none of code', () => {
    const { links } = readPage(
      '- [a](a.md)\n\n| x |\n| - |\n| [b](b.md#c) |\n\nhttps://c.example and `[d](d.md)`\n\n```md\n[e](e.md)\n```\n',
    );
    expect(links).toEqual(['a.md', 'b.md#c', 'https://c.example']);
  });

  it('has its code blocks, with why one is not checked and where it stands', () => {
    const { blocks } = readPage('# H\n\n<!-- not checked: why -->\n\n```yaml title\na: 1\n```\n\n- x\n  ```sh\n  ls\n  ```\n');
    expect(blocks).toEqual([
      { language: 'yaml', text: 'a: 1', unchecked: 'why', under: 'H' },
      { language: 'sh', text: 'ls', unchecked: null, under: 'H' },
    ]);
  });

  it('has links that are read from where it stands', () => {
    expect(readLink('../README.md#try-it', 'docs/guide/a.md')).toEqual({ kind: 'internal', path: 'docs/README.md', anchor: 'try-it' });
    expect(readLink('#here', 'docs/a.md')).toEqual({ kind: 'internal', path: 'docs/a.md', anchor: 'here' });
    expect(readLink('https://a.example/b#c', 'a.md')).toEqual({ kind: 'external', address: 'https://a.example/b#c' });
  });
});
