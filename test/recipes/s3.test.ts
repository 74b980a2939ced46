import { type CorsRule, s3ByPath } from 'pilotfish-sandbox/aws-s3';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { withBench } from '../support/suite/bench.ts';

const origin = 'https://pr-12.acme.example';
const rule: CorsRule = {
  AllowedHeader: ['content-type', 'x-acme'],
  AllowedMethod: ['GET', 'PUT'],
  AllowedOrigin: [origin],
  MaxAgeSeconds: 3000,
};
const params = {
  bucket: 'shop-assets',
  origin,
  methods: rule.AllowedMethod,
  allowed_headers: rule.AllowedHeader,
  max_age_seconds: rule.MaxAgeSeconds,
};

/** Somebody's rule that names the origin beside another, and one that is as like the line's own as can be. */
const theirs: readonly CorsRule[] = [
  { AllowedMethod: ['GET'], AllowedOrigin: ['https://acme.example', origin] },
  { ...rule, ID: origin, AllowedOrigin: ['https://pr-13.acme.example'], ExposeHeader: ['etag'] },
];

/** A bucket that has other rules, and one whose only rule is the line's. */
for (const others of [theirs, []]) {
  describeRecipe('s3.bucket_cors', {
    simulate: s3ByPath,
    subject: ({ origin: address, tokens, world }) => {
      world.setRules(structuredClone([...others]));
      const isMine = ({ AllowedOrigin: [first] }: CorsRule) => first === origin;
      const mine = () => world.rules().filter(isMine);
      const rest = () => world.rules().filter((one) => !isMine(one));
      return {
        apis: { s3: { region: 'eu-central-1' } },
        env: { AWS_ENDPOINT_URL_S3: address },
        credential: (tier) => ({ AWS_ACCESS_KEY_ID: world.keyIds[tier], AWS_SECRET_ACCESS_KEY: tokens[tier] }),
        params,
        mine,
        others: rest,
        stands: rule,
        edits: { value: { AllowedMethod: ['GET'], AllowedOrigin: [origin, '*'], MaxAgeSeconds: 60 } },
        changes: { value: { methods: ['GET'], allowed_headers: ['*'], max_age_seconds: 60 } },
        undeclared: { ID: 'uploads', ExposeHeader: ['etag'] },
        remove: () => world.setRules(rest()),
        foreign: () => world.setRules([...world.rules(), structuredClone(rule)]),
        late: { reads: { method: 'GET' }, seconds: 120 },
        fill: () => Object.assign(world.state, { ruleLimit: others.length }),
        requests: { create: { method: 'PUT' }, remove: { method: others.length > 0 ? 'PUT' : 'DELETE' } },
      };
    },
  });
}

it('the token of a session goes along, as whoever signed in for some hours has one', () =>
  withBench(
    {
      op: 's3.bucket_cors',
      isRecipe: true,
      simulate: s3ByPath,
      subject: ({ origin: address, tokens, world }) => {
        world.signIn('session-4f2a91c0');
        return {
          apis: { s3: { region: 'eu-central-1' } },
          env: { AWS_ENDPOINT_URL_S3: address, AWS_SESSION_TOKEN: 'session-4f2a91c0' },
          credential: (tier) => ({ AWS_ACCESS_KEY_ID: world.keyIds[tier], AWS_SECRET_ACCESS_KEY: tokens[tier] }),
          params,
          mine: () => world.rules(),
          others: () => null,
        };
      },
    },
    async ({ applied, subject }) => {
      await applied();
      expect(subject.mine()).toMatchObject([rule]);
    },
  ));

it('a rule that the bucket does not take is waited for once, however often it is sent', () =>
  withBench(
    {
      op: 's3.bucket_cors',
      isRecipe: true,
      simulate: s3ByPath,
      subject: ({ origin: address, tokens, world }) => ({
        apis: { s3: { region: 'eu-central-1' } },
        env: { AWS_ENDPOINT_URL_S3: address },
        credential: (tier) => ({ AWS_ACCESS_KEY_ID: world.keyIds[tier], AWS_SECRET_ACCESS_KEY: tokens[tier] }),
        params,
        mine: () => world.rules(),
        others: () => null,
      }),
    },
    async ({ apply, during, simulation, subject }) => {
      simulation.faults.dropWrite({ method: 'PUT' }, 4);
      const seen = await during(async () => expect(await apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE' } }));
      const [first, ...more] = seen.filter(({ write }) => write).map(({ at }) => at);
      expect(more.map((at) => Math.round((at - (first ?? 0)) / 10_000))).toEqual([12, 12, 12]);
      expect(subject.mine()).toEqual([]);
    },
  ));
