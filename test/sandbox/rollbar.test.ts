import { asking } from 'pilotfish-sandbox/ask';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { rollbar } from 'pilotfish-sandbox/rollbar';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { expectContracts } from '../contracts/expect.ts';

let simulations: ReturnType<typeof rollbar>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  let time = 1_772_337_600_000;
  const clock: Clock = { now: () => time, mono: () => time, sleep: async () => {} };
  const simulation = rollbar({ clock, ahead: 0 });
  simulations.push(simulation);
  const pass = (ms: number) => {
    time += ms;
  };
  return { simulation, pass, ask: asking(simulation, { 'x-rollbar-access-token': simulation.tokens[token] }) };
}
const wanted = { environment: 'preview', revision: 'abc123', status: 'started', comment: 'pr-7' };

describe('rollbar deploys', () => {
  it('the id of a report is at /data/deploy_id, that of an update at /result/id', async () => {
    const { ask, pass } = world();
    const made = await ask('POST', '/api/1/deploy', wanted);
    expect(made.status).toBe(200);
    const id = made.at('data', 'deploy_id');
    pass(5000);
    const done = await ask('PATCH', `/api/1/deploy/${String(id)}`, { status: 'succeeded' });
    expect(done.body).toMatchObject({
      err: 0,
      result: {
        id,
        environment: 'preview',
        revision: 'abc123',
        status: 'succeeded',
        comment: 'pr-7',
        start_time: 1_772_337_600,
        finish_time: 1_772_337_605,
      },
    });
    expect((await ask('GET', `/api/1/deploy/${String(id)}`)).body).toEqual(done.body);
  });

  it('a repeated report is another deploy', async () => {
    const { simulation, ask } = world();
    await ask('POST', '/api/1/deploy', wanted);
    await ask('POST', '/api/1/deploy', wanted);
    expect(simulation.world.deploys).toHaveLength(2);
  });

  it('a form is taken as well as JSON', async () => {
    const { simulation, ask } = world();
    const form = new URLSearchParams({ environment: 'preview', revision: 'abc' });
    expect((await ask('POST', '/api/1/deploy', form)).status).toBe(200);
    expect(simulation.world.deploys[0]).toMatchObject({ environment: 'preview', revision: 'abc', comment: null });
  });

  it.each([
    ['no environment', { revision: 'abc' }],
    ['no revision', { environment: 'preview' }],
    ['an unknown status', { ...wanted, status: 'done' }],
    ['a revision that is a number', { ...wanted, revision: 7 }],
    ['a revision of more than 255 characters', { ...wanted, revision: 'a'.repeat(256) }],
  ])('a report with %s is 422 and stores nothing', async (_, body) => {
    const { simulation, ask } = world();
    const made = await ask('POST', '/api/1/deploy', body);
    expect([made.status, made.at('err')]).toEqual([422, 1]);
    expect(simulation.world.deploys).toEqual([]);
  });

  it('an absent deploy is 404', async () => {
    const { ask } = world();
    expect((await ask('GET', '/api/1/deploy/1')).status).toBe(404);
    expect((await ask('PATCH', '/api/1/deploy/1', { status: 'failed' })).status).toBe(404);
  });

  it('a token that reports cannot read back; one that reads cannot report', async () => {
    const { simulation, ask } = world();
    const report = { 'x-rollbar-access-token': simulation.world.reportToken };
    const made = await ask('POST', '/api/1/deploy', wanted, report);
    const path = `/api/1/deploy/${String(made.at('data', 'deploy_id'))}`;
    expect((await ask('GET', path, undefined, report)).status).toBe(403);
    const reading = { 'x-rollbar-access-token': simulation.tokens.readOnly };
    expect((await ask('GET', path, undefined, reading)).status).toBe(200);
    expect((await ask('POST', '/api/1/deploy', wanted, reading)).status).toBe(403);
  });

  it('a wrong token is 401, one without scopes 403, and neither is recorded', async () => {
    const { simulation, ask } = world();
    expect((await ask('POST', '/api/1/deploy', wanted, { 'x-rollbar-access-token': 'no' })).status).toBe(401);
    expect((await world('blind').ask('POST', '/api/1/deploy', wanted)).status).toBe(403);
    expect(simulation.exchanges[0]?.headers).not.toHaveProperty('x-rollbar-access-token');
  });
});
