import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import type { Shop } from '../lifecycle/shop.ts';
import { isWhole } from '../support/whole.ts';
import { type Changed, changesOf } from './changed-members.ts';
import { openDigests } from './digests.ts';
import { action, authForms, block, kinds, planWith } from './plan-samples.ts';

let shop: Shop;
let digestOf: Awaited<ReturnType<typeof openDigests>>['digestOf'];
beforeAll(async () => {
  ({ shop, digestOf } = await openDigests());
});
afterAll(() => shop.close());

/** Where a change sends nothing else: how many requests are under way at once, and the name of a variable that is not set. */
const isOfNoRequest = (at: string): boolean => /\.(concurrency|base_url_env)\b/.test(at) || same.has(at);

/** What holds anyway, and the order of lines, which their references give. */
const same: ReadonlySet<string> = new Set([
  'version taken away',
  'changes',
  'changes.0.destroy taken away',
  'changes.0.target taken away',
  'providers.vercel.base_url taken away',
]);

/**
 * The samples share their APIs and what else they have in common: such a part is changed in the first of a kind. All are changed by
 * `npm run prove`.
 */
function changesIn(sample: Json): readonly Changed[] {
  const { changes } = sample as { readonly changes: readonly { readonly [name: string]: Json }[] };
  const { adapter, op, recipe, ...line } = changes.at(-1) ?? {};
  const kind = [adapter, op, recipe, JSON.stringify(line).includes('graphql')].join();
  const isNew = ({ at }: Changed): boolean => !changed.has(`${kind} ${at}`);
  const own = isWhole ? changesOf(sample) : changesOf(sample).filter(isNew);
  for (const { at } of own) changed.add(`${kind} ${at}`);
  return own;
}
const changed = new Set<string>();

describe('no member of a plan that a request follows from is changed under a digest', () => {
  let compared = 0;

  it.each(kinds)('%s', async (_, plan) => {
    const sample = JSON.parse(JSON.stringify(plan)) as Json;
    const before = await digestOf(sample);
    expect(before).not.toBeNull();
    const held: string[] = [];
    for (const { at, value } of changesIn(sample)) {
      const after = await digestOf(value);
      if (after !== null) compared += 1;
      if (after === before && !isOfNoRequest(at)) held.push(at);
    }
    expect(held).toEqual([]);
  });

  it('and most of the changed plans run', () => {
    expect(compared).toBeGreaterThan(changed.size / 2);
  });
});

describe('no variable that says where something is sent is changed under a digest', () => {
  const oauth = planWith(action, { ...block, auth: authForms[4] as Json });
  const vault = planWith({ ...action, request: { ...action.request, headers: { 'x-key': { secret: 'vault://kv/shop#key' } } } });
  it.each([
    ['the base URL', planWith(action), { THINGS_ADDRESS: 'https://thief.example/v1' }],
    ['the base URL by the name of the API', planWith(action), { THINGS_API_URL: 'https://thief.example/v1' }],
    ['the token endpoint', oauth, { TOKEN_ADDRESS: 'https://thief.example/token' }],
    ['the audience of a token', oauth, { TOKEN_AUDIENCE: 'https://thief.example/' }],
    ['the server of secrets', vault, { VAULT_ADDR: 'https://thief.example' }],
    ['the namespace of secrets', vault, { VAULT_NAMESPACE: 'thief' }],
  ])('%s', async (_, plan, env) => {
    const before = await digestOf(plan);
    expect(before).not.toBeNull();
    expect(await digestOf(plan, { env })).not.toBe(before);
  });
});

describe('a digest holds', () => {
  it('whatever a secret, a comment or the spacing of the plan is', async () => {
    const plan = planWith({ ...action, request: { ...action.request, headers: { 'x-key': { secret: 'env://FIRST_TOKEN' } } } });
    const before = await digestOf(plan);
    expect(await digestOf(plan, { env: { FIRST_TOKEN: 'another-token-0123456789' } })).toBe(before);
    expect(await digestOf(`# words\n${JSON.stringify(plan, null, 3)}\n# more\n`)).toBe(before);
  });

  it('for as many requests at once as somebody likes', async () => {
    expect(await digestOf(planWith(action, { ...block, concurrency: 5 }))).toBe(await digestOf(planWith(action)));
  });
});

it('a literal that looks as a reference does inside is not one', async () => {
  const bodies: readonly Json[] = [
    { secret: 'env://FIRST_TOKEN' },
    { reference: 'env://FIRST_TOKEN' },
    '[sealed]',
    ['secret', 'env://FIRST_TOKEN'],
  ];
  const digests = new Set<string | null>();
  for (const a of bodies) digests.add(await digestOf(planWith({ ...action, request: { ...action.request, body: { a } } })));
  expect(digests.size).toBe(bodies.length);
});
