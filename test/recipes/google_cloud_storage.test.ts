import path from 'node:path';
import { gcs } from 'pilotfish-sandbox/google-cloud-storage';
import { afterAll, expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { withBench } from '../support/suite/bench.ts';

const programs = await openPrograms();
await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const origin = 'https://pr-12.acme.example';
const own = { origin: [origin], method: ['GET', 'PUT'], maxAgeSeconds: 3600 };
const theirs = { ...own, origin: ['https://pr-13.acme.example', origin], responseHeader: ['content-type'] };

/** A bucket that has other entries, and one whose only entry is the line's. */
for (const others of [[{ method: ['GET'], origin: ['*'] }, theirs], []]) {
  describeRecipe('google_cloud_storage.bucket_cors', {
    simulate: gcs,
    subject: ({ tokens, world }) => {
      world.setCors(structuredClone(others));
      const isMine = ({ origin: origins }: Readonly<Record<string, unknown>>) => Array.isArray(origins) && origins[0] === origin;
      const entries = () => world.bucket.cors ?? [];
      const rest = () => entries().filter((one) => !isMine(one));
      return {
        env: { ...ledgerKey, PATH: `${programs.PATH}${path.delimiter}${process.env.PATH}` },
        credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
        params: {
          bucket: 'shop-assets',
          origin,
          methods: own.method,
          max_age_seconds: own.maxAgeSeconds,
        },
        mine: () => entries().filter(isMine),
        others: rest,
        stands: own,
        edits: { value: { method: ['GET'], origin: [origin, '*'], maxAgeSeconds: 60 } },
        changes: { value: { methods: ['GET'] } },
        undeclared: { responseHeader: ['etag'] },
        remove: () => world.setCors(rest()),
        foreign: () => world.setCors([...entries(), structuredClone(own)]),
        requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
      };
    },
  });
}

it('an entry that somebody added between the read and the write stays', () =>
  withBench(
    {
      op: 'google_cloud_storage.bucket_cors',
      isRecipe: true,
      simulate: gcs,
      subject: ({ tokens, world, watch }) => {
        let isAdded = false;
        watch(({ phase, write }) => {
          if (phase !== 'before' || !write || isAdded) return;
          isAdded = true;
          world.setCors([theirs]);
        });
        return {
          env: { ...ledgerKey, PATH: `${programs.PATH}${path.delimiter}${process.env.PATH}` },
          credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
          params: { bucket: 'shop-assets', origin, methods: own.method },
          mine: () => world.bucket.cors ?? [],
          others: () => null,
        };
      },
    },
    async ({ applied, subject }) => {
      await applied();
      expect(subject.mine()).toMatchObject([theirs, { origin: [origin] }]);
    },
  ));
