import path from 'node:path';
import { firebaseHosting } from 'pilotfish-sandbox/firebase-hosting';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { openStage } from '../support/stage.ts';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

const programs = await openPrograms();
await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const PATH = `${programs.PATH}${path.delimiter}${process.env.PATH}`;
const site = 'acme-shop';

describeRecipe('firebase_hosting.channel', {
  simulate: firebaseHosting,
  subject: ({ tokens, world }) => {
    world.addSite('acme', site);
    world.addChannel(site, 'pr-13', { labels: { team: 'web' } });
    const isMine = ({ name }: { readonly name: string }) => name.endsWith('/channels/pr-12');
    return {
      env: { ...ledgerKey, PATH },
      credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
      params: { project: 'acme', site, channel_id: 'pr-12', ttl: '604800s', labels: { pull: '12' }, retained_release_count: 5 },
      mine: () => world.channels(site).filter(isMine),
      others: () => world.channels(site).filter((one) => !isMine(one)),
      stands: { labels: { pull: '12' }, retainedReleaseCount: 5, url: 'https://acme-shop--pr-12-a1b2c3d4.web.app' },
      edits: {
        labels: { labels: { pull: '13' } },
        retainedReleaseCount: { retainedReleaseCount: 10 },
      },
      unseen: { ttl: 'the provider shows when the channel ends and not the time that was asked for' },
      changes: {
        labels: { labels: { pull: '12, again' } },
        retainedReleaseCount: { retained_release_count: 20 },
        ttl: { ttl: '86400s' },
      },
      undeclared: { labels: { team: 'web' } },
      remove: () => world.removeChannel(site, 'pr-12'),
      foreign: () => world.addChannel(site, 'pr-12'),
      fill: () => Object.assign(world.state, { channelLimit: 2 }),
    };
  },
  skip: {
    'untidy unsent-reset': 'an update names the fields that it changes in its mask, and leaves the others',
    twoMatches: 'a site has one channel of an id',
    full: 'a full site answers as a spent rate limit does, so the line ends as PROVIDER_TRANSIENT: tried below',
  },
});

/** The shortest line, on a stage of its own. */
async function open(prepare: (world: ReturnType<typeof firebaseHosting>['world']) => void = () => undefined) {
  const simulation = firebaseHosting();
  simulation.world.addSite('acme', site);
  prepare(simulation.world);
  const line = { id: 'channel', recipe: 'static_host_c.channel', project: 'acme', site, channel_id: 'pr-12' };
  const stage = await openStage({
    simulations: [simulation],
    env: { ...ledgerKey, PATH, SIGNED_IN_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  return { stage, simulation, world: simulation.world };
}

it('a full site is told at once, and a request too many, which has the same status, is sent again', async () => {
  const { stage, simulation } = await open((world) => Object.assign(world.state, { channelLimit: 1 }));
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_QUOTA' } });
  expect(simulation.writes().map(({ status }) => status)).toEqual([429]);
  simulation.world.state.channelLimit = 50;
  const message = "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'";
  simulation.faults.once({ method: 'POST' }, 429, { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } });
  expect(await stage.apply()).toMatchObject({ ok: true });
});

it('without a ttl the channel does not end, and one that ended is made again', async () => {
  const { stage, world } = await open();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.channels(site).map(({ expireTime }) => expireTime)).toEqual([undefined, undefined]);
  world.removeChannel(site, 'pr-12');
  expect((await stage.plan()).lines).toMatchObject([{ verdict: 'create', drift: 'missing' }]);
});

it('a channel of a site that is seen no more is not taken for one that somebody removed', async () => {
  const { stage, world } = await open();
  expect(await stage.apply()).toMatchObject({ ok: true });
  world.state.sites = {};
  expect(await stage.plan()).toMatchObject({ ok: false, lines: [{ verdict: 'failed' }] });
});

it('the id of the site itself is refused before any request', async () => {
  const { stage, simulation } = await open();
  await stage.write(
    JSON.stringify({ version: 1, changes: [{ id: 'x', recipe: 'firebase_hosting.channel', project: 'acme', site, channel_id: 'live' }] }),
  );
  await expect(stage.plan()).rejects.toThrow('channel_id');
  expect(simulation.log).toEqual([]);
});

it.each([
  ['labels', { labels: { pull: '13' } }],
  ['retainedReleaseCount', { retained_release_count: 9 }],
  ['ttl', { ttl: '86400s' }],
])('another %s is sent alone, for what a mask names is written', async (field, more) => {
  const { stage, simulation } = await open();
  const line = { id: 'channel', recipe: 'static_host_c.channel', project: 'acme', site, channel_id: 'pr-12' };
  const planOf = (params: object) =>
    JSON.stringify({
      version: 1,
      changes: [{ ...line, ttl: '604800s', labels: { pull: '12' }, retained_release_count: 5, ...params }],
    });
  await stage.write(planOf({}));
  expect(await stage.apply()).toMatchObject({ ok: true });
  const before = simulation.log.length;
  await stage.write(planOf(more));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  const sent = simulation.writes(before);
  expect(sent).toHaveLength(1);
  expect(Object.keys(sent[0]?.body as object)).toEqual([field]);
});

it('a lifetime that is shown as the moment of its end, and a count that Firebase fills in, are no drift', () =>
  livesOn(
    'firebase_hosting.channel',
    firebaseHosting,
    ({ tokens, world }) => {
      world.addSite('acme', site);
      world.addChannel(site, 'pr-13', { expireTime: '2026-12-24T00:00:00Z', retainedReleaseCount: 3 });
      const isMine = ({ name }: { readonly name: string }) => name.endsWith('/channels/pr-12');
      return {
        env: { ...ledgerKey, PATH },
        credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
        params: {
          project: 'acme',
          site,
          channel_id: 'pr-12',
          ttl: '604800s',
          labels: { pull: '12' },
          retained_release_count: { keep: true },
        },
        mine: () => world.channels(site).filter(isMine),
        others: () => world.channels(site).filter((one) => !isMine(one)),
        stands: { expireTime: expect.any(String), retainedReleaseCount: 10 },
        edits: { labels: { labels: { pull: '13' } } },
      };
    },
    async (bench, { world }) => {
      const [, , mine] = world.channels(site);
      Object.assign(mine ?? {}, { expireTime: '2026-12-01T00:00:00Z', retainedReleaseCount: 25 });
      await staysQuiet(bench);
      await bench.change({ labels: { pull: '12, again' } });
      await bench.applied();
      expect(bench.one(), 'what the line leaves').toMatchObject({ retainedReleaseCount: 25 });
    },
  ));

it('a channel that the CLI of the vendor made, whose id is no spelling of ours, is left, and one of our id is foreign', async () => {
  const { stage, simulation, world } = await open();
  const line = { id: 'channel', recipe: 'firebase_hosting.channel', project: 'acme', site };
  const write = (channel_id: string) => stage.write(JSON.stringify({ version: 1, changes: [{ ...line, channel_id }] }));
  // The CLI was told feature/pr_12:a.
  const theirs = world.addChannel(site, 'feature-pr-12-a');
  await write('feature/pr_12:a');
  await expect(stage.plan()).rejects.toThrow('channel_id');
  expect(simulation.log).toEqual([]);
  await write('feature-pr-12-a');
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  await write('pr-12-a');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.channels(site).slice(1)).toEqual([theirs]);
});
