import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Detect } from '../ops/detect.ts';
import type { Adapter, Op } from '../ops/op.ts';
import { type ComposeFacts, compose, type Seen } from './compose.ts';
import type { Draft } from './draft.ts';
import { renderPlan } from './render.ts';

const op = (...required: readonly string[]): Op => ({
  kind: 'object',
  doc: 'What it is.',
  params: Object.fromEntries(
    required.map((name) => [name, { type: 'string', required: true, doc: `The ${name}.`, todo: `where ${name} is.` }]),
  ),
  outputs: {},
  bind: () => {
    throw new Error('a draft is not bound');
  },
});

function seen(name: string, ops: Adapter['ops'], detect: Detect, more: Partial<Seen> & { readonly isRecipe?: boolean } = {}): Seen {
  const adapter: Adapter = { name, title: name.toUpperCase(), docs: '', provider: { base_url: null, auth: null }, ops, detect };
  return { provider: { adapter, isRecipe: more.isRecipe === true }, ids: more.ids ?? {}, unclear: more.unclear ?? {} };
}

const database = (name: string, rank: number, more: Partial<Seen> & { readonly isRecipe?: boolean } = {}): Seen =>
  seen(
    name,
    { branch: op('project', 'name') },
    {
      uses: { hosts: ['.db.test'] },
      database: { rank, variables: [{ names: ['DATABASE_URL'], value: { from: 'database.uri' } }] },
      draft: [{ id: 'database', op: 'branch', comment: 'A branch.', params: { name: '${repository}-${ctx.scope}' }, part: 'database' }],
    },
    more,
  );
const host = (name = 'host', rank = 1, more: Partial<Seen> = {}): Seen =>
  seen(
    name,
    { env: op('project', 'key', 'value'), deploy: op('project') },
    {
      hosting: { rank, url: { from: 'preview.url' }, host: { from: 'preview.host' } },
      draft: [
        {
          id: 'variable',
          op: 'env',
          comment: 'The build sees it.',
          params: { key: { of: 'variable.key' }, value: { of: 'variable.value' } },
          part: 'variable',
        },
        { id: 'preview', op: 'deploy', comment: 'The preview.', params: {}, part: 'deployment' },
      ],
    },
    more,
  );
const signIn = (more: Partial<Seen> & { readonly isRecipe?: boolean } = {}): Seen =>
  seen(
    'auth',
    { redirect: op('url') },
    { draft: [{ id: 'sign-in', op: 'redirect', comment: 'Sign-in.', params: { url: { of: 'preview.url' } } }] },
    more,
  );

const facts: ComposeFacts = { repository: 'shop', names: { configured: ['DATABASE_URL'], named: [] } };
const drafted = (all: readonly Seen[], more: Partial<ComposeFacts> = {}): Draft => compose(all, { ...facts, ...more });
const rows = ({ lines }: Draft): readonly string[] =>
  lines.map(({ id, provider, aside }) => `${aside === null ? '' : '# '}${provider.adapter.name} ${id}`);
const param = ({ lines }: Draft, id: string, name: string) =>
  lines.find((line) => line.id === id)?.params.find(([one]) => one === name)?.[1];

