import { refusalOf, type WireRequest } from 'pilotfish-sandbox/kit/aws-v4-verifier';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runApply, runPlan } from '../../src/engine/run.ts';
import { DigestGuard } from '../support/digest-guard.ts';
import { loopback, type WireReply } from '../support/loopback.ts';
import { openStage } from '../support/stage.ts';

const env = {
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  ATLAS_PUBLIC_ID: 'public-id',
  ATLAS_PRIVATE_KEY: 'private-key-0123456789',
  // On real connections: a busy machine may take its time.
  PILOTFISH_REQUEST_DEADLINE_MS: '10000',
  PILOTFISH_LEASE_MS: '30000',
};

const forms = {
  aws_v4: `
      auth: { aws_v4: { access_key_id_env: AWS_ACCESS_KEY_ID, secret_access_key_env: AWS_SECRET_ACCESS_KEY, service: indexes } }
      region: eu-west-1
      session_token_env: AWS_SESSION_TOKEN`,
  digest: `
      auth: { digest: { user_env: ATLAS_PUBLIC_ID, password_env: ATLAS_PRIVATE_KEY } }`,
};

const planOf = (base: string, block: string, more = ''): string => `version: 1
providers:
  http:
    indexes:
      base_url: ${base}${block}
changes:
  - id: index
    adapter: http
    op: resource
    api: indexes
    chosen_id: products-\${ctx.scope}
    read: { path: "/indexes/{id}" }
    create: { path: "/indexes/{id}", method: PUT }
    update: { path: "/indexes/{id}", method: PUT }
    delete: { path: "/indexes/{id}" }
    id_path: /id
    fields: { /ranking: price }
${more}`;

/** A provider of indexes behind a door. */
async function openWorld(form: keyof typeof forms, more = '', block = forms[form]) {
  const indexes = new Map<string, unknown>();
  const refused: string[] = [];
  const guard = new DigestGuard(env.ATLAS_PUBLIC_ID, env.ATLAS_PRIVATE_KEY, { uses: 3 });
  const inside = (request: WireRequest): WireReply => {
    const id = decodeURIComponent(request.target.split('/').at(-1) ?? '');
    if (request.method === 'PUT') indexes.set(id, { ...(JSON.parse(request.body.toString()) as object), id });
    const found = indexes.get(id);
    if (found === undefined) return { status: 404, body: '{"message":"no such index"}' };
    if (request.method === 'DELETE') indexes.delete(id);
    return { status: 200, body: JSON.stringify(found) };
  };
  const { block: served, requests } = await loopback(
    (request) => {
      if (form === 'digest') return guard.check(request, () => inside(request));
      const accounts = { [env.AWS_ACCESS_KEY_ID]: { secret: env.AWS_SECRET_ACCESS_KEY } };
      const code = refusalOf(request, { accounts, region: 'eu-west-1', service: 'indexes', now: Date.now() });
      if (code === null) return inside(request);
      refused.push(code);
      return { status: 403, body: JSON.stringify({ __type: code }) };
    },
    { block: { auth: null }, env: {} },
  );
  const stage = await openStage({ simulations: [], env, plan: planOf(served.base_url, block, more) });
  const dispatcher = new Agent();
  onTestFinished(async () => {
    await dispatcher.close();
    await stage.close();
  });
  const world = () => ({ dispatcher, store: stage.store() });
  return {
    indexes,
    refused,
    puts: () => requests.filter(({ method, headers }) => method === 'PUT' && headers.authorization !== undefined).length,
    stage,
    plan: () => runPlan(stage.request(), world()),
    apply: () => runApply(stage.request(), world()),
    destroy: () => runApply(stage.request({ destroy: true }), world()),
  };
}

describe.each(['aws_v4', 'digest'] as const)('a run whose API asks for %s', (form) => {
  it('makes its object, leaves it alone, and takes it away with nothing but the ledger', async () => {
    const world = await openWorld(form);
    expect(await world.apply()).toMatchObject({ ok: true });
    expect([...world.indexes]).toEqual([['products-pr-12', { id: 'products-pr-12', ranking: 'price' }]]);
    expect(await world.apply()).toMatchObject({ ok: true });
    expect(world.puts()).toBe(1);
    const [record] = (await world.stage.ledger()).records.values();
    expect(record?.provider).toMatchObject(
      form === 'aws_v4'
        ? { region: 'eu-west-1', session_token_env: 'AWS_SESSION_TOKEN' }
        : { auth: { digest: { user_env: 'ATLAS_PUBLIC_ID' } } },
    );
    const bytes = await world.stage.bytes();
    for (const secret of [env.AWS_SECRET_ACCESS_KEY, env.ATLAS_PRIVATE_KEY]) expect(bytes).not.toContain(secret);
    await world.stage.write('version: 1\nchanges: []\n');
    expect(await world.destroy()).toMatchObject({ ok: true });
    expect(world.indexes.size).toBe(0);
    expect(world.refused).toEqual([]);
  });
});

describe('before any request', () => {
  it('a credential of a line cannot replace a pair of keys', async () => {
    const world = await openWorld('aws_v4', '    credential: { secret: env://ATLAS_PRIVATE_KEY }\n');
    await expect(world.plan()).rejects.toMatchObject({
      failures: [{ code: 'PLAN_INVALID', detail: expect.stringContaining('does not send one single value'), place: { line: 21 } }],
    });
  });

  it('a block that signs names its region, at its place', async () => {
    const world = await openWorld('aws_v4', '', forms.aws_v4.replace(/\n *region: .*/, ''));
    await expect(world.plan()).rejects.toMatchObject({
      failures: [
        {
          code: 'PLAN_INVALID',
          detail: expect.stringContaining('indexes signs its requests, so its block needs region'),
          place: { line: 4 },
        },
      ],
    });
  });
});
