import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { isMap, type Json } from '../../src/core/json.ts';
import { Sealed } from '../../src/core/sealed.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { renderPlan } from '../../src/onboard/render.ts';
import type { Bound, Params } from '../../src/ops/bound.ts';
import type { Detect, DraftLine, Given } from '../../src/ops/detect.ts';
import type { Adapter, Op } from '../../src/ops/op.ts';
import { readParams } from '../../src/ops/params.ts';
import { resolveBlock } from '../../src/ops/provider.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import type { Value } from '../../src/remote/value.ts';
import { draftFor } from '../support/drafts.ts';
import { failuresOf, readText } from '../support/read-plan.ts';

/** What `init` writes of a provider is data: here every word of it is held against the operations that it speaks of. */
const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const providers = subjects.map(({ kind, name, adapter }) => ({ title: `${kind} ${name}`, kind, adapter, detect: adapter.detect ?? {} }));
const drafting = providers.filter(({ detect }) => detect.draft);
/** Their first plan is that of the built-in adapter of the same name. */
const withoutDraft = ['recipe cloudflare', 'recipe vercel'];

it('every provider has a part in a first plan', () => {
  const without = providers.filter(({ detect }) => !detect.draft);
  expect(without.map(({ title }) => title)).toEqual(withoutDraft);
});

const lines = drafting.flatMap(({ title, adapter, detect }) =>
  (detect.draft ?? []).map((line) => ({ title: `${title}: ${line.id}`, adapter, detect, line })),
);

const opOf = (adapter: Adapter, line: DraftLine): Op => {
  const op = adapter.ops[line.op];
  if (!op) throw new Error(`${adapter.name} has no operation ${line.op}`);
  return op;
};

