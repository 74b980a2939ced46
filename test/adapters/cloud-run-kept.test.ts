import path from 'node:path';
import { cloudRun } from 'pilotfish-sandbox/google-cloud-run/index';
import { afterAll, expect, it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';

const programs = await openPrograms();
await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const tag = 'pr-12';

it('a limit of 1000m that is kept as 1, and annotations that the service and its command line add, make one revision', async () => {
  const clock = storyClock();
  const simulation = cloudRun({ clock });
  const { world, faults } = simulation;
  faults.readyAfter(2);
  const service = world.addService('shop');
  world.deploy('shop', { tag: 'pr-13' });
  const theirs = new Set(service.revisions.map(({ name }) => name));
  // Somebody else deploys after each write of ours: the newest revision of a service is never deleted.
  simulation.watch(({ phase, method }) => {
    if (phase === 'after' && method === 'PATCH' && service.latestCreated.startsWith(`shop-${tag}-`)) world.deploy('shop');
  });
  const mine = () => service.revisions.filter(({ name }) => name.startsWith(`shop-${tag}-`));
  await tellKept({
    clock,
    simulation,
    env: { ...ledgerKey, PATH: `${programs.PATH}${path.delimiter}${process.env.PATH}`, SIGNED_IN_TOKEN: simulation.tokens.full },
    lines: [
      {
        ...{ id: 'web', adapter: 'cloud_run', op: 'revision', project: 'acme-shop', location: 'europe-west1', service: 'shop', tag },
        ...{ image: 'europe-west1-docker.pkg.dev/acme-shop/web/shop:4f2c9d1', cpu: '1000m', memory: '512Mi' },
      },
    ],
    mine,
    others: () => ({
      traffic: service.traffic.filter((one) => one.tag !== undefined && one.tag !== tag),
      revisions: service.revisions.filter(({ name }) => theirs.has(name)),
    }),
    stands: [
      {
        template: {
          labels: { 'client.knative.dev/nonce': expect.any(String) },
          annotations: { 'client.knative.dev/user-image': 'shop:main', 'run.googleapis.com/operation-id': expect.any(String) },
          containers: [{ resources: { limits: { cpu: '1', memory: '512Mi' } } }],
        },
      },
    ],
    edits: [() => world.removeTag('shop', tag)],
  });
});
