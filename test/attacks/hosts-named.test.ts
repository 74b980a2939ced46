import { afterEach, describe, expect, it } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import { approvalForm } from '../../src/mcp/approval-form.ts';
import { applyText } from '../../src/report/apply-text.ts';
import { closedText } from '../../src/report/closed-text.ts';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyles } from '../../src/report/styles.ts';
import { openPulls, shaA } from '../lifecycle/pulls.ts';
import { branch, lines, openRecord, openShop, planOf, type Shop } from '../lifecycle/shop.ts';

let shop: Shop | null = null;
afterEach(async () => {
  await shop?.close();
  shop = null;
});

const open = async (plan: string): Promise<Shop> => (shop = await openShop(plan));

const env = { FIRST_TOKEN: 'first-token-0123456789', SECOND_TOKEN: 'second-token-0123456789', CLIENT_ID: 'client-0123456789' };
const next = { apply: 'pilotfish apply', prune: 'pilotfish apply --prune', isDestroy: false };

/** Markdown as its page shows it. */
const readable = (markdown: string): string =>
  markdown.replaceAll('<wbr>', '').replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

/** All that people read of a document: terminal, comment and summary. */
const readings = (doc: PlanDoc | ApplyDoc): readonly string[] => [
  'stats' in doc ? applyText(doc, plainStyles, next) : planText(doc, plainStyles, next),
  readable(markdownOf(doc, { longest: 60_000 })),
  // As small as a comment can get, and as a terminal shows it.
  'stats' in doc
    ? applyText(doc, plainStyles, next, { rows: 24, columns: 80 })
    : planText(doc, plainStyles, next, { rows: 24, columns: 80 }),
];

const action = (request: object, more: object = {}, providers: object = {}): string =>
  JSON.stringify({
    version: 1,
    providers,
    changes: [{ id: 'warm', adapter: 'http', op: 'action', trigger: { a: '1' }, request, ...more }],
  });
const at = (block: object, more: object = {}, request: object = {}): string =>
  action(
    { path: '/warm', ...request },
    { api: 'things', ...more },
    { http: { things: { base_url: 'https://things.example/v1', auth: { bearer_env: 'FIRST_TOKEN' }, ...block } } },
  );
const oauth = (more: object) => ({
  auth: { oauth_client_credentials: { client_id_env: 'CLIENT_ID', client_secret_env: 'SECOND_TOKEN', ...more } },
});

