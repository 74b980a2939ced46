import { expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { openField } from './kit/field.ts';
import { type DeploymentOptions, startDeployment } from './kit/inngest.ts';

const bypass = 'bypass-0123456789abcdef';

/** The real time, in which a back-off takes none; deadlines and leases are longer than any back-off. */
const hastyClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms < 10_000 ? 0 : ms, signal),
};

const planOf = (url: string, o: { readonly revision?: string; readonly headers?: string } = {}): string => `version: 1
changes:
  - id: sync
    adapter: http
    op: action
    trigger: { url: '${url}', path: /api/inngest, revision: '${o.revision ?? 'one'}' }
    request:
      method: PUT
      url: '${url}/api/inngest'${o.headers === undefined ? '' : `\n      headers: ${o.headers}`}
    outputs: { modified: /modified }
`;

const open = async (options: DeploymentOptions = {}, headers?: string, clock?: Clock) => {
  const app = await startDeployment(options);
  onTestFinished(() => app.stop());
  const plan = (revision = 'one'): string => planOf(app.url, { revision, ...(headers !== undefined && { headers }) });
  const field = await openField({ plan: plan(), env: { PREVIEW_BYPASS_SECRET: bypass }, ...(clock && { clock }) });
  const outputs = async (): Promise<unknown> => [...(await field.ledger()).records.values()].map((record) => record.outputs);
  return { app, field, plan, outputs };
};

it.each([{ isDev: false }, { isDev: true }])(
  'registers the functions of a deployment, and again for another revision: %o',
  async (mode) => {
    const { app, field, plan, outputs } = await open(mode);
    expect(await field.apply()).toMatchObject({ ok: true, stats: { requests: 1, writes: 1 } });
    expect(app.registrations).toHaveLength(1);
    expect(app.registrations[0]?.body).toMatchObject({
      url: `${app.url}/api/inngest`,
      appName: 'shop',
      functions: [{ id: 'shop-remind' }],
    });
    expect(await outputs()).toEqual([{ modified: true }]);

    expect(await field.apply()).toMatchObject({ ok: true, stats: { requests: 0, writes: 0 } });
    expect(app.registrations).toHaveLength(1);

    await field.write(plan('two'));
    expect(await field.apply()).toMatchObject({ ok: true });
    expect(app.registrations).toHaveLength(2);
    expect(await outputs()).toEqual([{ modified: false }]);
  },
);

it('sends the app nothing but the request: no credential, no body', async () => {
  const { app, field } = await open();
  await field.apply({ env: { SHOP_TOKEN: 'token-0123456789' } });
  const [request] = app.seen;
  expect(request).toMatchObject({ method: 'PUT', path: '/api/inngest' });
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.headers['x-inngest-signature']).toBeUndefined();
  expect(request?.headers['content-length'] ?? '0').toBe('0');
  expect(request?.headers['content-type']).toBeUndefined();
});

it('plans and destroys without a request', async () => {
  const { app, field } = await open();
  expect(await field.plan()).toMatchObject({ ok: true });
  expect(app.seen).toEqual([]);
  await field.apply();
  expect(await field.destroy()).toMatchObject({ ok: true });
  expect(app.seen).toHaveLength(1);
  expect((await field.ledger()).records.size).toBe(0);
});

it('passes a protected preview by its header, whose value nobody sees', async () => {
  const protection: DeploymentOptions['protection'] = ({ headers }) => (headers['x-protection-bypass'] === bypass ? null : 401);
  const { field, app } = await open({ protection }, '{ x-protection-bypass: { secret: env://PREVIEW_BYPASS_SECRET } }');
  const applied = await field.apply();
  expect(applied).toMatchObject({ ok: true });
  expect(app.registrations).toHaveLength(1);
  expect(JSON.stringify([applied, [...(await field.ledger()).records.values()]])).not.toContain(bypass);
});

it('says that a protected preview let nobody in', async () => {
  for (const [status, code] of [
    [401, 'PROVIDER_AUTH'],
    [302, 'PROVIDER_RESPONSE'],
  ] as const) {
    const { field, app } = await open({ protection: () => status });
    const applied = await field.apply();
    expect(applied.lines[0]?.error).toMatchObject({
      code,
      detail: expect.stringContaining(String(status)),
      fix: expect.stringMatching(/carries no credential.*`\{ secret \}` under `headers`/),
    });
    expect(app.seen).toHaveLength(1);
  }
});

it('says what an app answers that registers on signed requests only', async () => {
  const { field, app } = await open({ enableUnauthedSync: false });
  const applied = await field.apply();
  expect(applied.lines[0]?.error).toMatchObject({ code: 'PROVIDER_AUTH', detail: expect.stringContaining('Unauthorized') });
  expect(app.registrations).toEqual([]);
});

it('says what the vendor said to the app', async () => {
  const { field, app } = await open();
  Object.assign(app.answer, { status: 403, body: { error: 'This environment is archived.' } });
  const applied = await field.apply();
  expect(applied.lines[0]?.error).toMatchObject({
    code: 'PROVIDER_AUTH',
    detail: expect.stringContaining('This environment is archived.'),
  });
  expect((await field.ledger()).records.size).toBe(0);

  Object.assign(app.answer, { status: 200, body: {} });
  expect(await field.apply()).toMatchObject({ ok: true });
});

it('sends again what an app could not register, until it can', async () => {
  const { field, app } = await open({}, undefined, hastyClock);
  Object.assign(app.answer, { status: 500, body: { error: 'The vendor is out of order.' } });
  const applied = await field.apply();
  expect(applied.ok).toBe(false);
  expect(applied.lines[0]?.error).toMatchObject({
    code: 'PROVIDER_TRANSIENT',
    detail: expect.stringContaining('The vendor is out of order.'),
  });
  expect(app.seen.length).toBeGreaterThan(1);
  expect(app.seen.every(({ status }) => status() === 500)).toBe(true);

  Object.assign(app.answer, { status: 200, body: {} });
  expect(await field.apply()).toMatchObject({ ok: true });
});
