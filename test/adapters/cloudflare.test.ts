import { cloudflare as simulate } from 'pilotfish-sandbox/cloudflare';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, test } from 'vitest';
import { cloudflare } from '../../src/adapters/cloudflare/index.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const account_id = '023e105f4ecef8ad9ca31a8372d0c353';
const env = { SHOP_SECRET: 'hunter2-hunter2', NEXT_SECRET: 'hunter3-hunter3' };
const secret = (name: string) => ({ secret: `env://${name}` });

async function open(run: (shop: Awaited<ReturnType<typeof openShop>>) => Promise<void>): Promise<void> {
  const shop = await openShop();
  try {
    await run(shop);
    verifyHandled([shop.simulation]);
    expectContracts([shop.simulation]);
  } finally {
    await shop.stage.close();
  }
}

async function openShop() {
  const clock = new LeapingClock();
  const simulation = simulate({ clock });
  const project = simulation.world.addPages(account_id, 'shop', { THEIRS: { type: 'secret_text', value: 'theirs-12345678' } });
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      CLOUDFLARE_API_TOKEN: simulation.tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '120000',
      ...env,
    },
    plan: planOf({}),
  });
  const plan = (lines: Lines) => stage.write(planOf(lines));
  const bodies = () => simulation.writes().map(({ body }) => body);
  const reads = () => simulation.log.filter(({ write }) => !write).length;
  return { simulation, project, stage, plan, bodies, reads, vars: project.configs.preview.env_vars };
}

type Lines = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function planOf(lines: Lines): string {
  const changes = Object.entries(lines).map(([name, params]) => ({
    id: name.toLowerCase().replaceAll('_', '-'),
    adapter: 'cloudflare',
    op: 'pages_env',
    account_id,
    project_name: 'shop',
    name: name.replace(/^LIVE_/, ''),
    ...params,
  }));
  return JSON.stringify({ version: 1, changes });
}

test('all lines of a project are one read, one write and one read that verifies, and nothing of others is sent', () =>
  open(async ({ stage, plan, bodies, reads, vars, simulation }) => {
    await plan({ A: { value: 'a' }, B: { value: secret('SHOP_SECRET') }, C: { value: 'c' } });
    expect(await stage.apply()).toMatchObject({ ok: true });
    const made = {
      A: { type: 'plain_text', value: 'a' },
      B: { type: 'secret_text', value: env.SHOP_SECRET },
      C: { type: 'plain_text', value: 'c' },
    };
    expect(bodies()).toEqual([{ deployment_configs: { preview: { env_vars: made } } }]);
    expect(reads()).toBe(3);
    const before = simulation.log.length;
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(simulation.log.slice(before).map(({ method }) => method)).toEqual(['GET']);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(bodies().at(-1)).toEqual({ deployment_configs: { preview: { env_vars: { A: null, B: null, C: null } } } });
    expect(Object.keys(vars)).toEqual(['THEIRS']);
  }));

test('preview and production of one project share a write, and both stand', () =>
  open(async ({ stage, plan, bodies, project }) => {
    await plan({ A: { value: 'a' }, LIVE_A: { value: secret('SHOP_SECRET'), deployment_config: 'production' } });
    expect(await stage.apply({ approvedBy: 'ada' })).toMatchObject({ ok: true });
    expect(bodies()).toHaveLength(1);
    expect(project.configs.preview.env_vars.A).toEqual({ type: 'plain_text', value: 'a' });
    expect(project.configs.production.env_vars.A).toEqual({ type: 'secret_text', value: env.SHOP_SECRET });
  }));

test('production is refused without an approval, before any request', () =>
  open(async ({ stage, plan, simulation }) => {
    await plan({ A: { value: 'a', deployment_config: 'production' } });
    await expect(stage.apply()).rejects.toThrow('ENV_NOT_APPROVED');
    expect(simulation.log).toEqual([]);
  }));

test.each(['', '**********'])('a secret is known by its fingerprint, whatever a read shows (%j)', (secretsShow) =>
  open(async ({ stage, plan, simulation, vars, bodies }) => {
    simulation.world.state.pages.secretsShow = secretsShow;
    await plan({ A: { value: secret('SHOP_SECRET') } });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
    // A change from outside cannot be seen, one of the plan is.
    Object.assign(vars, { A: { type: 'secret_text', value: 'changed-outside' } });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
    await plan({ A: { value: secret('NEXT_SECRET') } });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'update', drift: 'none' }] });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(vars.A).toEqual({ type: 'secret_text', value: env.NEXT_SECRET });
    expect(bodies()).toHaveLength(2);
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  }),
);

