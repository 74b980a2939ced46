import { asking } from 'pilotfish-sandbox/ask';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { unleash } from 'pilotfish-sandbox/unleash';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const environment = '/api/admin/projects/shop/features/checkout/environments/development';
const strategies = `${environment}/strategies`;
let simulations: ReturnType<typeof unleash>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = unleash();
  simulations.push(simulation);
  simulation.world.addFlag('shop', 'checkout', ['development', 'production']);
  simulation.world.addFlag('shop', 'search', ['development']);
  return { simulation, ask: asking(simulation, { authorization: simulation.tokens[token] }) };
}
const forHost = (host: string) => ({ contextName: 'host', operator: 'IN', values: [host] });
const rollout = { name: 'flexibleRollout', title: 'preview', constraints: [forHost('pr-7.example')] };

describe('unleash strategies', () => {
  it('a flexible rollout is filled up with its default parameters', async () => {
    const { ask } = world();
    const made = await ask('POST', strategies, { ...rollout, parameters: { rollout: '50' } });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      name: 'flexibleRollout',
      title: 'preview',
      disabled: false,
      constraints: [forHost('pr-7.example')],
      parameters: { rollout: '50', stickiness: 'default', groupId: 'checkout' },
      variants: [],
      segments: [],
    });
    expect((await ask('GET', `${strategies}/${String(made.at('id'))}`)).body).toEqual(made.body);
  });

  it('the list is a bare array, and the environment shows the same', async () => {
    const { simulation, ask } = world();
    simulation.world.addStrategy('shop', 'checkout', 'development', { name: 'default', title: 'by hand' });
    const list = await ask('GET', strategies);
    expect(list.body).toMatchObject([{ name: 'default', title: 'by hand', milestoneId: null }]);
    expect((await ask('GET', environment)).body).toMatchObject({ name: 'development', enabled: false, strategies: [{ title: 'by hand' }] });
  });

  it('an equal strategy is made a second time: nothing is unique', async () => {
    const { ask } = world();
    const first = await ask('POST', strategies, rollout);
    const second = await ask('POST', strategies, rollout);
    expect(second.at('id')).not.toBe(first.at('id'));
    expect((await ask('GET', strategies)).body).toHaveLength(2);
  });

  it('an update empties constraints, variants and parameters that it leaves out, and keeps the rest', async () => {
    const { ask } = world();
    const path = `${strategies}/${String((await ask('POST', strategies, { ...rollout, segments: [3] })).at('id'))}`;
    const named = await ask('PUT', path, { name: 'flexibleRollout', title: 'other' });
    expect(named.body).toMatchObject({ title: 'other', constraints: [], segments: [3], parameters: { rollout: '100' } });
    const unnamed = await ask('PUT', path, { constraints: [forHost('a')] });
    expect(unnamed.body).toMatchObject({ name: 'flexibleRollout', title: 'other', constraints: [forHost('a')], parameters: {} });
  });

  it('a constraint without values is stored with none', async () => {
    const { ask } = world();
    const made = await ask('POST', strategies, { name: 'default', constraints: [{ contextName: 'age', operator: 'NUM_GT', value: '7' }] });
    expect(made.at('constraints', 0)).toEqual({ contextName: 'age', operator: 'NUM_GT', value: '7', values: [] });
  });

  it('the flag is turned off when its last enabled strategy goes', async () => {
    const { simulation, ask } = world();
    const live = simulation.world.environment('shop', 'checkout', 'development');
    const first = simulation.world.addStrategy('shop', 'checkout', 'development', { name: 'default' });
    const second = simulation.world.addStrategy('shop', 'checkout', 'development', { name: 'default', disabled: true });
    live.enabled = true;
    await ask('PUT', `${strategies}/${second.id}`, { name: 'default', title: 'still off' });
    expect(live.enabled).toBe(true);
    const gone = await ask('DELETE', `${strategies}/${first.id}`);
    expect([gone.status, gone.body]).toEqual([200, null]);
    expect(live.enabled).toBe(false);
    expect((await ask('DELETE', `${strategies}/${first.id}`)).status).toBe(404);
  });

  it('a strategy of another flag is forbidden, without a body; an absent one is 404', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addStrategy('shop', 'search', 'development', { name: 'default' });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const asked = await ask(method, `${strategies}/${id}`, method === 'PUT' ? { name: 'default' } : undefined);
      expect([asked.status, asked.body]).toEqual([403, null]);
    }
    expect((await ask('GET', `${strategies}/01ABSENT`)).body).toMatchObject({ name: 'NotFoundError' });
  });

  it.each([
    ['no type', { title: 'no name' }],
    ['an unknown type', { name: 'no-such-type' }],
    ['an unknown operator', { name: 'default', constraints: [{ contextName: 'host', operator: 'IS' }] }],
    ['a member that constraints do not have', { name: 'default', constraints: [{ ...forHost('a'), note: 'x' }] }],
    ['a value of more than 100 characters', { name: 'default', constraints: [forHost('h'.repeat(101))] }],
    ['an empty value', { name: 'default', constraints: [forHost('')] }],
    ['a number that is none', { name: 'default', constraints: [{ contextName: 'age', operator: 'NUM_GT', value: 'old' }] }],
    ['a date that is none', { name: 'default', constraints: [{ contextName: 'since', operator: 'DATE_AFTER', value: 'soon' }] }],
    ['a value outside the legal ones', { name: 'default', constraints: [{ contextName: 'region', operator: 'IN', values: ['mars'] }] }],
    ['a variant without its required members', { name: 'default', variants: [{ name: 'a', weight: 1 }] }],
  ])('a body with %s is 400 and changes nothing', async (_, body) => {
    const { simulation, ask } = world();
    simulation.world.state.legalValues.region = ['eu', 'us'];
    const made = await ask('POST', strategies, body);
    expect([made.status, made.at('name')]).toEqual([400, 'BadDataError']);
    expect(simulation.world.environment('shop', 'checkout', 'development').strategies).toEqual([]);
  });

  it('parameters are kept as texts, and empty ones of a gradual rollout are filled in', async () => {
    const { ask } = world();
    const parameters = { rollout: 50, stickiness: '', groupId: null, on: true, who: { team: 'web' } };
    expect((await ask('POST', strategies, { name: 'flexibleRollout', parameters })).at('parameters')).toEqual({
      rollout: '50',
      stickiness: 'default',
      groupId: 'checkout',
      on: 'true',
      who: '{"team":"web"}',
    });
  });

  it('a body that is not JSON is 415', async () => {
    const { ask } = world();
    expect((await ask('POST', strategies, 'name=default', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('strategies and constraints have limits', async () => {
    const { simulation, ask } = world();
    simulation.world.state.strategyLimit = 1;
    await ask('POST', strategies, rollout);
    expect((await ask('POST', strategies, rollout)).at('name')).toBe('ExceedsLimitError');
    simulation.world.state.strategyLimit = 30;
    const many = { name: 'default', constraints: Array.from({ length: 31 }, () => forHost('a')) };
    expect((await ask('POST', strategies, many)).at('name')).toBe('ExceedsLimitError');
  });

  it('where changes need an approval, every write is forbidden', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addStrategy('shop', 'checkout', 'development', { name: 'default' });
    simulation.world.state.changeRequests.push('shop/development');
    expect((await ask('POST', strategies, rollout)).status).toBe(403);
    expect((await ask('PUT', `${strategies}/${id}`, rollout)).status).toBe(403);
    expect((await ask('DELETE', `${strategies}/${id}`)).status).toBe(403);
    expect((await ask('GET', strategies)).status).toBe(200);
  });

  it.each([strategies.replace('shop', 'none'), strategies.replace('checkout', 'none'), strategies.replace('development', 'none')])(
    'an absent project, flag or environment is 404: %s',
    async (path) => {
      expect((await world().ask('GET', path)).status).toBe(404);
    },
  );

  it('the token stands alone in its header; a scheme before it is a wrong token', async () => {
    const { simulation, ask } = world();
    expect((await ask('GET', strategies, undefined, { authorization: `Bearer ${simulation.tokens.full}` })).status).toBe(401);
    expect((await world('blind').ask('GET', strategies)).status).toBe(404);
    const reader = world('readOnly').ask;
    expect((await reader('GET', strategies)).status).toBe(200);
    expect((await reader('POST', strategies, rollout)).at('name')).toBe('PermissionError');
  });
});
