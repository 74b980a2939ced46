import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { isMap } from '../../src/core/json.ts';
import { Sealed } from '../../src/core/sealed.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { http } from '../../src/ops/generic/index.ts';
import type { BindContext, Op } from '../../src/ops/op.ts';
import { type SubjectTemplate, subjectNames, subjectOf } from '../../src/ops/subject.ts';
import { Composed, FromRef, SecretRef } from '../../src/plan/types.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { Pending, type Value } from '../../src/remote/value.ts';
import { widthOf } from '../../src/report/width.ts';

/** Every operation must name its object by the params that identify it: two lines that differ in one of them are two objects. */

type Params = { readonly [name: string]: Value };

const values: { readonly [name: string]: string } = {
  'ctx.scope': 'pr-12',
  'ctx.pr.number': '12',
  'ctx.git.branch': 'feature/checkout',
  'ctx.git.sha': '8a1f'.repeat(10),
};

/** A param of an example with the context of a run in it. */
function filled(value: unknown): Value {
  if (typeof value === 'string') return value.replace(/\$\{([a-z.]+)\}/g, (_, name: string) => values[name] ?? name);
  if (Array.isArray(value)) return value.map(filled);
  if (!isMap(value)) return value as Value;
  if (typeof value.from === 'string') return `from-${value.from}`;
  if (typeof value.secret === 'string') return new Sealed('hunter2-hunter2', value.secret);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item)]));
}

const generic: { readonly [name: string]: Params } = {
  resource: {
    find: { path: '/hooks', list_path: '/data', match: { name: 'pr-12' } },
    create: { path: '/hooks' },
    delete: { path: '/hooks/{id}' },
  },
  list_item: {
    parent: { path: '/apps/{app}', method: 'PATCH' },
    with: { app: 'shop' },
    list_path: '/callbacks',
    item: 'https://pr-12.example.com',
  },
  action: { trigger: { revision: 'abc' }, request: { url: 'https://pr-12.example.com/api/sync' } },
};

interface Case {
  readonly name: string;
  readonly op: Op;
  readonly given: Params;
  /** The base URL of its API; empty where each line names its own address. */
  readonly base: string;
}

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const all: readonly Case[] = [
  ...subjects.flatMap(({ name, adapter, ops }) =>
    ops.map((one): Case => {
      const defaults = Object.entries(one.op.params).flatMap(([param, spec]) =>
        spec.default === undefined ? [] : [[param, spec.default]],
      );
      return {
        name: `${name}.${one.name}`,
        op: one.op,
        base: adapter.provider.base_url ?? '',
        given: { ...Object.fromEntries(defaults), ...(filled(one.example) as Params) },
      };
    }),
  ),
  ...Object.entries(http.ops).map(
    ([name, op]): Case => ({ name: `http.${name}`, op, base: 'https://api.example.com', given: generic[name] ?? {} }),
  ),
];

const contextOf = (base: string): BindContext => ({
  block: { api: 'shop', base_url: base, auth: null, settings: {} },
  environment: 'preview',
  scope: 'pr-12',
  sha: '5'.repeat(40),
  branch: 'feature/checkout',
  api: null,
});

function keyOf({ op, base }: Case, params: Params): string | null {
  try {
    return op.bind(params, contextOf(base)).key;
  } catch {
    return null;
  }
}

/** Other values of a param: what identifies the object shows in the key of at least one. */
function others(op: Op, name: string, given: Value | undefined): readonly Value[] {
  const spec = op.params[name];
  const listed = (spec?.enum ?? []).filter((one) => one !== given) as Value[];
  if (typeof given === 'boolean') return [!given];
  if (typeof given === 'number') return [given + 1];
  if (typeof given === 'string') return [...listed, `${given}x`, given.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (c) => (c === '7' ? '8' : '7'))];
  if (Array.isArray(given)) return [...listed.map((one) => [one]), ['other']];
  return [...listed, ...(spec?.type === 'boolean' ? [true] : ['other'])];
}