test('--recreate writes a secret again, although it stands and nobody can read what it holds', () =>
  open(async ({ stage, plan, vars, bodies }) => {
    await plan({ A: { value: secret('SHOP_SECRET') } });
    await stage.apply();
    Object.assign(vars, { A: { type: 'secret_text', value: 'changed-outside' } });
    expect(await stage.apply({ recreate: ['a'] })).toMatchObject({ ok: true });
    expect(bodies()).toHaveLength(2);
    expect(vars.A).toEqual({ type: 'secret_text', value: env.SHOP_SECRET });
  }));

test('a secret that a failed run may have written is written again, whatever the record of an earlier one says', () =>
  open(async ({ stage, plan, simulation, vars }) => {
    await plan({ A: { value: secret('SHOP_SECRET') } });
    await stage.apply();
    delete vars.A;
    await plan({ A: { value: secret('NEXT_SECRET') } });
    const lost = simulation.faults.loseAnswer({ method: 'PATCH' }, 20);
    expect(await stage.apply()).toMatchObject({ ok: false });
    expect(vars.A).toEqual({ type: 'secret_text', value: env.NEXT_SECRET });
    lost.disarm();
    await plan({ A: { value: secret('SHOP_SECRET') } });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(vars.A).toEqual({ type: 'secret_text', value: env.SHOP_SECRET });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  }));

test('a plain value that somebody made secret is drift, and so is the other way round', () =>
  open(async ({ stage, plan, vars }) => {
    await plan({ A: { value: 'a' }, B: { value: secret('SHOP_SECRET') } });
    await stage.apply();
    Object.assign(vars, { A: { type: 'secret_text', value: 'a' }, B: { type: 'plain_text', value: env.SHOP_SECRET } });
    expect(await stage.plan()).toMatchObject({
      lines: [
        { verdict: 'update', drift: 'changed' },
        { verdict: 'update', drift: 'changed' },
      ],
    });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(vars).toMatchObject({ A: { type: 'plain_text', value: 'a' }, B: { type: 'secret_text', value: env.SHOP_SECRET } });
  }));

test('the hash of a Wrangler configuration goes back as it was read, also with a delete', () =>
  open(async ({ stage, plan, simulation, project, bodies }) => {
    simulation.world.deployWithWrangler(project, 'f00d');
    await plan({ A: { value: secret('SHOP_SECRET') } });
    expect(await stage.apply()).toMatchObject({ ok: true });
    simulation.world.deployWithWrangler(project, 'beef');
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(bodies()).toEqual([
      {
        deployment_configs: { preview: { env_vars: { A: { type: 'secret_text', value: env.SHOP_SECRET } }, wrangler_config_hash: 'f00d' } },
      },
      { deployment_configs: { preview: { env_vars: { A: null }, wrangler_config_hash: 'beef' } } },
    ]);
  }));

test('a plain value beside a Wrangler configuration gets a note; the next deploy removes it, which is drift and put back once', () =>
  open(async ({ stage, plan, simulation, project, vars }) => {
    await plan({ A: { value: 'a' }, B: { value: secret('SHOP_SECRET') } });
    const first = await stage.apply();
    expect(first.lines.map(({ notes }) => notes)).toEqual([undefined, undefined]);
    simulation.world.deployWithWrangler(project, 'f00d');
    expect(Object.keys(vars)).toEqual(['THEIRS', 'B']);
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create', drift: 'missing' }, { verdict: 'none' }] });
    const again = await stage.apply();
    expect(again.lines.map(({ notes }) => notes)).toEqual([
      [expect.stringContaining('Wrangler configuration, and its next deploy removes A')],
      undefined,
    ]);
    expect(vars.A).toEqual({ type: 'plain_text', value: 'a' });
    expect(simulation.writes()).toHaveLength(2);
  }));

test('a project that is not there is named, and a variable of it is not taken for missing', () =>
  open(async ({ stage, plan, simulation }) => {
    await plan({ A: { value: 'a', project_name: 'none' } });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
    expect(simulation.writes()).toEqual([]);
  }));

test('only the configuration production writes production, and secrets of Workers are said not to be covered', () => {
  const op = cloudflare.ops.pages_env;
  expect(
    [{}, { deployment_config: 'preview' }, { deployment_config: 'production' }].map((params) => op?.writesProduction?.(params)),
  ).toEqual([false, false, true]);
  expect(op?.doc).toContain('Workers');
});
