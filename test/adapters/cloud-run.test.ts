import path from 'node:path';
import { cloudRun } from 'pilotfish-sandbox/google-cloud-run/index';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { openStage, type Stage } from '../support/stage.ts';

const programs = await openPrograms();
await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());
const PATH = `${programs.PATH}${path.delimiter}${process.env.PATH}`;

const opened: { readonly stage: Stage; readonly simulation: ReturnType<typeof cloudRun> }[] = [];
afterEach(async () => {
  for (const { stage, simulation } of opened.splice(0)) {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  }
});

const image = 'europe-west1-docker.pkg.dev/acme-shop/web/shop:4f2c9d1';
const where = { project: 'acme-shop', location: 'europe-west1', service: 'shop' };
const byRevision = 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION';
const byLatest = 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST';
type Params = Readonly<Record<string, unknown>>;

async function openShop(lines: readonly Params[] = [{}], adapter = 'cloud_run') {
  const clock = new LeapingClock();
  const simulation = cloudRun({ clock });
  const planOf = (all: readonly Params[]) =>
    JSON.stringify({
      version: 1,
      changes: all.map((line, n) => ({ id: `shop-${n}`, adapter, op: 'revision', ...where, tag: 'pr-12', image, ...line })),
    });
  const service = simulation.world.addService('shop');
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { ...ledgerKey, PATH, SIGNED_IN_TOKEN: simulation.tokens.full },
    plan: planOf(lines),
  });
  opened.push({ stage, simulation });
  const { world, faults } = simulation;
  const records = async () => [...(await stage.ledger()).records.values()];
  const one = () => world.revision('shop', 'pr-12');
  return { stage, simulation, world, faults, service, records, one, change: (all: readonly Params[]) => stage.write(planOf(all)) };
}

