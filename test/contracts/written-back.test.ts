import { accounts } from 'pilotfish-sandbox/accounts/index';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { isMap } from '../../src/core/json.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import type { Http } from '../../src/http/types.ts';
import type { Params } from '../../src/ops/bound.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { applyEntries, readParent } from '../../src/remote/parent.ts';
import type { ParentSpec } from '../../src/remote/parent-spec.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { type Content, type Contract, openContract } from './contract.ts';
import { contractsFolder, skipReason } from './expect.ts';
import { isJson } from './media-type.ts';
import { refusedMembers, wholeValue } from './members.ts';

/**
 * A line of a list writes the entries of others back as it read them. A provider shows members that it does not take, such as ids and times
 * of its own. Here each parent has every member that its description shows, and a write must hold none that the description refuses.
 */
interface List {
  readonly title: string;
  readonly provider: string;
  readonly parent: ParentSpec;
  readonly item: string;
}

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const folder = contractsFolder();

/** What a run would have in place of references and of its own facts. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(/\$\{ctx\.[^}]*\}/g, 'pr-12');
  if (Array.isArray(value)) return value.map(plain);
  if (!isMap(value)) return value;
  if ('from' in value || 'secret' in value) return 'value-of-another';
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
};

/** What is not held to the description, with the reason. */
const reasons: Readonly<Record<string, string>> = {
  'launchdarkly.flag_target': 'A write holds instructions, and no entry.',
  's3.bucket_cors': 'The document is XML, which has no other members in a read than in a write.',
};

/** Members of entries that nobody can write back: the provider refuses every write of their list, and the run tells its words. */
const unwritable: Readonly<Record<string, readonly string[]>> = {
  // The description reads rules of the kinds `experiment` and `contextual-bandit-ref`, and has no form in which one could be written.
  'growthbook.force_rule': [
    '/rules/*/fallbackAttribute',
    '/rules/*/disableStickyBucketing',
    '/rules/*/bucketVersion',
    '/rules/*/minBucketVersion',
    '/rules/*/namespace',
    '/rules/*/contextualBanditId',
  ],
};

const lists = subjects.flatMap(({ name: provider, adapter, ops }) =>
  ops.flatMap(({ name, op, example }): List[] => {
    if (op.kind !== 'item') return [];
    const block = { api: provider, base_url: adapter.provider.base_url ?? 'https://api.example', auth: adapter.provider.auth };
    const facts = { environment: 'preview', scope: 'pr-12', sha: 'a'.repeat(40), branch: 'feature' };
    const { reach } = op.bind(plain(example) as Params, { block, ...facts });
    return reach?.kind === 'item' ? [{ title: `${provider}.${name}`, provider, parent: reach.parent, item: reach.item }] : [];
  }),
);
const held = lists.filter(({ title }) => !Object.hasOwn(reasons, title));

/** The members of a write that the description refuses, where the read shows all that it can. */
async function refusedOf({ provider, parent, item }: List): Promise<readonly string[]> {
  const open = accounts[provider];
  if (!open) throw new Error(`nobody has an account at ${provider}`);
  const { simulation } = open({ clock: new LeapingClock(), tokens: { full: 'a-token' }, plan: '', pull: 12 });
  const contract: Contract = openContract(simulation.name, folder ?? '');
  const at = (path: string): string => `${simulation.basePath}${path}`.split('?')[0] ?? '';
  const read = contract.find(parent.read_method ?? 'GET', at(parent.read_path ?? parent.path));
  const write = contract.find(parent.method, at(parent.path));
  if (!read || !write) throw new Error(`the description has no ${read ? 'write' : 'read'} of ${parent.path}`);
  const shown = wholeValue(jsonOf(read.operation.answers['200']), (schema) => contract.resolve(schema, 'answer'));
  const answer = { status: 200, headers: { 'content-type': 'application/json', etag: '"1"' }, body: shown };
  const http = { send: () => Promise.resolve(answer) } as unknown as Http;
  const collection = await readParent(http, parent, { signal: new AbortController().signal });
  const entry = parent.key_field === undefined ? item : {};
  const { body } = applyEntries(collection, parent, [{ item, entry }]);
  return refusedMembers(body, [jsonOf(write.operation.body?.content)], (schema) => contract.resolve(schema, 'request'));
}

const jsonOf = (content: Content = {}): unknown => Object.entries(content).find(([type]) => isJson(type))?.[1];

it('every list of an operation is held to its description, or says why not', () => {
  expect(Object.keys(reasons).filter((title) => lists.every((list) => list.title !== title))).toEqual([]);
  expect(held.length).toBeGreaterThan(15);
});

describe.skipIf(folder === null)(folder === null ? skipReason : 'entries of others', () => {
  it.each(held)('$title: a write holds no member that the provider shows and does not take', async (list) => {
    expect(await refusedOf(list)).toEqual(unwritable[list.title] ?? []);
  });

  it('a parent that drops nothing is told', async () => {
    const told = held.filter(({ parent }) => parent.drop).map((list) => refusedOf({ ...list, parent: { ...list.parent, drop: [] } }));
    expect((await Promise.all(told)).map(([first]) => first)).toEqual(['/rules/*/scheduleType', '/created', '/created']);
  });
});
