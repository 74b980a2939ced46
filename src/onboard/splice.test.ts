import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Adapter } from '../ops/op.ts';
import type { DraftedBlock, DraftedLine, DraftProvider } from './draft.ts';
import { renderLine } from './render.ts';
import { splice } from './splice.ts';

const adapter = (name: string): Adapter => ({
  name,
  title: name,
  docs: '',
  provider: { base_url: null, auth: { bearer_env: 'X_TOKEN' } },
  ops: {},
});
const own: DraftProvider = { adapter: adapter('neon'), isRecipe: false };
const family: DraftProvider = { adapter: adapter('okta'), isRecipe: true };

const line = (id: string, provider = own): DraftedLine => ({
  id,
  provider,
  op: 'branch',
  comment: 'Why it is there.',
  params: [
    ['name', { value: 'shop-${ctx.scope}' }],
    ['project_id', { value: 'your-neon-project-id', todo: 'look there.' }],
  ],
  dependsOn: [],
  isVariable: false,
  aside: null,
});
const block = (provider: DraftProvider): DraftedBlock => ({
  provider,
  keys: [['base_url', { value: 'https://your-tenant.example.com', todo: 'the tenant.' }]],
  isAside: false,
});
const drafted = { id: 'database', adapter: 'neon', op: 'branch', name: 'shop-${ctx.scope}', project_id: 'your-neon-project-id' };

describe('a line that is added', () => {
  it.each([
    ['after the last one', 'version: 1\nchanges:\n  - id: a\n    adapter: x\n', [{ id: 'a', adapter: 'x' }]],
    ['in the indent of those before', 'changes:\n- id: a # why\n  adapter: x\n', [{ id: 'a', adapter: 'x' }]],
    ['at a far indent', 'changes:\n      - id: a\n        adapter: x\n', [{ id: 'a', adapter: 'x' }]],
    ['where the file has no end of line', 'changes:\n  - id: a\n    adapter: x', [{ id: 'a', adapter: 'x' }]],
    [
      'before keys that follow',
      'changes:\n  - id: a\n    adapter: x\n\n# Where receipts go.\nreceipts: local\n',
      [{ id: 'a', adapter: 'x' }],
    ],
    ['before a comment that ends the list', 'changes:\n  - id: a\n    adapter: x\n  # - id: b\n', [{ id: 'a', adapter: 'x' }]],
    ['to an empty list', 'version: 1\nchanges: [] # nothing yet\nreceipts: local\n', []],
    ['to no list', 'version: 1\nchanges:\n', []],
    ['to a list of comments', 'changes:\n  # - id: b\n', []],
    ['to a plan without changes', 'version: 1\n', []],
    ['after a text of several rows', 'changes:\n  - id: a\n    adapter: |\n      x\n      y\n', [{ id: 'a', adapter: 'x\ny\n' }]],
    ['with Windows line ends', 'changes:\r\n  - id: a\r\n    adapter: x\r\n', [{ id: 'a', adapter: 'x' }]],
  ])('stands %s', (_, text, before) => {
    const after = splice(text, [line('database')], [], { file: 'p', environment: null });
    expect(parse(after)).toEqual({ ...parse(text), changes: [...before, drafted] });
    expect(after).toContain('# Why it is there.');
    expect(after).toContain('project_id: your-neon-project-id # TODO: look there.');
    // All old text is still there, unchanged.
    let rest = after;
    for (const row of text.replace('changes: [] #', 'changes: #').split('\n')) {
      const at = rest.indexOf(row);
      expect(at, row).toBeGreaterThanOrEqual(0);
      rest = rest.slice(at + row.length);
    }
  });

  it('keeps the line ends of the file', () => {
    expect(splice('changes:\r\n  - id: a\r\n', [line('b')], [], { file: 'p', environment: null })).not.toMatch(/(?<!\r)\n/);
  });

  it.each([
    ['changes: [{ id: a }]\n', 'in brackets'],
    ['- a\n', 'not a valid plan'],
    ['changes: [\n', 'not a valid plan'],
  ])('is refused if %j cannot take it', (text, words) => {
    expect(() => splice(text, [line('database')], [], { file: 'release.plan.yaml', environment: null })).toThrow(words);
  });
});