describe('a first plan', () => {
  it('has the database, its variable, the deployment, and the lines that need its address, in this order', () => {
    const draft = drafted([signIn(), host(), database('neon', 1)]);
    expect(rows(draft)).toEqual(['neon database', 'host database-url', 'host preview', 'auth sign-in']);
    expect(param(draft, 'database-url', 'value')).toEqual({ value: { from: 'database.uri' } });
    expect(draft.lines[2]?.dependsOn).toEqual(['database-url']);
    expect(param(draft, 'sign-in', 'url')).toEqual({ value: { from: 'preview.url' } });
    expect(param(draft, 'database', 'name')).toEqual({ value: 'shop-${ctx.scope}' });
  });

  it('has no line for a provider that the repository does not use', () => {
    expect(rows(drafted([host()]))).toEqual(['host preview']);
    expect(rows(drafted([]))).toEqual([]);
    expect(parse(renderPlan(drafted([]), { schema: null }))).toEqual({ version: 1, changes: [] });
  });

  it('has only the preferred database; others are comments', () => {
    const draft = drafted([database('mysql', 2), database('neon', 1), host()]);
    expect(rows(draft)).toEqual(['neon database', '# mysql database-mysql', 'host database-url', 'host preview']);
    expect(draft.lines[1]?.aside).toContain('NEON');
  });

  it('hands the address to every host, and takes the preview of the first', () => {
    const draft = drafted([host('second', 2), host('first', 1), database('neon', 1), signIn()]);
    expect(rows(draft)).toEqual([
      'neon database',
      'first database-url',
      'first preview',
      'second database-url-second',
      'second preview-second',
      'auth sign-in',
    ]);
    expect(param(draft, 'sign-in', 'url')).toEqual({ value: { from: 'preview.url' } });
  });

  it('has the ids that files hold, and a placeholder with a hint for each missing id', () => {
    const draft = drafted([database('neon', 1, { ids: { project: 'quiet-river' } }), host()]);
    expect(param(draft, 'database', 'project')).toEqual({ value: 'quiet-river' });
    expect(param(draft, 'preview', 'project')).toEqual({ value: 'your-host-project', todo: 'where project is.' });
  });

  it('names all values if files hold several', () => {
    const draft = drafted([host('host', 1, { unclear: { project: ['web', 'docs'] } })]);
    expect(param(draft, 'preview', 'project')?.todo).toMatch(/^one of web, docs, .*where project is\.$/);
  });

  it('has the keys that a block needs, from files or as placeholders', () => {
    const tenant = seen(
      'auth',
      { redirect: op() },
      {
        provider: { base_url: { text: 'https://your-tenant.test', todo: 'the tenant.' }, team: { text: 'mine' } },
        draft: [{ id: 'sign-in', op: 'redirect', comment: 'Sign-in.', params: {} }],
      },
      { ids: { 'provider.team': 'theirs' } },
    );
    expect(parse(renderPlan(drafted([tenant]), { schema: null })).providers).toEqual({
      auth: { team: 'theirs', base_url: 'https://your-tenant.test' },
    });
  });

  it('says that the name of a variable is a guess if no file has it', () => {
    const draft = drafted([database('neon', 1), host()], { names: { configured: [], named: [] } });
    expect(param(draft, 'database-url', 'key')).toEqual({ value: 'DATABASE_URL', check: expect.stringContaining('your code') });
  });
});

describe('a line of a recipe', () => {
  it('is ready when no value is missing', () => {
    expect(rows(drafted([host(), signIn({ isRecipe: true })]))).toEqual(['host preview', 'auth sign-in']);
  });

  it('is a comment while a value is missing, and so is a line that refers to it', () => {
    const draft = drafted([database('turso', 4, { isRecipe: true }), host()]);
    expect(rows(draft)).toEqual(['# turso database', '# host database-url', 'host preview']);
    expect(draft.lines[1]?.aside).toBe('It needs database.');
    expect(draft.lines[2]?.dependsOn).toEqual([]);
  });

  it('is a comment if no host gives the address of the preview', () => {
    const draft = drafted([signIn({ isRecipe: true })]);
    expect(rows(draft)).toEqual(['# auth sign-in']);
    expect(param(draft, 'sign-in', 'url')?.todo).toContain('address of the preview');
    // The parser must not read the TODO of a comment as the TODO of the next value.
    expect(parse(renderPlan(draft, { schema: null }))).toEqual({ version: 1, changes: null });
  });
});