describe.each(lines)('the draft of $title', ({ title, adapter, detect, line }) => {
  it('is a line of an operation that there is, with params that it has', () => {
    const known = Object.keys(opOf(adapter, line).params);
    for (const param of [line.params, line.withAddress ?? {}, line.check ?? {}, line.todo ?? {}].flatMap((map) => Object.keys(map))) {
      expect(known).toContain(param);
    }
    // A hint speaks of a value, and each value has one.
    for (const param of Object.keys({ ...line.check, ...line.todo })) expect(Object.keys(line.params)).toContain(param);
    // Words that a file holds fill the placeholder, and then its check stands in place of its todo.
    expect(Object.keys(line.check ?? {}).filter((param) => line.todo?.[param] && !line.words?.[param])).toEqual([]);
  });

  it('says of each value that it leaves out where a person finds it', () => {
    for (const [param, spec] of Object.entries(opOf(adapter, line).params)) {
      if (spec.required && !(param in line.params)) expect(spec.todo ?? spec.doc, param).toMatch(/\S{2}/);
    }
  });

  it('says in one short sentence why it is there', () => {
    expect(line.comment).toMatch(/^[A-Z][^\n]*\.$/);
    expect(line.comment).not.toMatch(/\. |TODO|CHECK/);
    expect(line.comment.length).toBeLessThanOrEqual(130);
    for (const hint of Object.values({ ...line.check, ...line.todo })) expect(hint).toMatch(/^\S[^\n#]*\.$/);
  });

  it('refers to lines and outputs of its own provider', () => {
    for (const reference of [...referencesIn(line.params), ...referencesIn(line.withAddress ?? {})])
      expectOutput(reference, adapter, detect);
    for (const hole of holesIn(line.params)) {
      const known = ['preview.url', 'preview.host', ...(line.part === 'variable' ? ['variable.key', 'variable.value'] : [])];
      expect(known).toContain(hole);
    }
  });

  it('has values of the form that they must have', () => {
    const op = opOf(adapter, line);
    const written = {
      version: 1,
      changes: [
        { id: 'a', adapter: 'x', op: 'y', ...filled(line.params) },
        { id: 'b', adapter: 'x', op: 'y' },
      ],
    };
    const [read] = readText(JSON.stringify(written)).plan.lines;
    if (!read) throw new Error('the plan has no line');
    const wrong = readParams(op, read).failures.filter(({ detail }) => !isExpected(detail, line));
    expect(wrong.map(({ detail }) => detail)).toEqual([]);
  });

  it('can be bound once its placeholders are filled in, and writes nothing of production', () => {
    const op = opOf(adapter, line);
    const bound = boundIn(12, adapter, line);
    expect('problems' in bound ? bound.problems : []).toEqual([]);
    expect(op.writesProduction?.(boundParams(op, line, 12)) ?? false).toBe(false);
  });

  it('names another object for each pull request, unless there is a reason', () => {
    const isOne = boundIn(12, adapter, line).key === boundIn(13, adapter, line).key;
    expect(isOne).toBe(title in mayShare);
  });
});

/** Drafts that may name one thing for all pull requests, each with its reason. */
const mayShare: Readonly<Record<string, string>> = {
  'recipe newrelic: deployment-marker': 'a marker belongs to nobody once it is sent',
  'recipe railway: variable': 'the environment is that of one pull request',
};

/** A param that is left out is a placeholder in the plan, and one with a TODO is in no form yet. */
const isExpected = (detail: string, line: DraftLine): boolean =>
  detail.startsWith('a lacks the param ') || Object.keys(line.todo ?? {}).some((param) => detail.startsWith(`a.${param} `));

const preview = {
  'preview.url': 'https://${ctx.scope}.example.com',
  'preview.host': '${ctx.scope}.example.com',
  'variable.key': 'DATABASE_URL',
};

function filled(params: DraftLine['params']): { readonly [param: string]: Json } {
  const visit = (value: Json): Json => {
    if (typeof value === 'string') return value.replaceAll('${repository}', 'shop');
    if (Array.isArray(value)) return value.map(visit);
    if (!isMap(value)) return value;
    if (value.of === 'variable.value') return { from: 'b.value' };
    if (typeof value.from === 'string') return { from: 'b.value' };
    if (typeof value.of === 'string') return preview[value.of as keyof typeof preview];
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  return Object.fromEntries(Object.entries(params).map(([param, value]) => [param, visit(value)]));
}

function boundIn(pull: number, adapter: Adapter, line: DraftLine): Bound {
  const op = opOf(adapter, line);
  const { scope, 'git.sha': sha, 'git.branch': branch } = factsOf(pull);
  return op.bind(boundParams(op, line, pull), { block: blockOf(adapter), environment: 'preview', scope, sha, branch });
}

const factsOf = (pull: number) => ({
  scope: `pr-${pull}`,
  'git.sha': String(pull).repeat(20),
  'git.branch': `feat/${pull}`,
  'pr.number': String(pull),
});

/** Every value as a run would have it; what only a person knows is the example of its param. */
function boundParams(op: Op, line: DraftLine, pull: number): Params {
  const own = Object.entries(filled(line.params)).map(([param, value]): [string, Value] => {
    if (!isReference(value)) return [param, withContext(value, pull)];
    return [param, op.params[param]?.secret ? new Sealed('a-long-random-text', 'b.value') : `pr-${pull}`];
  });
  const given = new Set(own.map(([param]) => param));
  const missing = Object.entries(op.params).flatMap(([param, { default: usual, required, example }]): [string, Value][] => {
    if (given.has(param) || (usual === undefined && !required)) return [];
    return [[param, usual ?? withContext(example === undefined || isReference(example) ? 'shop' : example, pull)]];
  });
  return Object.fromEntries([...own, ...missing]);
}

const isReference = (value: Json): boolean => isMap(value) && ('from' in value || 'secret' in value);

function withContext(value: Json, pull: number): Json {
  const facts: Readonly<Record<string, string>> = factsOf(pull);
  if (typeof value === 'string') return value.replaceAll(/\$\{ctx\.([a-z.]+)\}/g, (_, name: string) => facts[name] ?? '');
  if (Array.isArray(value)) return value.map((item) => withContext(item, pull));
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withContext(inner, pull)])) : value;
}

const blockOf = ({ name, provider }: Adapter) =>
  resolveBlock({
    name,
    defaults: provider.auth !== null && 'aws_v4' in provider.auth ? { ...provider, region: 'us-east-1' } : provider,
    entry: undefined,
    env: provider.auth === null ? {} : { [`${name.toUpperCase()}_API_URL`]: 'https://api.example.com' },
    baseless: provider.auth === null,
  });

function referencesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isMap(value)) return [];
  return typeof value.from === 'string' ? [value.from] : Object.values(value).flatMap(referencesIn);
}

function holesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(holesIn);
  if (!isMap(value)) return [];
  return typeof value.of === 'string' ? [value.of] : Object.values(value).flatMap(holesIn);
}

function expectOutput(reference: string, adapter: Adapter, detect: Detect): void {
  const [id, output = ''] = reference.split('.');
  const line = detect.draft?.find((one) => one.id === id);
  expect(line, reference).toBeDefined();
  if (line) expect(Object.keys(opOf(adapter, line).outputs), reference).toContain(output);
}

