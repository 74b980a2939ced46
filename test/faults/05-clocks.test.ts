import { neon as simulateNeon } from 'pilotfish-sandbox/neon/index';
import { vercel as simulateVercel } from 'pilotfish-sandbox/vercel/index';
import { expect, onTestFinished, test } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const sha = 'a'.repeat(40);
const minutes = 60_000;
const longRequests = { PILOTFISH_REQUEST_DEADLINE_MS: '30000', PILOTFISH_LEASE_MS: '120000' };

const url = {
  id: 'url',
  adapter: 'vercel',
  op: 'env',
  project: 'shop',
  key: 'DATABASE_URL',
  value: 'postgres://pr-12',
  git_branch: 'feat/x',
};
const db = { id: 'db', adapter: 'neon', op: 'branch', project_id: 'quiet-river-12345678', name: 'pr-12' };
const site = (...after: string[]) => ({ id: 'site', adapter: 'vercel', op: 'deploy', project: 'shop', depends_on: after });

/** A run whose machine is so far from Vercel's clock, and a branch with one deployment that is ready before the run begins. */
async function open({ ahead, changes }: { readonly ahead: number; readonly changes: readonly unknown[] }) {
  const clock = new LeapingClock();
  const vercel = simulateVercel({ clock, ahead });
  const neon = simulateNeon({ clock, ahead: -ahead });
  const stage = await openStage({
    simulations: [vercel, neon],
    clock,
    env: { VERCEL_TOKEN: vercel.tokens.full, NEON_API_KEY: neon.tokens.full, ...longRequests },
    plan: JSON.stringify({ version: 1, changes }),
  });
  onTestFinished(() => stage.close());
  const { world } = vercel;
  world.addBranch('feat/x', sha);
  const early = world.push('feat/x', sha);
  world.settle(early, 'READY');
  return { clock, vercel, neon, world, stage, early };
}

const offsets = [-7 * minutes, -minutes, minutes, 5 * minutes, 60 * minutes];

test.each(offsets)('a provider %i ms ahead of the runner: what was built before the variable is made again, once', async (ahead) => {
  const { clock, world, stage, early } = await open({ ahead, changes: [url, site('url')] });
  await clock.sleep(3_000);
  const first = await stage.apply({ sha });
  const [, made] = world.deployments();
  expect(first, JSON.stringify(first)).toMatchObject({ ok: true, outputs: { site: { id: made?.id } } });
  expect(first.lines[1]?.notes).toEqual([expect.stringContaining(`Redeployed ${early.id}`)]);
  expect(await stage.apply({ sha })).toMatchObject({ ok: true, outputs: { site: { id: made?.id } } });
  expect(world.deployments()).toHaveLength(2);
});

test.each(offsets)('a provider %i ms ahead of the runner: what others built after the variable is taken as it is', async (ahead) => {
  const { clock, world, stage } = await open({ ahead, changes: [url] });
  expect(await stage.apply({ sha })).toMatchObject({ ok: true });
  await clock.sleep(3_000);
  const later = world.push('feat/x', sha);
  world.settle(later, 'READY');
  await stage.write(JSON.stringify({ version: 1, changes: [url, site('url')] }));
  expect(await stage.apply({ sha })).toMatchObject({ ok: true, outputs: { site: { id: later.id } } });
  expect(world.deployments()).toHaveLength(2);
});

test.each(offsets)('state at a provider whose clock differs again (%i ms) is deployed once, and known to be', async (ahead) => {
  const { clock, world, stage } = await open({ ahead, changes: [db, site('db')] });
  await clock.sleep(3_000);
  const first = await stage.apply({ sha });
  const [, made] = world.deployments();
  expect(first, JSON.stringify(first)).toMatchObject({ ok: true, outputs: { site: { id: made?.id } } });
  expect(await stage.apply({ sha })).toMatchObject({ ok: true, outputs: { site: { id: made?.id } } });
  expect(world.deployments()).toHaveLength(2);
  for (const record of (await stage.ledger()).records.values()) {
    const theirs = Date.parse(record.writtenAtHosts?.['https://api.vercel.com'] ?? '') - Date.parse(record.writtenAt);
    expect(Math.abs(theirs - ahead)).toBeLessThan(60_000);
  }
});

test.each([-30 * minutes, 30 * minutes])(
  'a create whose answer was lost is claimed by the next run, whose provider is %i ms ahead',
  async (ahead) => {
    const { neon, stage } = await open({ ahead: -ahead, changes: [db] });
    neon.faults.loseAnswer('POST /api/v2/projects/{project_id}/branches');
    const stopped = new AbortController();
    const leave = neon.watch(({ phase, write }) => {
      if (phase === 'after' && write) stopped.abort(new Error('stopped'));
    });
    expect(await stage.apply({}, undefined, stopped.signal)).toMatchObject({ ok: false });
    leave();
    expect((await stage.ledger()).intents.size).toBe(1);
    const writes = neon.writes().length;
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(
      neon
        .writes()
        .slice(writes)
        .filter(({ method }) => method === 'POST'),
    ).toEqual([]);
    expect((await stage.ledger()).records.size).toBe(1);
  },
);

test.each([-30 * minutes, 30 * minutes])(
  "what stood before the announcement is nobody's of ours, also with a provider %i ms ahead",
  async (ahead) => {
    const { clock, neon, stage } = await open({ ahead: -ahead, changes: [db] });
    // The create is lost before it arrives, so the intent alone is left.
    neon.faults.loseRequest('POST /api/v2/projects/{project_id}/branches');
    const stopped = new AbortController();
    const leave = neon.watch(({ phase, write }) => {
      if (phase === 'before' && write) stopped.abort(new Error('stopped'));
    });
    expect(await stage.apply({}, undefined, stopped.signal)).toMatchObject({ ok: false });
    leave();
    const old = neon.world.addBranch('pr-12');
    Object.assign(old, { created_at: new Date(clock.now() + ahead - 10 * minutes).toISOString() });
    expect(await stage.apply()).toMatchObject({
      ok: false,
      error: { code: 'RESOURCE_FOREIGN', detail: expect.stringContaining('was made at') },
    });
    expect(neon.world.branches().map(({ name }) => name)).toContain('pr-12');
  },
);