describe('a webhook whose secret the build reads', () => {
  const payments = (more: Partial<Seen> & { readonly isRecipe?: boolean } = {}, ...required: readonly string[]): Seen =>
    seen(
      'payments',
      { webhook: op('url', ...required) },
      {
        variables: [{ names: ['HOOK_SECRET'], value: { from: 'hook.secret' } }],
        draft: [{ id: 'hook', op: 'webhook', comment: 'A hook.', params: { url: { of: 'preview.url' } } }],
      },
      more,
    );
  const addressed = (): Seen => {
    const { provider, ...rest } = host();
    const { detect, ops } = provider.adapter;
    const [variable, deploy] = detect?.draft ?? [];
    if (!detect?.hosting || !variable || !deploy) throw new Error('the host drafts both');
    const address = { id: 'address', op: 'address', comment: 'The address.', params: {}, part: 'address' } as const;
    const before = { url: { from: 'address.url' }, host: { from: 'address.hostname' } };
    const draft = [variable, { ...deploy, withAddress: { address: { from: 'address.hostname' } } }, address];
    const adapter = {
      ...provider.adapter,
      ops: { ...ops, address: op() },
      detect: { ...detect, hosting: { ...detect.hosting, before }, draft },
    };
    return { ...rest, provider: { ...provider, adapter } };
  };
  const names = { configured: [], named: [{ name: 'HOOK_SECRET', hosts: [] }] };

  it('takes the address from before the build, and the deployment is held against it', () => {
    const draft = drafted([payments(), addressed(), signIn()], { names });
    expect(rows(draft)).toEqual(['host address', 'payments hook', 'host hook-secret', 'host preview', 'auth sign-in']);
    expect(param(draft, 'hook', 'url')).toEqual({ value: { from: 'address.url' } });
    expect(param(draft, 'hook-secret', 'value')).toEqual({ value: { from: 'hook.secret' } });
    expect(param(draft, 'preview', 'address')).toEqual({ value: { from: 'address.hostname' } });
    expect(draft.lines[3]?.dependsOn).toEqual(['hook-secret']);
    expect(param(draft, 'sign-in', 'url')).toEqual({ value: { from: 'preview.url' } });
  });

  it('comes after the build where no file names the variable, and then nobody needs the address', () => {
    const draft = drafted([payments(), addressed()]);
    expect(rows(draft)).toEqual(['host preview', 'payments hook']);
    expect(param(draft, 'preview', 'address')).toBeUndefined();
  });

  it('is a comment with its variable while a value is missing, and the deployment stays', () => {
    const draft = drafted([payments({ isRecipe: true }, 'id'), addressed()], { names });
    expect(rows(draft)).toEqual(['host address', '# payments hook', '# host hook-secret', 'host preview']);
    expect(draft.lines[3]?.dependsOn).toEqual([]);
  });

  it('gives its secret to the host that has the address alone', () => {
    const draft = drafted([payments(), addressed(), host('other', 2)], { names });
    expect(rows(draft).filter((row) => row.includes('hook-secret'))).toEqual(['host hook-secret']);
  });

  it('makes comments of address lines that only comments need', () => {
    const own = addressed();
    const { hosting } = own.provider.adapter.detect ?? {};
    if (hosting) Object.assign(hosting, { url: hosting.before?.url });
    const draft = drafted([own, signIn({ isRecipe: true }), payments({ isRecipe: true }, 'id')]);
    expect(rows(draft)).toEqual(['host address', 'host preview', 'auth sign-in', '# payments hook']);
    expect(rows(drafted([own, payments({ isRecipe: true }, 'id')]))).toEqual(['# host address', 'host preview', '# payments hook']);
  });
});

it('a flag is always a comment', () => {
  const flags = seen('flags', { rule: op() }, { draft: [{ id: 'flag', op: 'rule', comment: 'A flag.', params: {}, part: 'flags' }] });
  expect(rows(drafted([flags, host()]))).toEqual(['host preview', '# flags flag']);
});

it('a placeholder that occurs several times is filled in once', () => {
  const text = renderPlan(drafted([host(), database('neon', 1)]), { schema: './s.json' });
  expect(text.match(/your-host-project/g)).toHaveLength(1);
  expect(parse(text).changes.map(({ project }: { project: string }) => project)).toEqual([
    'your-neon-project',
    'your-host-project',
    'your-host-project',
  ]);
  expect(text.startsWith('# yaml-language-server: $schema=./s.json\n')).toBe(true);
});

it('lines beside an existing plan refer to its ids, and take no id twice', () => {
  const draft = drafted([host(), database('neon', 1), signIn()], {
    standing: { ids: new Map([['host.deploy', 'site']]), taken: ['site', 'database'] },
  });
  expect(rows(draft)).toEqual(['neon database-neon', 'host database-url', 'host site', 'auth sign-in']);
  expect(param(draft, 'sign-in', 'url')).toEqual({ value: { from: 'site.url' } });
  expect(param(draft, 'database-url', 'value')).toEqual({ value: { from: 'database-neon.uri' } });
});
