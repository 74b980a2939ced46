import type { Simulation } from 'pilotfish-sandbox/kit/types';
import { neon } from 'pilotfish-sandbox/neon/index';
import { type Habit, habits } from 'pilotfish-sandbox/untidy/habits';
import { type Manners, untidied } from 'pilotfish-sandbox/untidy/manners';
import { describe, expect, it } from 'vitest';
import { readRows } from '../untidy/rows.ts';

/** A provider that keeps the last body it was sent and shows it, behind a switch. */
function echoing(habits: readonly Habit[] = []) {
  let kept: unknown = null;
  const manners: Manners = { isUntidy: true };
  const handle: Simulation['handle'] = async (request) => {
    if (request.method !== 'GET') kept = await request.json();
    return Response.json(kept);
  };
  const provider = untidied({ ...neon(), handle }, manners, habits);
  const at = 'https://echo.example/things/1';
  const headers = { 'content-type': 'application/json' };
  return {
    manners,
    kept: () => kept,
    write: async (body: unknown): Promise<unknown> =>
      (await provider.handle(new Request(at, { method: 'PUT', headers, body: JSON.stringify(body) }))).json(),
    read: async (): Promise<unknown> => (await provider.handle(new Request(at))).json(),
  };
}

describe('a provider that spells values in other ways', () => {
  const thing = { id: 'a', url: 'https://pr-12.acme.example/hook', about: 'preview 12 of shop', links: [{ sys: { id: 'main' } }] };

  it('shows addresses and sentences in another form, and members that nobody sent', async () => {
    const { write, read, kept } = echoing();
    await write(thing);
    expect(kept()).toEqual(thing);
    const added = { _revision: 1, _labels: [] };
    expect(await read()).toEqual({
      ...{ id: 'a', ...added, links: [{ sys: { id: 'main', ...added } }] },
      url: 'HTTPS://PR-12.ACME.EXAMPLE:443/hook',
      about: 'PREVIEW 12 OF SHOP',
    });
  });

  it('takes back what it shows for what it stands for, without the members that it added', async () => {
    const { write, read, kept } = echoing();
    await write(thing);
    await write(await read());
    expect(kept()).toEqual(thing);
  });

  it('shows what was written while the switch is off', async () => {
    const { write, read, manners } = echoing();
    await write(thing);
    manners.isUntidy = false;
    expect(await read()).toEqual(thing);
  });
});

/** By provider and kind: what is kept, and what the switch shows of it. */
const shows: readonly (readonly [provider: string, kind: Habit['kind'], kept: object, shown: object])[] = [
  ['cloudflare', 'case-folded', { type: 'CNAME', content: 'shop.acme.example' }, { type: 'CNAME', content: 'SHOP.ACME.EXAMPLE' }],
  ['cloudflare', 'empty-respelled', { type: 'CNAME', tags: [], comment: '', settings: {} }, { type: 'CNAME' }],
  ['datadog', 'stringified', { assertions: [{ target: 200 }] }, { assertions: [{ target: '200' }] }],
  ['netlify', 'synonym-respelled', { scopes: ['post_processing'] }, { scopes: ['post-processing'] }],
  ['netlify', 'set-semantics', { scopes: ['builds', 'runtime'] }, { scopes: ['runtime', 'builds'] }],
  ['okta', 'set-semantics', { post_logout_redirect_uris: ['a:1', 'a:2'] }, { post_logout_redirect_uris: ['a:2', 'a:1'] }],
  ['planetscale', 'empty-respelled', { cidrs: null }, { cidrs: [] }],
  ['statsig', 'scalar-or-list', { conditions: [{ targetValue: 'pr-12' }] }, { conditions: [{ targetValue: ['pr-12'] }] }],
  ['svix', 'set-semantics', { eventTypes: ['a.made', 'a.gone'] }, { eventTypes: ['a.gone', 'a.made'] }],
  ['vercel', 'set-semantics', { target: ['preview', 'development'] }, { target: ['development', 'preview'] }],
  [
    ...(['vercel', 'secret-ciphertext'] as const),
    { type: 'encrypted', value: 'hunter2', decrypted: true },
    { type: 'encrypted', value: 'c2VhbGVkIGh1bnRlcjI=', decrypted: false },
  ],
];

describe('what a provider is known to show at times', () => {
  it('is in the table of known spellings, and each has a case here', async () => {
    const pairs = Object.entries(habits).flatMap(([provider, own]) => own.map(({ kind }) => `${provider} ${kind}`));
    expect(shows.map(([provider, kind]) => `${provider} ${kind}`)).toEqual([...new Set(pairs)]);
    const known = new Set((await readRows()).map(({ provider, kind }) => `${provider} ${kind}`));
    expect(pairs.filter((pair) => !known.has(pair))).toEqual([]);
  });

  it.each(shows)('%s, %s: is shown so, taken back, and no longer shown once the switch is off', async (provider, _, thing, shown) => {
    const { write, read, kept, manners } = echoing(habits[provider]);
    await write(thing);
    expect(await read()).toEqual(shown);
    await write(await read());
    expect({ ...thing, ...(kept() as object) }).toEqual(thing);
    manners.isUntidy = false;
    expect(await read()).toEqual(kept());
  });
});
