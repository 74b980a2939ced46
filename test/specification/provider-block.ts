import assert from 'node:assert/strict';
import type { Json } from '../../src/core/json.ts';
import { blockIdentity, identityOf, resolveBlock } from '../../src/ops/provider.ts';
import { entry, thing } from './lines.ts';
import { done, type Row, refused, row } from './rows.ts';

const place = { file: 'release.plan.yaml', line: 1, column: 1 };
const resolved = (values: { [key: string]: Json }, env: NodeJS.ProcessEnv = {}) =>
  resolveBlock({
    name: 'acme',
    defaults: { base_url: '', auth: null },
    entry: { name: 'acme', place, values: { base_url: 'https://api.acme.example', ...values }, placeOf: () => place },
    env,
    isApi: true,
  });

/** Whether an edit of the block names other objects. */
const isOther = (values: { [key: string]: Json }): boolean =>
  identityOf('http', resolved(values), '/things') !== identityOf('http', resolved({}), '/things');

export const rows: readonly Row[] = [
  row(
    '`recipe` names the family that supplies defaults: base address, credential form, headers, encoding.',
    {
      lines: [
        {
          id: 'hook',
          recipe: 'stripe.webhook_endpoint',
          api: 'payments',
          name: 'shop',
          url: 'https://shop.example',
          enabled_events: ['charge.failed'],
        },
      ],
      blocks: { payments: { recipe: 'stripe' } },
    },
    async ({ plan, seen }) => {
      await plan({ env: { STRIPE_SECRET_KEY: 'sk_test_1234567890' } });
      assert.equal(seen[0]?.headers.get('host') ?? 'api.stripe.com', 'api.stripe.com');
      assert.match(seen[0]?.headers.get('authorization') ?? '', /^(Bearer|Basic) /);
    },
  ),
  row(
    '`base_url` is the address that every path stands below.',
    { lines: [thing()], block: { base_url: 'https://api.acme.example/v3' } },
    async ({ plan, sent }) => {
      await plan();
      assert.deepEqual(sent(), ['GET /v3/things']);
    },
  ),
  row(
    '`base_url_env` names a variable that overrides the address.',
    { lines: [thing()], block: { base_url_env: 'ACME_ADDRESS' } },
    async ({ plan, sent }) => {
      done(await plan());
      assert.deepEqual(sent(), ['GET /things']);
      await plan({ env: { ACME_ADDRESS: 'https://staging.acme.example/v9' } });
      assert.deepEqual(sent(), ['GET /v9/things']);
    },
  ),
  row('`<API>_API_URL` overrides the address where no variable is named.', { lines: [thing()] }, async ({ plan, sent }) => {
    await plan({ env: { ACME_API_URL: 'https://staging.acme.example/v9' } });
    assert.deepEqual(sent(), ['GET /v9/things']);
  }),
  row(
    '`auth` holds names of variables, never values.',
    { lines: [thing()], block: { auth: { bearer_env: 'not-a-name-but-a-token-0123456789' } } },
    async ({ plan, sent }) => {
      const outcome = await plan();
      refused(outcome, 'PLAN_INVALID', 'name of an environment variable');
      assert.doesNotMatch(JSON.stringify(outcome.errors), /0123456789/);
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    '`headers` are sent with every request of the API.',
    { lines: [thing()], block: { headers: { 'X-Api-Version': '2026-11-01' } } },
    async ({ apply, seen }) => {
      done(await apply());
      assert.deepEqual([...new Set(seen.map(({ headers }) => headers.get('x-api-version')))], ['2026-11-01']);
    },
  ),
  row('`encoding: json` is the default.', { lines: [thing()] }, async ({ apply, seen }) => {
    done(await apply());
    const create = seen.find(({ method }) => method === 'POST');
    assert.equal(create?.headers.get('content-type'), 'application/json');
    assert.deepEqual(create?.body, { name: 'one', note: 'first' });
  }),
  row('`encoding: form` sends bodies as form fields.', { lines: [thing()], block: { encoding: 'form' } }, async ({ apply, seen }) => {
    await apply();
    const create = seen.find(({ method }) => method === 'POST');
    assert.equal(create?.headers.get('content-type'), 'application/x-www-form-urlencoded');
    assert.equal(create?.text, 'name=one&note=first');
  }),
  row(
    '`form_arrays: repeat` sends a list as the key repeated.',
    { lines: [thing({ fields: { name: 'one', tags: ['a', 'b'] } })], block: { encoding: 'form', form_arrays: 'repeat' } },
    async ({ apply, seen }) => {
      await apply();
      assert.equal(seen.find(({ method }) => method === 'POST')?.text, 'name=one&tags=a&tags=b');
    },
  ),
  row(
    '`media_type` is sent both as Accept and as Content-Type.',
    { lines: [thing()], block: { media_type: 'application/vnd.acme.2026-01-01+json' } },
    async ({ apply, seen }) => {
      done(await apply());
      const create = seen.find(({ method }) => method === 'POST');
      assert.equal(create?.headers.get('accept'), 'application/vnd.acme.2026-01-01+json');
      assert.equal(create?.headers.get('content-type'), 'application/vnd.acme.2026-01-01+json');
    },
  ),
  ...(['plan', 'apply', 'destroy'] as const).map((command) =>
    row(
      `\`refuse_credential\` stops a credential with a listed prefix before any request: ${command}.`,
      { lines: [thing()], block: { refuse_credential: { prefixes: ['live_'], unless_env: 'ACME_LIVE' } } },
      async (api) => {
        if (command === 'destroy') done(await api.apply());
        api.sent();
        refused(await api[command]({ env: { ACME_TOKEN: 'live_0123456789' } }), 'PROVIDER_AUTH', 'ACME_TOKEN');
        assert.deepEqual(api.sent(), []);
      },
    ),
  ),
  ...['1', 'true'].map((value) =>
    row(
      `A refused credential is taken when the named variable is \`${value}\`.`,
      { lines: [thing()], block: { refuse_credential: { prefixes: ['live_'], unless_env: 'ACME_LIVE' } } },
      async ({ apply }) => {
        done(await apply({ env: { ACME_TOKEN: 'live_0123456789', ACME_LIVE: value } }));
        refused(await apply({ env: { ACME_TOKEN: 'live_0123456789', ACME_LIVE: 'yes' } }), 'PROVIDER_AUTH');
      },
    ),
  ),
  row(
    'An unknown key of the block is refused with the nearest known one.',
    { lines: [thing()], block: { base_ulr: 'x' } },
    async ({ plan, sent }) => {
      refused(await plan(), 'PLAN_INVALID', 'base_url');
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'The block as resolved is part of the identity: base address, credential variable, headers, encoding.',
    { lines: [thing()] },
    async () => {
      assert.ok(isOther({ base_url: 'https://other.acme.example' }));
      assert.ok(isOther({ auth: { bearer_env: 'OTHER_TOKEN' } }));
      assert.ok(isOther({ headers: { 'X-Team': 'shop' } }));
      assert.ok(isOther({ encoding: 'form' }));
      assert.ok(!isOther({ encoding: 'json' }));
      assert.ok(!isOther({ concurrency: 3 }));
      assert.deepEqual(
        blockIdentity(resolved({}, { ACME_API_URL: 'https://staging.acme.example' })).base_url,
        'https://staging.acme.example',
      );
    },
  ),
  row(
    'Editing the block re-identifies its resources; what it named before is an orphan until it is destroyed.',
    { lines: [thing(), entry()] },
    async (api) => {
      api.shelf.boxes.set('mail', { entries: [] });
      done(await api.apply());
      await api.write([thing(), entry()], { headers: { 'X-Team': 'shop' } });
      const { doc, errors } = await api.plan();
      assert.equal(doc?.orphans.length, 2);
      // The object that stands under the old identity is not taken over in silence.
      assert.ok(errors.every(({ code }) => code === 'RESOURCE_FOREIGN'));
    },
  ),
];