describe("a plan names every host that is not the provider's own", () => {
  it.each<[what: string, plan: string, origins: readonly string[], env?: Readonly<Record<string, string>>]>([
    ['of an API that the plan describes', at({}), ['https://things.example']],
    [
      'of a known provider at another address',
      `${planOf(lines.dns)}providers: { http: { cloudflare: { base_url: "https://thief.example:8443/v4" } } }\n`,
      ['https://thief.example:8443'],
    ],
    ['in the variable that a plan names', at({ base_url_env: 'WHERE' }), ['https://thief.example'], { WHERE: 'https://thief.example/x' }],
    [
      'in the variable that a provider has',
      planOf(lines.dns),
      ['https://thief.example'],
      { CLOUDFLARE_API_URL: 'https://thief.example/x' },
    ],
    [
      'of an adapter',
      'version: 1\nproviders: { vercel: { base_url: "https://thief.example" } }\nchanges: [{ id: v, adapter: vercel, op: env, project: shop, key: A, value: b }]\n',
      ['https://thief.example'],
      { VERCEL_TOKEN: 'vercel-token-0123456789' },
    ],
    [
      'that tokens are asked for at',
      at(oauth({ token_url: 'https://sign-in.example/token' })),
      ['https://sign-in.example', 'https://things.example'],
    ],
    [
      'that a variable has tokens asked for at',
      at(oauth({ token_url_env: 'WHERE' })),
      ['https://thief.example', 'https://things.example'],
      { WHERE: 'https://thief.example/token' },
    ],
    [
      'that secrets are read from',
      action({ url: 'https://app.example/go', headers: { 'x-key': { secret: 'vault://kv/shop#key' } } }),
      ['https://app.example', 'https://vault.example'],
      { VAULT_ADDR: 'https://vault.example/', VAULT_TOKEN: 'vault-token-0123456789' },
    ],
    [
      'that a program reads secrets from',
      action({ url: 'https://app.example/go', headers: { 'x-key': { secret: 'bws://be8e0ad8-d545-4017-a55a-b02f014d4158' } } }),
      ['https://app.example', 'https://bws.example'],
      { BWS_SERVER_URL: 'https://bws.example', BWS_ACCESS_TOKEN: 'bws-token-0123456789' },
    ],
    ['that an action names itself', action({ url: 'https://app.example:444/go?key=1' }), ['https://app.example:444']],
    ['of a tenant of its own', planOf(lines.callback), ['https://acme.eu.auth0.com']],
    ['and no other', planOf(lines.dns, lines.payments), []],
  ])('%s', async (_, plan, origins, more = {}) => {
    const { plan: look } = await open(plan);
    const doc = await look({ env: { ...env, ...more } });
    expect(doc.hosts?.map(({ origin }) => origin) ?? []).toEqual(origins);
    for (const text of readings(doc)) for (const origin of origins) expect(text).toContain(origin);
    if (origins.length === 0) for (const text of readings(doc)) expect(text).not.toContain('Hosts that are not');
  });

  it('with the lines that send there', async () => {
    const { plan } = await open(planOf(lines.dns, lines.callback, lines.logout));
    expect((await plan()).hosts).toEqual([{ origin: 'https://acme.eu.auth0.com', lines: ['callback', 'logout'] }]);
  });

  it('by its origin, also where its variable is a secret: neither its path nor a password shows', async () => {
    const { plan } = await open(at({ base_url_env: 'HOOK_SECRET' }));
    const secret = { HOOK_SECRET: 'https://hooks.example/services/T012345/B012345/hidden0123456789' };
    const doc = await plan({ env: { ...env, ...secret } });
    expect(doc.hosts).toEqual([{ origin: 'https://hooks.example', lines: ['warm'] }]);
    for (const text of [...readings(doc), JSON.stringify(doc)]) {
      expect(text).toContain('https://hooks.example');
      expect(text).not.toMatch(/hidden0123456789|T012345/);
    }
  });

  it('to the person whom an agent has asked', async () => {
    const { plan } = await open(at({}));
    const form = approvalForm(await plan({ env }), { isDestroy: false, command: 'pilotfish apply' });
    expect(JSON.stringify(form)).toContain("Sends to https://things.example, which is not the provider's own host: warm");
  });
});

describe('what goes by the ledger names its host', () => {
  const hosts = [{ origin: 'https://api.cloudflare.com', lines: ['thing'] }];
  const receipt = async ({ store }: Shop): Promise<unknown> => JSON.parse((await store().read(branch))?.files.get('receipt.json') ?? '{}');

  it('an apply, its receipt, the plan of its destroy, and the destroy with its receipt, which have no plan', async () => {
    const world = await open(openRecord({}));
    const applied = await world.apply();
    expect(applied).toMatchObject({ status: 'complete', hosts });
    expect(await receipt(world)).toMatchObject({ hosts: ['https://api.cloudflare.com'] });
    await world.write('version: 1\nchanges: []\n');
    const planned = await world.plan({ destroy: true });
    const destroyed = await world.destroy();
    expect(destroyed.status).toBe('complete');
    for (const doc of [planned, destroyed]) {
      expect(doc.hosts).toEqual(hosts);
      for (const text of readings(doc)) expect(text).toContain('https://api.cloudflare.com');
    }
    expect(await receipt(world)).toMatchObject({ command: 'destroy', hosts: ['https://api.cloudflare.com'] });
  });

  it('the sweep of closed pull requests', async () => {
    const pulls = await openPulls(openRecord({}));
    try {
      pulls.pulls.world.open(12, shaA, 'feature');
      await pulls.apply(pulls.asked(await pulls.pullEvent('opened', {}, 12), { pr: 12 }));
      pulls.pulls.world.close(12);
      const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = pulls.request({ env: { GITHUB_REPOSITORY: 'acme/shop' } });
      const asked = { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env, keepReceiptsDays: 90 };
      const doc = await runClosed(asked, { dispatcher: pulls.dispatcher, store: pulls.store(), clock: pulls.clock });
      expect(doc.scopes).toMatchObject([{ outcome: 'destroyed', hosts }]);
      for (const text of [closedText(doc, plainStyles), readable(markdownOf(doc, { longest: 60_000 }))])
        expect(text).toContain('https://api.cloudflare.com');
    } finally {
      await pulls.close();
    }
  });
});