describe('a revision', () => {
  it('is made from the template of its service, by one write, and tells the address of its tag', async () => {
    const { stage, simulation, faults, one, records } = await openShop(
      [{ env: { PORTS: 8081 }, memory: '1Gi', args: ['--preview'] }],
      'app_cloud_a',
    );
    faults.readyAfter(5);
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }] });
    expect(simulation.writes().map(({ query }) => query)).toEqual([{ updateMask: 'template,traffic' }]);
    expect(one()?.template).toMatchObject({
      serviceAccount: 'shop@acme-shop.iam.gserviceaccount.com',
      containers: [
        {
          image,
          args: ['--preview'],
          ports: [{ containerPort: 8080 }],
          env: [
            { name: 'APP_ENV', value: 'production' },
            { name: 'PORTS', value: '8081' },
          ],
          resources: { limits: { cpu: '1', memory: '1Gi' }, cpuIdle: true },
        },
      ],
    });
    expect(await records()).toMatchObject([
      {
        outputs: {
          id: one()?.name,
          url: expect.stringMatching(/^https:\/\/pr-12---shop-/),
          hostname: expect.stringMatching(/^pr-12---shop-[^/]*$/),
          service_url: expect.stringMatching(/^https:\/\/shop-/),
        },
      },
    ]);
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  });

  it('gets no traffic: what followed the newest revision stays with the one that served it, and the line says so', async () => {
    const { stage, service, one } = await openShop();
    const served = service.latestReady;
    const doc = await stage.apply();
    expect(service.traffic).toEqual([
      { type: byRevision, revision: served, percent: 100 },
      { type: byRevision, revision: one()?.name, tag: 'pr-12' },
    ]);
    expect(doc.lines[0]?.notes).toEqual([expect.stringContaining('is now bound to the revision that served it')]);
  });

  it('leaves shares and tags of others as they are', async () => {
    const { stage, world, service } = await openShop();
    const other = world.deploy('shop', { tag: 'pr-13' }).name;
    const before = [
      { type: byRevision, revision: 'shop-00001-abc', percent: 80, tag: 'stable' },
      { type: byLatest, percent: 20 },
      { type: byRevision, revision: other, tag: 'pr-13' },
      { type: byLatest, tag: 'newest' },
    ];
    world.setTraffic('shop', before);
    const newest = service.latestReady;
    await stage.apply();
    expect(service.traffic.slice(0, 4)).toEqual([before[0], { type: byRevision, revision: newest, percent: 20 }, before[2], before[3]]);
  });

  it('gets all traffic with pin_latest, and is then not removed before another takes its place', async () => {
    const { stage, world, service, one, records } = await openShop([{ pin_latest: true }]);
    world.deploy('shop', { tag: 'pr-13' });
    await stage.apply();
    const pinned = one()?.name ?? '';
    expect(service.traffic).toEqual([
      { type: byRevision, revision: expect.stringMatching(/def$/), tag: 'pr-13' },
      { type: byRevision, revision: pinned, percent: 100, tag: 'pr-12' },
    ]);
    const seen = stage.watch();
    expect(await stage.destroy()).toMatchObject({
      ok: false,
      lines: [
        {
          error: {
            code: 'PROVIDER_CONFLICT',
            detail: expect.stringContaining(`${pinned} cannot be removed`),
            fix: expect.stringContaining('another object'),
          },
        },
      ],
    });
    expect(seen.all().filter(({ write }) => write)).toEqual([]);
    expect(await records()).toHaveLength(1);
    world.deploy('shop');
    world.setTraffic('shop', [
      { type: byLatest, percent: 100 },
      { type: byRevision, revision: pinned, tag: 'pr-12' },
    ]);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(service.revisions.map(({ name }) => name)).not.toContain(pinned);
  });

  it('that lost its traffic or its tag outside gets it back, and no other one is made', async () => {
    const { stage, world, service, one } = await openShop([{ pin_latest: true }]);
    await stage.apply();
    const made = one()?.name ?? '';
    world.setTraffic('shop', [{ type: byRevision, revision: 'shop-00001-abc', percent: 100 }]);
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'update', drift: 'changed' }] });
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    expect(service.traffic).toEqual([{ type: byRevision, revision: made, percent: 100, tag: 'pr-12' }]);
    expect(service.revisions.filter(({ name }) => name.startsWith('shop-pr-12-'))).toHaveLength(1);
  });

  it('whose tag is on somebody else’s revision is refused, and theirs stays', async () => {
    const { stage, world, service } = await openShop();
    await stage.apply();
    const theirs = world.deploy('shop').name;
    const traffic = service.traffic.map((one) => (one.tag === 'pr-12' ? { ...one, revision: theirs } : one));
    world.setTraffic('shop', traffic);
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(service.traffic).toEqual(traffic);
    expect(service.revisions.map(({ name }) => name)).toContain(theirs);
  });

  it('and others of one service are made side by side: each write names the version it read', async () => {
    const tags = ['pr-12', 'pr-12-admin', 'pr-12-docs'];
    const { stage, service, simulation, change } = await openShop(tags.map((tag) => ({ tag })));
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(service.traffic.flatMap(({ tag }) => tag ?? []).sort()).toEqual(tags);
    expect(simulation.writes().filter(({ status }) => status === 409).length).toBeGreaterThan(0);
    await change(tags.map((tag) => ({ tag })));
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }, { verdict: 'none' }] });
    const conflicts = simulation.writes().filter(({ status }) => status === 409).length;
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(simulation.writes().filter(({ status }) => status === 409)).toHaveLength(conflicts);
    expect(service.traffic).toEqual([{ type: byRevision, revision: 'shop-00001-abc', percent: 100 }]);
  });

  it('is made anew from what somebody else deployed between the read and the write', async () => {
    const { stage, simulation, world, one } = await openShop();
    let reads = 0;
    simulation.watch(({ phase, method, path: at }) => {
      if (phase === 'before' && method === 'PATCH' && at.endsWith('/shop') && ++reads === 1) world.deploy('shop', { image: 'their:image' });
    });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(simulation.writes().map(({ status }) => status)).toEqual([409, 200]);
    expect(one()?.template).toMatchObject({ containers: [{ image }] });
  });

  it('is ready when the operation of its write is done, it is itself, and its address is in force: looked at in that order', async () => {
    const { stage, simulation, faults, one, service } = await openShop();
    faults.readyAfter(4);
    const seen: { readonly of: string; readonly done: boolean; readonly state: string | undefined; readonly inForce: boolean }[] = [];
    simulation.watch(({ phase, method, path: at }) => {
      if (phase !== 'after' || method !== 'GET' || simulation.writes().length === 0) return;
      const of = at.split('/').at(-2) ?? '';
      const inForce = service.inForce.some(({ tag }) => tag === 'pr-12');
      seen.push({ of, done: !service.reconciling, state: one()?.state, inForce });
    });
    const events: RunEvent[] = [];
    expect(await stage.apply({}, events)).toMatchObject({ ok: true });
    const looks = seen.map(({ of }) => of);
    const polled = looks.lastIndexOf('operations');
    expect(polled).toBeGreaterThan(1);
    expect(seen[polled]).toMatchObject({ done: true });
    expect(looks.slice(polled + 1)).toEqual(['revisions', 'services']);
    expect(seen.at(-1)).toMatchObject({ state: 'ready', inForce: true });
    expect(new Set(events.flatMap((event) => (event.type === 'wait' ? [event.detail] : [])))).toEqual(new Set(['being deployed']));
  });

  it('whose operation the provider does not keep any more is judged by itself', async () => {
    const { stage, simulation, world } = await openShop();
    simulation.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PATCH') world.state.operations.splice(0);
    });
    simulation.faults.readyAfter(3);
    const events: RunEvent[] = [];
    expect(await stage.apply({}, events)).toMatchObject({ ok: true });
    expect(events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []))).toContain('starting (pending)');
  });

  it('that does not start fails the line with what the provider says of it', async () => {
    const { stage, world, records } = await openShop();
    Object.assign(world.state, { fails: true });
    const { error } = await stage.apply();
    expect(error).toMatchObject({
      code: 'EXTERNAL_FAILED',
      detail: expect.stringMatching(/The revision shop-pr-12-g2 did not become ready: .*is not ready\.$/),
    });
    expect(await records()).toMatchObject([{ unready: true }]);
  });

  it('of a service that is not there is an error, and nothing is written', async () => {
    const { stage, simulation } = await openShop([{ service: 'shop-api' }]);
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
    expect(simulation.writes()).toEqual([]);
  });

  it('of a service whose only revision never started is not given its traffic', async () => {
    const { stage, service, simulation } = await openShop();
    service.latestReady = '';
    expect(await stage.apply()).toMatchObject({
      ok: false,
      error: { code: 'PROVIDER_INVALID', fix: expect.stringContaining('pin_latest') },
    });
    expect(simulation.writes()).toEqual([]);
  });

  it.each([
    [{ tag: 'a'.repeat(43) }, /more than 46 characters together/],
    [{ tag: 'PR-12' }, /tag/],
    [{ env: { A: '1' }, secret_env: ['A=shop-a'] }, /both set A/],
    [{ env: { 'A=B': '1' } }, /a variable cannot have that name/],
    [{ secret_env: ['STRIPE_KEY'] }, /VARIABLE=secret/],
    [{ secret_env: [{ secret: 'env://SIGNED_IN_TOKEN' }] }, /belongs under env/],
  ] satisfies [Params, RegExp][])('is refused before any request: %j', async (params, problem) => {
    const { stage, simulation } = await openShop([params]);
    await expect(stage.plan()).rejects.toMatchObject({ failures: [{ code: 'PARAM_INVALID', message: expect.stringMatching(problem) }] });
    expect(simulation.log).toEqual([]);
  });

  it('of another container than the template has is told which ones there are', async () => {
    const { stage } = await openShop([{ container: 'sidecar' }]);
    expect(await stage.apply()).toMatchObject({
      ok: false,
      error: { code: 'PARAM_INVALID', detail: expect.stringContaining('has no container sidecar') },
    });
  });
});

