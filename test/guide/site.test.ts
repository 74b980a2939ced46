import { beforeAll, describe, expect, it } from 'vitest';
import { literalBraces } from '../../scripts/site/literal-braces.ts';
import { sitePage } from '../../scripts/site/page.ts';
import { addressOf, placeOf } from '../../scripts/site/places.ts';
import { type SidebarItem, sidebarsOf } from '../../scripts/site/sidebar.ts';
import { sitePages } from '../../scripts/site/stage.ts';

const repository = {
  isPage: (path: string) => path.endsWith('.md') && !path.includes('.svg'),
  isFile: (path: string) => /\.(ts|svg)$/.test(path),
  isFolder: (path: string) => path === 'test',
};
const read = (markdown: string) => sitePage('docs/guide/a.md', 'guide/a.md', markdown, repository);

describe('a page of the site', () => {
  it('leads to pages by their address there, with the anchor', () => {
    expect(read('[x](../errors.md#usage), [`y`](../recipes/README.md) and [z](../../README.md#try-it)').text).toBe(
      '[x](/errors#usage), [`y`](/recipes/) and [z](/#try-it)',
    );
  });

  it('takes files of the repository along as text, and shows what else is named without a link', () => {
    const { text, files } = read('[test](../../test/a.test.ts), [folder](../../test)');
    expect(text).toBe('[test](/source/test/a.test.ts.txt){target="_self"}, folder');
    expect(files).toEqual(['test/a.test.ts']);
  });

  it('shows pictures of the repository, and keeps one that is a link', () => {
    const { text, files } = read('[![a plan](../pictures/plan.svg)](../trace.md) and ![a run](../pictures/run.svg)');
    expect(text).toBe('[![a plan](/source/docs/pictures/plan.svg)](/trace) and ![a run](/source/docs/pictures/run.svg)');
    expect(files).toEqual(['docs/pictures/plan.svg', 'docs/pictures/run.svg']);
    expect(read('[![a plan](../pictures/plan.svg)](../../test)').text).toBe('![a plan](/source/docs/pictures/plan.svg)');
  });

  it('is refused with a link that leads nowhere', () => {
    expect(() => read('[gone](../../gone)')).toThrow('docs/guide/a.md: the link to ../../gone leads nowhere.');
  });

  it('leaves code, anchors of its own and other sites as they are', () => {
    const code = '`[a](b.md)`\n\n```md\n[a](b.md)\n```\n\n[c](https://c.example/d)';
    expect(read(code).text).toBe(code);
    expect(read('[here](#here)').text).toBe('[here](/guide/a#here)');
  });

  it('has its diagrams as pictures, named after what they stand under', () => {
    const { text, pictures } = read('# T\n\n## A `run`\n\n```mermaid\nflowchart LR\n  a --> b\n```\n');
    expect(text).toContain('![Diagram: A run](/pictures/guide-a-1.svg){.light}');
    expect(pictures.map(({ name }) => name)).toEqual(['guide-a-1']);
    expect(pictures[0]?.dark).not.toBe(pictures[0]?.light);
  });
});

describe('double braces', () => {
  it('stand on a page as they are, in text and in code: Vue would run what is between them', () => {
    const rules: Parameters<typeof literalBraces>[0]['renderer']['rules'] = { code_inline: ([token]) => `<code>${token?.content}</code>` };
    literalBraces({ renderer: { rules }, utils: { escapeHtml: (text) => text.replaceAll('<', '&lt;') } });
    const token = { content: '<${{shared.HOST}}' };
    expect(rules.text?.([token], 0)).toBe('&lt;$&#123;&#123;shared.HOST}}');
    expect(rules.code_inline?.([token], 0)).toBe('<code><$&#123;&#123;shared.HOST}}</code>');
  });
});

describe('the site', () => {
  let site: Awaited<ReturnType<typeof sitePages>>;
  beforeAll(async () => {
    site = await sitePages();
  });

  it('has a place of its own for every page', () => {
    expect(new Set(site.pages.map(({ place }) => place)).size).toBe(site.pages.length);
    expect(placeOf('docs/guide/quick-start.md')).toBe('guide/quick-start.md');
    expect(placeOf('CHANGELOG.md')).toBeNull();
    expect(addressOf('index.md')).toBe('/');
  });

  it('has pictures that ask nobody for anything', () => {
    const pictures = site.pages.flatMap(({ pictures }) => pictures);
    expect(pictures.length).toBeGreaterThan(5);
    for (const { light, dark } of pictures) {
      expect((light + dark).replaceAll('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:\/\/|@import|<script/);
    }
  });

  it('has every page in a sidebar, but the two that all pages lead to', () => {
    const linksOf = (items: readonly SidebarItem[]): string[] =>
      items.flatMap(({ link, items: inner }) => [...(link === undefined ? [] : [link]), ...linksOf(inner ?? [])]);
    const linked = new Set(Object.values(sidebarsOf(site.titles)).flatMap(linksOf));
    const left = site.pages.map(({ place }) => addressOf(place)).filter((address) => !linked.has(address));
    expect(left).toEqual(['/']);
  });
});