describe('the subject of an operation', () => {
  it('is there for every one', () => {
    expect(all.length).toBeGreaterThanOrEqual(93);
    expect(all.filter(({ op }) => op.subject === undefined).map(({ name }) => name)).toEqual([]);
  });

  it.each(all.filter(({ op }) => !op.open))('names the params that identify its object: $name', (one) => {
    const { op, given } = one;
    const template = op.subject as SubjectTemplate;
    const key = keyOf(one, given);
    expect(key).not.toBeNull();
    const identifying = Object.keys(op.params).filter((name) =>
      others(op, name, given[name]).some((value) => {
        const other = keyOf(one, { ...given, [name]: value });
        return other !== null && other !== key;
      }),
    );
    const named = new Set(subjectNames(template).map((name) => name.split('.')[0]));
    expect(identifying.filter((name) => !named.has(name))).toEqual([]);
  });

  it.each(all)('differs where an identifying param differs, holds no secret, and fits a narrow terminal: $name', ({ op, given }) => {
    const text = subjectOf(op.subject ?? '', given);
    expect(text).not.toBe('');
    expect(text).not.toMatch(/hunter2|\{|\}|undefined|\[object|, ,|,$|^\s|\s$/);
    expect(widthOf(text)).toBeLessThanOrEqual(74);
  });

  it.each(all.filter(({ op }) => !op.open))('names only params that a line may give, and none that is secret: $name', ({ op }) => {
    for (const name of subjectNames(op.subject ?? '').map((one) => one.split('.')[0] ?? '')) {
      expect(Object.keys(op.params)).toContain(name);
      expect(op.params[name]?.secret).not.toBe(true);
    }
  });
});

describe('a subject', () => {
  const template = '{key} of {project}, {target}[, branch {git_branch}]';
  const place = { file: 'release.plan.yaml', line: 1, column: 1 };

  it('leaves out the part of a param that a line does not give', () => {
    const given = { key: 'DATABASE_URL', project: 'shop', target: ['preview'] };
    expect(subjectOf(template, given)).toBe('DATABASE_URL of shop, preview');
    expect(subjectOf(template, { ...given, git_branch: 'feature/x' })).toBe('DATABASE_URL of shop, preview, branch feature/x');
    expect(subjectOf(template, { ...given, git_branch: '' })).toBe('DATABASE_URL of shop, preview');
  });

  it('shows a value that is not known yet as its reference', () => {
    const given = { key: 'A', project: new FromRef('shop', 'id', place), target: [new Pending('site', 'target')], git_branch: 'x' };
    expect(subjectOf(template, given)).toBe('A of (from shop.id), (from site.target), branch x');
  });

  it('shows a text with values of other lines as the plan has it', () => {
    const parts = [
      { text: 'https://', source: 'https://', isValue: false },
      new FromRef('preview', 'hostname', place),
      new SecretRef('env://A', place),
    ];
    const url = new Composed(parts as Composed['parts'], { use: 'text', name: null } as unknown as Composed['spot'], place);
    expect(subjectOf('{url}{path}', { url, path: '/hook' })).toBe('https://${preview.hostname}${env://A}/hook');
  });

  it('never shows a secret, in whatever form it stands', () => {
    const sealed = new Sealed('hunter2', 'env://A');
    const given = { key: sealed, project: { a: sealed }, target: [new SecretRef('env://A', place)], git_branch: sealed };
    expect(subjectOf(template, given)).toBe('(secret) of a=(secret), (secret)');
  });

  it('knows no member of a prototype', () => {
    expect(subjectOf('{constructor}[, {a.constructor}]', { a: {} })).toBe('');
  });

  it('shortens a commit and a UUID, and fills in the names of a generic path', () => {
    expect(subjectOf('{a}', { a: '8a1f'.repeat(10) })).toBe('8a1f8a1f8a1f');
    expect(subjectOf('{a}', { a: '8d4b1d3e-6f2a-4c58-9b7e-1a2b3c4d5e6f' })).toBe('8d4b1d3e…');
    expect(subjectOf('{path}', { path: '/apps/{app}/{+rest}/{id}', with: { app: 'shop', rest: 'a/b' } })).toBe('/apps/shop/a/b/{id}');
  });
});
