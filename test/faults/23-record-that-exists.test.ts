import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const zone = '5f0c1d2e3b4a59687786a5b4c3d2e1f0';
const name = 'pr-12.acme.example';
const target = 'cname.vercel-dns.com';
const plan = JSON.stringify({ version: 1, changes: [{ id: 'address', recipe: 'cloudflare.dns_cname', zone_id: zone, name, target }] });
const create = `POST /client/v4/zones/{zone}/dns_records`;

async function open() {
  const simulation = cloudflare();
  simulation.world.addZone('acme.example', zone);
  const stage = await openStage({
    simulations: [simulation],
    env: { CLOUDFLARE_API_TOKEN: simulation.tokens.full },
    plan,
    clock: new LeapingClock(),
  });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  const { world } = simulation;
  const addTheirs = (type = 'CNAME', content = target) => world.addRecord(zone, { type, name, content });
  /** Somebody makes a record in the dashboard after the look of the run and before its create. */
  const meanwhile = (act: () => unknown): void => {
    let isDone = false;
    simulation.faults.slow(({ method }) => {
      if (method === 'POST' && !isDone) {
        isDone = true;
        act();
      }
      return false;
    }, 0);
  };
  return { simulation, world, stage, addTheirs, meanwhile };
}

it.each([81053, 81057, 81058] as const)(
  'an identical record that somebody made between the look and the create is theirs, said by %i',
  async (code) => {
    const { world, stage, addTheirs, meanwhile } = await open();
    world.state.identical = code;
    meanwhile(() => addTheirs());
    const { ok, lines } = await stage.apply();
    expect([ok, lines[0]?.error?.code]).toEqual([false, 'RESOURCE_FOREIGN']);
    const { records, intents } = await stage.ledger();
    expect([records.size, intents.size]).toEqual([0, 0]);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.records(zone)).toHaveLength(1);
  },
);

it.each([81053, 81057, 81058] as const)(
  'a create whose answer was lost is claimed when its repeat is refused with %i, and made once',
  async (code) => {
    const { simulation, world, stage } = await open();
    world.state.identical = code;
    simulation.faults.loseAnswer(create);
    // The first look after it does not show it yet.
    const isSent = (): boolean => simulation.log.some(({ method }) => method === 'POST');
    simulation.faults.staleRead(({ method }) => method === 'GET' && isSent(), 1);
    expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
    expect(simulation.log.filter(({ method }) => method === 'POST').map(({ status }) => status)).toEqual([200, 400]);
    expect(world.records(zone)).toHaveLength(1);
    expect((await stage.ledger()).records.size).toBe(1);
    await stage.destroy();
    expect(world.records(zone)).toEqual([]);
  },
);

it.each(['A', 'AAAA'])(
  'a foreign %s record of the name is told as what is in the way, is left as it is, and is asked for once a run',
  async (type) => {
    const { simulation, world, stage, addTheirs } = await open();
    addTheirs(type, type === 'A' ? '192.0.2.1' : '2001:db8::1');
    for (const code of [81053, 81054] as const) {
      if (code === 81054) {
        const errors = [{ code, message: 'A CNAME record with that host already exists.' }];
        simulation.faults.once(create, 400, { result: null, success: false, errors, messages: [] });
      }
      const seen = stage.watch();
      const { lines } = await stage.apply();
      expect(lines[0]?.error).toMatchObject({
        code: 'PROVIDER_CONFLICT',
        detail: expect.stringMatching(/it has another kind, or this credential may not see it\. pilotfish leaves it as it is\./),
        fix: 'Give the line another name, or remove the object with this name at the provider.',
      });
      expect(seen.writes()).toHaveLength(1);
      expect((await stage.ledger()).intents.size).toBe(0);
    }
    expect(world.records(zone)).toMatchObject([{ type }]);
  },
);

it('the code counts wherever it stands in the list of errors', async () => {
  const { world, stage, addTheirs, meanwhile } = await open();
  world.state.before = { code: 1004, message: 'DNS Validation Error' };
  meanwhile(() => addTheirs());
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect(world.records(zone)).toHaveLength(1);
});