describe('its removal', () => {
  it('takes the tag away first, waits until that is in force, and until the revision is gone', async () => {
    const { stage, simulation, faults, world, service, one } = await openShop();
    await stage.apply();
    const made = one()?.name ?? '';
    world.deploy('shop');
    faults.readyAfter(4);
    const before = simulation.log.length;
    // Whoever deletes a plan still has the ledger.
    await stage.write('changes: [');
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(simulation.writes(before).map(({ method, query }) => [method, query])).toEqual([
      ['PATCH', { updateMask: 'traffic' }],
      ['DELETE', {}],
    ]);
    expect(service.revisions.map(({ name }) => name)).not.toContain(made);
  });

  it('leaves the newest revision of a service without tag and traffic, and says so', async () => {
    const { stage, simulation, service, one } = await openShop();
    await stage.apply();
    const made = one()?.name ?? '';
    const doc = await stage.destroy();
    expect(doc).toMatchObject({ ok: true, warnings: [expect.stringContaining(`${made} was let go`)] });
    expect(service.traffic.map(({ revision }) => revision)).toEqual(['shop-00001-abc']);
    expect(simulation.writes().map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it('of a revision that somebody gave a second tag is refused, and both tags stay', async () => {
    const { stage, world, service, one, records } = await openShop();
    await stage.apply();
    const made = one()?.name ?? '';
    const traffic = [...service.traffic, { type: byRevision, revision: made, tag: 'demo' }];
    world.setTraffic('shop', traffic);
    expect(await stage.destroy()).toMatchObject({
      lines: [{ error: { code: 'PROVIDER_CONFLICT', detail: expect.stringContaining('demo of') } }],
    });
    expect(service.traffic).toEqual(traffic);
    expect(await records()).toHaveLength(1);
  });

  it('of a revision whose service is gone ends well', async () => {
    const { stage, world, records } = await openShop();
    await stage.apply();
    world.state.services.splice(0);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(await records()).toEqual([]);
  });

  it('that is cut between the tag and the revision is ended by the next run, also where no record named it', async () => {
    const { stage, simulation, world, service } = await openShop();
    const denied = { error: { code: 403, status: 'PERMISSION_DENIED', message: 'no' } };
    // The answer to the create is lost, and nobody can look for what it made: only its intent is in the ledger.
    simulation.faults.loseAnswer({ method: 'PATCH' });
    const unwatch = simulation.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PATCH') simulation.faults.times(50, { method: 'GET' }, 403, denied);
    });
    expect(await stage.apply()).toMatchObject({ ok: false });
    unwatch();
    simulation.faults.clear();
    expect([(await stage.ledger()).records.size, (await stage.ledger()).intents.size]).toEqual([0, 1]);
    world.deploy('shop');
    simulation.faults.times(50, { method: 'DELETE' }, 403, denied);
    expect(await stage.destroy()).toMatchObject({ ok: false });
    expect(service.traffic.some(({ tag }) => tag === 'pr-12')).toBe(false);
    expect((await stage.ledger()).records.size).toBe(1);
    simulation.faults.clear();
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(service.revisions.some(({ name }) => name.startsWith('shop-pr-12-'))).toBe(false);
  });
});
