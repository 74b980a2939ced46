import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { runApply, runPlan } from '../../src/engine/run.ts';
import { openStage } from '../support/stage.ts';
import { mswDispatcher } from '../support/via-msw.ts';

const token = 'acme-token-0123456789';
const base = 'https://api.acme.example/v1';

const thing = (more: Record<string, unknown> = {}) => ({
  id: 'thing',
  adapter: 'http',
  op: 'resource',
  api: 'acme',
  find: { path: '/things', list_path: '', match: { '/name': 'pr-12' } },
  create: { path: '/things' },
  update: { path: '/things/{id}' },
  delete: { path: '/things/{id}' },
  fields: { name: 'pr-12', size: 1 },
  ...more,
});

/** A provider with a list of things, and one answer of its own to each write. */
async function open(write: (method: string) => { readonly status: number; readonly body: unknown } | null, line: unknown = thing()) {
  const things: { id: string; name: string; size: number }[] = [];
  const writes: string[] = [];
  const dispatcher = mswDispatcher([
    http.all(`${base}/*`, async ({ request }) => {
      const { method } = request;
      if (method === 'GET') return HttpResponse.json(things);
      writes.push(method);
      const own = write(method);
      if (own) return HttpResponse.json(own.body as Record<string, unknown>, { status: own.status });
      if (method === 'DELETE') return HttpResponse.json(things.splice(0)[0] ?? {});
      const body = (await request.json()) as { name: string; size: number };
      things.push({ id: 't1', ...body });
      return HttpResponse.json(things[0], { status: 201 });
    }),
  ]);
  const planOf = (one: unknown) =>
    JSON.stringify({ version: 1, providers: { http: { acme: { base_url: base, auth: { bearer_env: 'ACME_TOKEN' } } } }, changes: [one] });
  const stage = await openStage({ simulations: [], env: { ACME_TOKEN: token }, plan: planOf(line) });
  onTestFinished(() => stage.close());
  const world = () => ({ dispatcher, store: stage.store(), repository: null });
  return {
    things,
    writes,
    stage,
    change: (one: unknown) => stage.write(planOf(one)),
    plan: () => runPlan(stage.request(), world()),
    apply: (change: Parameters<typeof stage.request>[0] = {}) => runApply(stage.request(change), world()),
  };
}

const words = [
  { error: `no room for ${token}: the plan allows two` },
  { error: { message: `no room for ${token}: the plan allows two` } },
  { errors: [{ detail: `no room for ${token}: the plan allows two` }] },
  { ok: false, message: `no room for ${token}: the plan allows two` },
  { failed: [{ message: `no room for ${token}: the plan allows two` }] },
  { message: `no room for ${token}: the plan allows two` },
];

test.each(words)('a success that says %j to a create is told in the words of the provider', async (body) => {
  for (const status of [200, 201, 202]) {
    const { apply, things, stage } = await open((method) => (method === 'POST' ? { status, body } : null));
    const doc = await apply();
    expect(doc).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('the plan allows two') } });
    expect(JSON.stringify(doc)).not.toContain(token);
    expect(things).toEqual([]);
    expect((await stage.ledger()).records.size).toBe(0);
  }
});

test('a success that says an error to an update or a delete is none', async () => {
  let fails = false;
  const { apply, change, things, stage } = await open(() => (fails ? { status: 200, body: { error: 'things are frozen' } } : null));
  expect(await apply()).toMatchObject({ ok: true });
  fails = true;
  await change(thing({ fields: { name: 'pr-12', size: 2 } }));
  const told = { ok: false, error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('things are frozen') } };
  expect(await apply()).toMatchObject(told);
  expect(await apply({ destroy: true })).toMatchObject(told);
  expect(things).toHaveLength(1);
  expect((await stage.ledger()).records.size).toBe(1);
});

test.each([{ error: null }, { errors: [] }, { error: '', ok: true }, { failed: 0 }])('%j beside the object is no error', async (more) => {
  const { apply } = await open((method) =>
    method === 'POST' ? { status: 201, body: { id: 't1', name: 'pr-12', size: 1, ...more } } : null,
  );
  expect(await apply()).toMatchObject({ ok: true });
});
