import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { supabase } from 'pilotfish-sandbox/supabase/index';
import { afterEach, expect, test } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const project_ref = 'shopshopshopshopshop';
let opened: { readonly stage: Stage; readonly simulation: Simulation }[] = [];
afterEach(async () => {
  const simulations = opened.map(({ simulation }) => simulation);
  await Promise.all(opened.map(({ stage }) => stage.close()));
  opened = [];
  verifyHandled(simulations);
  expectContracts(simulations);
});

const urlLine = (id: string, url: string) => ({ id, adapter: 'supabase', op: 'auth_redirect', project_ref, url });

async function open(lines: readonly object[]) {
  const clock = new LeapingClock();
  const simulation = supabase({ clock });
  const project = simulation.world.addProject(project_ref);
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '20000', PILOTFISH_LEASE_MS: '120000', SUPABASE_ACCESS_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: lines }),
  });
  opened.push({ stage, simulation });
  return { stage, project, simulation };
}

test('ten of one project are written by one request, in a list that was never set, and taken out again', async () => {
  const urls = Array.from({ length: 10 }, (_, i) => `https://pr-12-${i}.acme.example/**`);
  const { stage, project, simulation } = await open(urls.map((url, i) => urlLine(`u${i}`, url)));
  expect(project.uri_allow_list).toBeNull();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.writes().map(({ body }) => Object.keys(body ?? {}))).toEqual([['uri_allow_list']]);
  expect(project.uri_allow_list?.split(',').toSorted()).toEqual(urls.toSorted());
  project.uri_allow_list += ',http://localhost:3000';
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(project.uri_allow_list).toBe('http://localhost:3000');
});

test('pull requests that come at the same moment take turns: each reads what the one before wrote, and none is overwritten', async () => {
  const { stage, project, simulation } = await open([urlLine('u', 'https://${ctx.scope}.acme.example/**')]);
  project.uri_allow_list = 'http://localhost:3000,https://theirs.acme.example';
  const scopes = ['pr-1', 'pr-2', 'pr-3', 'pr-4'];
  // A write takes long enough that whoever did not wait would have read the list before it.
  simulation.faults.slow({ method: 'PATCH' }, 1000);
  const lists: unknown[] = [];
  simulation.watch(({ phase, method }) => {
    if (phase === 'before' && method === 'PATCH') lists.push(project.uri_allow_list?.split(',').length);
  });
  const docs = await Promise.all(scopes.map((scope) => stage.apply({ scope, leaseTimeoutMs: 600_000 })));
  expect(docs.map(({ ok, error }) => error ?? ok)).toEqual(scopes.map(() => true));
  const wanted = scopes.map((scope) => `https://${scope}.acme.example/**`);
  expect(project.uri_allow_list.split(',').toSorted()).toEqual(
    [...wanted, 'http://localhost:3000', 'https://theirs.acme.example'].toSorted(),
  );
  // One write each, and each into a list that the others stand in already.
  expect(lists).toEqual([2, 3, 4, 5]);
  await Promise.all(scopes.map((scope) => stage.destroy({ scope, leaseTimeoutMs: 600_000 })));
  expect(project.uri_allow_list).toBe('http://localhost:3000,https://theirs.acme.example');
  expect(lists).toEqual([2, 3, 4, 5, 6, 5, 4, 3]);
});

test('a write that somebody else overwrote is made again', async () => {
  const { stage, project, simulation } = await open([urlLine('u', 'https://pr-12.acme.example/**')]);
  let times = 0;
  const stop = simulation.watch(({ phase, method }) => {
    if (phase === 'after' && method === 'PATCH' && times < 2) {
      times += 1;
      project.uri_allow_list = 'https://theirs.acme.example';
    }
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  stop();
  expect(project.uri_allow_list).toBe('https://theirs.acme.example,https://pr-12.acme.example/**');
});

test.each(['https://a.example,https://b.example', 'pr-12.acme.example', 'https://a.example/ b'])(
  '%s is refused before any request',
  async (url) => {
    const { stage, simulation } = await open([urlLine('u', url)]);
    await expect(stage.apply()).rejects.toThrow(/^PARAM_INVALID: u\.url must match/);
    expect(simulation.log).toEqual([]);
  },
);

test('one for an app is taken as it is written', async () => {
  const { stage, project } = await open([urlLine('u', 'com.acme.app://callback')]);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(project.uri_allow_list).toBe('com.acme.app://callback');
});

test('a path follows the URL that another line gives, and never a second slash', async () => {
  const line = urlLine('u', 'https://${ctx.scope}.acme.example');
  const { stage, project } = await open([{ ...line, path: '/**' }]);
  expect(await stage.apply({ scope: 'pr-1' })).toMatchObject({ ok: true });
  expect(project.uri_allow_list).toBe('https://pr-1.acme.example/**');
  await stage.write(JSON.stringify({ version: 1, changes: [{ ...line, url: 'https://${ctx.scope}.acme.example/', path: '/**' }] }));
  await expect(stage.plan({ scope: 'pr-1' })).rejects.toMatchObject({
    failures: [{ code: 'PARAM_INVALID', fix: expect.stringContaining('slash') }],
  });
});