describe.each(providers)('what init knows of $title', ({ adapter, detect }) => {
  it('has drafts of names that differ', () => {
    // Two of one name are never written together: each says where it is for.
    const ids = (detect.draft ?? []).map(({ id, where }) => `${id} ${where ?? ''}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('finds ids of params that its drafts or its block have', () => {
    const settings = ['base_url', 'region', ...Object.keys(adapter.provider.settings ?? {})].map((key) => `provider.${key}`);
    const params = (detect.draft ?? []).flatMap((line) => Object.keys(opOf(adapter, line).params));
    for (const { param, pattern } of detect.ids ?? []) {
      expect([...settings, ...params]).toContain(param);
      expect(() => new RegExp(pattern ?? '', 'u')).not.toThrow();
    }
    for (const key of Object.keys(detect.provider ?? {})) expect(settings).toContain(`provider.${key}`);
  });

  it('tells the address of a preview with https:// and without a slash at its end', () => {
    const { url, host, before } = detect.hosting ?? {};
    if (url) expectAddress(url, /^https:\/\/[^/]+$/);
    if (host) expectAddress(host, /^[^/:]+$/);
    expect(url !== undefined || host === undefined).toBe(true);
    for (const given of Object.values(before ?? {})) expectAddress(given, /^/);
  });

  it('hands the outputs of its own lines to the build', () => {
    for (const { names, value } of [...(detect.database?.variables ?? []), ...(detect.variables ?? [])]) {
      for (const reference of referencesIn(value)) expectOutput(reference, adapter, detect);
      for (const name of names) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
    }
    const isDatabase = (detect.draft ?? []).some(({ part }) => part === 'database');
    expect(detect.database !== undefined).toBe(isDatabase);
  });

  function expectAddress(given: Given, form: RegExp): void {
    if ('from' in given) {
      expectOutput(given.from, adapter, detect);
      return;
    }
    expect(given.text).toMatch(form);
    // An address of which nothing is left to fill in is made of the run's own facts.
    if (given.todo === undefined) expect(given.text).not.toContain('your-');
    else expect(given.text).toContain('your-');
  }
});

const tenants = drafting.filter(({ adapter }) => adapter.provider.base_url === null && adapter.provider.auth !== null);

it.each(tenants)('$title, whose customers have addresses of their own, is drafted with one to fill in', ({ detect }) => {
  expect(detect.provider?.base_url).toMatchObject({
    text: expect.stringMatching(/^https:\/\/.*your-/),
    todo: expect.stringMatching(/\.$/),
  });
});

it.each(['hosting', 'database'] as const)('no two providers have the same rank as a %s', (role) => {
  const ranks = providers.flatMap(({ detect }) => detect[role]?.rank ?? []);
  expect(ranks.length).toBeGreaterThan(5);
  expect(new Set(ranks).size).toBe(ranks.length);
});

it('the database of a plan is preferred in the order of the specification, and so is its host', () => {
  const inOrder = (role: 'hosting' | 'database') =>
    providers
      .filter(({ detect }) => detect[role])
      .toSorted((a, b) => (a.detect[role]?.rank ?? 0) - (b.detect[role]?.rank ?? 0))
      .map(({ adapter }) => adapter.name);
  expect(inOrder('database').slice(0, 3)).toEqual(['neon', 'planetscale', 'supabase']);
  expect(inOrder('hosting').slice(0, 3)).toEqual(['vercel', 'netlify', 'cloudflare']);
});

it('flags of every provider of flags are examples', () => {
  const flags = ['launchdarkly', 'configcat', 'flagsmith', 'growthbook', 'posthog', 'split', 'statsig', 'unleash'];
  const parts = flags.map((name) => providers.find(({ adapter }) => adapter.name === name)?.detect.draft?.map(({ part }) => part));
  expect(parts).toEqual(flags.map(() => ['flags']));
});

describe.each(drafting)('a first plan for $title', ({ kind, adapter, detect }) => {
  const own = { adapter, isRecipe: kind === 'recipe' };
  const named = (name: string) => drafting.find((one) => one.adapter.name === name && one.kind !== 'recipe')?.adapter;
  const hosts = detect.hosting ? [adapter.name] : ['', 'vercel', 'netlify'];

  it.each(hosts.map((host) => ({ host, on: host || 'no host' })))('on $on lacks nothing but what is marked', ({ host }) => {
    const known = host === adapter.name ? own : { adapter: named(host), isRecipe: false };
    const database = named('neon');
    // A host gets the values of a database.
    const services = detect.hosting && database ? [own, { adapter: database, isRecipe: false }] : [own];
    const draft = draftFor(services, known.adapter ? { ...known, adapter: known.adapter } : null);
    const text = renderPlan(draft, { schema: null });
    const ids = draft.lines.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(failuresOf(text).map(({ code }) => code))).toEqual(new Set(text.match(/^[^#]+# TODO/m) ? ['PLAN_TODO'] : []));
  });
});
