import { asking } from 'pilotfish-sandbox/ask';
import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const account = '023e105f4ecef8ad9ca31a8372d0c353';
const shop = `/client/v4/accounts/${account}/pages/projects/shop`;
let simulations: ReturnType<typeof cloudflare>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = cloudflare();
  simulations.push(simulation);
  const project = simulation.world.addPages(account, 'shop', { A: { type: 'plain_text', value: 'a' } });
  return { simulation, project, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens[token]}` }) };
}
const patch = (vars: unknown, more = {}) => ({ deployment_configs: { preview: { env_vars: vars, ...more } } });

it('a patch is merged by name: null takes one away, and what is not sent stays', async () => {
  const { project, ask } = world();
  expect((await ask('PATCH', shop, patch({ B: { type: 'secret_text', value: 'hunter2-hunter2' } }))).status).toBe(200);
  expect(project.configs.preview.env_vars).toEqual({
    A: { type: 'plain_text', value: 'a' },
    B: { type: 'secret_text', value: 'hunter2-hunter2' },
  });
  const after = await ask('PATCH', shop, patch({ A: null }));
  expect(after.at('result', 'deployment_configs', 'preview', 'env_vars')).toEqual({ B: { type: 'secret_text', value: '' } });
  await ask('PATCH', shop, patch({ B: null }));
  expect((await ask('GET', shop)).at('result', 'deployment_configs', 'preview', 'env_vars')).toBeNull();
});

it('a deploy with a Wrangler configuration removes plain variables, keeps secrets and shows its hash', async () => {
  const { simulation, project, ask } = world();
  await ask('PATCH', shop, patch({ B: { type: 'secret_text', value: 'hunter2-hunter2' } }));
  simulation.world.deployWithWrangler(project, 'f00d');
  const preview = (await ask('GET', shop)).at('result', 'deployment_configs', 'preview');
  expect(preview).toMatchObject({ env_vars: { B: { type: 'secret_text' } }, wrangler_config_hash: 'f00d' });
});

it.each([
  ['an unknown kind', patch({ B: { type: 'json', value: '1' } })],
  ['no value', patch({ B: { type: 'plain_text' } })],
  ['an unknown member', patch({}, { compatibility_date: '2026-01-01' })],
  ['a list', []],
])('%s is refused', async (_, body) => {
  const { project, ask } = world();
  expect((await ask('PATCH', shop, body)).status).toBe(400);
  expect(Object.keys(project.configs.preview.env_vars)).toEqual(['A']);
});

it('projects that are not there, and credentials that may not, are refused', async () => {
  expect((await world().ask('GET', `${shop}-none`)).at('errors', 0, 'code')).toBe(8000007);
  expect((await world('readOnly').ask('PATCH', shop, patch({}))).status).toBe(403);
  expect((await world('blind').ask('GET', shop)).status).toBe(403);
});
