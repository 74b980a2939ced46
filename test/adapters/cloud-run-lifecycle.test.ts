import path from 'node:path';
import { cloudRun } from 'pilotfish-sandbox/google-cloud-run/index';
import { afterAll } from 'vitest';
import { describeOp } from '../support/describe-recipe.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';

const asSent = 'a revision never changes, and shows the values of its variables as they were sent';

const programs = await openPrograms();
await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const PATH = `${programs.PATH}${path.delimiter}${process.env.PATH}`;
const image = 'europe-west1-docker.pkg.dev/acme-shop/web/shop:4f2c9d1';
const tag = 'pr-12';

const newest = 'the newest revision of a service is not deleted';
const worlds = [
  { isNewest: false, skip: {} },
  { isNewest: true, skip: { lostDelete: newest, busyDelete: newest } },
];

/** A service that somebody else deploys anew after each write, and one whose newest revision stays the line's. */
for (const { isNewest, skip } of worlds) {
  describeOp('cloud_run.revision', {
    simulate: cloudRun,
    subject: ({ faults, tokens, watch, world }) => {
      faults.readyAfter(2);
      const service = world.addService('shop');
      world.deploy('shop', { tag: 'pr-13' });
      const theirs = new Set(service.revisions.map(({ name }) => name));
      const isOurs = (name: string) => name.startsWith(`shop-${tag}-`);
      if (!isNewest)
        watch(({ phase, method }) => {
          if (phase === 'after' && method === 'PATCH' && isOurs(service.latestCreated)) world.deploy('shop');
        });
      const isTagged = (name: string) => service.traffic.some((one) => one.tag === tag && one.revision === name);
      // The newest one that lost its tag is nobody's, also once another takes its place.
      const left = new Set<string>();
      watch(({ phase, method }) => {
        if (phase === 'after' && method === 'PATCH' && !isTagged(service.latestCreated)) left.add(service.latestCreated);
      });
      const ours = () => service.revisions.filter(({ name }) => isOurs(name) && (isTagged(name) || !left.has(name)));
      return {
        env: {
          ...ledgerKey,
          PATH,
          DATABASE_URL: 'postgres://app:hunter2hunter2@db.acme.example/pr-12',
          NEXT_DATABASE_URL: 'postgres://app:hunter3hunter3@db.acme.example/pr-12',
        },
        credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
        params: {
          project: 'acme-shop',
          location: 'europe-west1',
          service: 'shop',
          tag,
          image,
          env: { LOG_LEVEL: 'debug', DATABASE_URL: { secret: 'env://DATABASE_URL' } },
          secret_env: ['STRIPE_KEY=stripe-test'],
          max_instance_count: 2,
        },
        mine: ours,
        others: () => ({
          traffic: service.traffic.filter((one) => one.tag !== tag),
          revisions: service.revisions.filter(({ name }) => theirs.has(name)),
        }),
        stands: {
          template: {
            serviceAccount: 'shop@acme-shop.iam.gserviceaccount.com',
            scaling: { maxInstanceCount: 2 },
            containers: [
              {
                image,
                env: [
                  { name: 'APP_ENV', value: 'production' },
                  { name: 'LOG_LEVEL', value: 'debug' },
                  { name: 'DATABASE_URL', value: 'postgres://app:hunter2hunter2@db.acme.example/pr-12' },
                  { name: 'STRIPE_KEY', valueSource: { secretKeyRef: { secret: 'stripe-test', version: 'latest' } } },
                ],
                resources: { limits: { cpu: '1', memory: '512Mi' }, cpuIdle: true },
              },
            ],
          },
        },
        remove: () => {
          for (const { name } of ours()) world.removeRevision('shop', name);
        },
        foreign: () => world.deploy('shop', { tag, name: `shop-${tag}-other` }),
        fixed: {
          image: { image: image.replace('4f2c9d1', '0b6c2aa') },
          'env/LOG_LEVEL': { env: { LOG_LEVEL: 'warn', DATABASE_URL: { secret: 'env://DATABASE_URL' } } },
          'env/DATABASE_URL': { env: { LOG_LEVEL: 'debug', DATABASE_URL: { secret: 'env://NEXT_DATABASE_URL' } } },
          'secret_env/STRIPE_KEY': { secret_env: ['STRIPE_KEY=stripe-test:7'] },
          max_instance_count: { max_instance_count: 5 },
        },
        slow: {
          hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
          goesOn: () => {
            faults.readyAfter(0);
            Object.assign(service, { pollsLeft: 0 });
            for (const one of service.revisions.filter(({ name }) => isOurs(name))) one.pollsLeft = 0;
          },
          fails: () => Object.assign(world.state, { fails: true }),
        },
        requests: { create: { method: 'PATCH' } },
      };
    },
    skip: {
      twoMatches: 'a tag is on one revision',
      'untidy case-folded': 'a tag is a part of a host name, in lower case',
      'untidy secret-hidden': asSent,
      'untidy secret-ciphertext': asSent,
      'untidy write-does-more': 'a write makes one revision, and every list of a template is the line’s own or comes from the service',
      'untidy answer-differs: sent to writes, in capitals to reads': 'a tag is a part of a host name, in lower case',
      'untidy late-effect: a delete':
        'a tag is let go and its revision deleted in two writes, and the second is refused until the first is done',
      'untidy stringified': 'its answers are held to the vendor’s types, which say number',
      ...skip,
    },
  });
}

describeOp('cloud_run.address', {
  kind: 'wait',
  simulate: cloudRun,
  subject: ({ tokens, world }) => {
    const service = world.addService('shop');
    return {
      env: { ...ledgerKey, PATH },
      credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
      params: { project: 'acme-shop', location: 'europe-west1', service: 'shop', tag },
      mine: () => [service.id],
      others: () => [],
      requests: { create: { method: 'GET' } },
    };
  },
  skip: { wait: 'the address is known, or the line is wrong: nothing is waited for' },
});