describe('a line that stands in the plan as a comment', () => {
  const aside = (id: string, provider = own): string => renderLine({ ...line(id, provider), aside: 'It needs a value.' }, { indent: '  ' });
  const options = { file: 'p', environment: null };

  it.each([
    ['between lines', `changes:\n  - id: a\n    adapter: x\n\n${aside('database')}\n\n  - id: c\n    adapter: y\n`, ['a', 'database', 'c']],
    ['after lines', `changes:\n  - id: a\n    adapter: x\n\n${aside('database')}\n`, ['a', 'database']],
    ['alone', `changes:\n${aside('database')}\n`, ['database']],
    ['with Windows line ends', `changes:\n${aside('database')}\n`.replaceAll('\n', '\r\n'), ['database']],
    ['beside another comment', `changes:\n${aside('other')}\n\n${aside('database')}\n`, ['database']],
  ])('takes the place of the comment %s', (_, text, ids) => {
    const after = splice(text, [line('database')], [], options);
    expect(parse(after).changes.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(after).not.toContain('# - id: database');
    expect(after).not.toContain('# Why it is there. It needs a value.\n  - id');
    expect(after.includes('# - id: other')).toBe(text.includes('# - id: other'));
  });

  it('follows at the end where its comment stands outside of the list, and the comment goes', () => {
    const text = `version: 1\n\n${aside('database')}\n\nchanges:\n  - id: a\n    adapter: x\n`;
    const after = splice(text, [line('database')], [], options);
    expect(parse(after).changes.map(({ id }: { id: string }) => id)).toEqual(['a', 'database']);
    expect(after).not.toContain('# - id: database');
  });

  it('takes the block of its provider with it', () => {
    const text = `version: 1\n\n# providers:\n#   http:\n#     okta:\n#       base_url: https://your-tenant.example.com # TODO: the tenant.\n\nchanges:\n${aside('database', family)}\n`;
    const after = splice(text, [line('database', family)], [block(family)], options);
    expect(parse(after).providers).toEqual({ http: { okta: { base_url: 'https://your-tenant.example.com' } } });
    expect(after).not.toMatch(/^# +(?:providers|http|okta):/m);
  });

  it('says that it is for previews where the plan has other environments', () => {
    const after = splice(`changes:\n${aside('database')}\n`, [line('database')], [], { file: 'p', environment: 'preview' });
    expect(parse(after).changes[0].environments).toEqual(['preview']);
  });
});

describe('a block that is added', () => {
  it.each([
    ['at the top, before changes', 'version: 1\n\n# Lines.\nchanges: []\n', {}],
    ['beside others', 'providers:\n  vercel: { team_id: t }\nchanges: []\n', { vercel: { team_id: 't' } }],
    ['below an empty key', 'providers:\nchanges: []\n', {}],
    [
      'beside other APIs',
      'providers:\n  http:\n    a:\n      base_url: https://a.test # hm\nchanges: []\n',
      { http: { a: { base_url: 'https://a.test' } } },
    ],
  ])('stands %s', (_, text, before: Record<string, object>) => {
    const after = parse(splice(text, [line('database', family)], [block(own), block(family)], { file: 'p', environment: null }));
    const added = { base_url: 'https://your-tenant.example.com' };
    expect(after.providers).toEqual({ ...before, neon: added, http: { ...before.http, okta: added } });
    expect(after.changes).toHaveLength(1);
  });

  it('does not replace the block that a person wrote for this provider', () => {
    const text = 'providers:\n  neon: { base_url: "https://mine.test" }\nchanges: []\n';
    expect(parse(splice(text, [], [block(own)], { file: 'p', environment: null })).providers).toEqual({
      neon: { base_url: 'https://mine.test' },
    });
  });

  it('is refused if the other blocks stand in braces', () => {
    expect(() =>
      splice('providers: { vercel: { team_id: t } }\nchanges: []\n', [], [block(own)], { file: 'p', environment: null }),
    ).toThrow('in brackets');
  });
});
