import { auth0 } from 'pilotfish-sandbox/auth0/index';
import { gcs } from 'pilotfish-sandbox/google-cloud-storage';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import type { Seen, Simulation } from 'pilotfish-sandbox/kit/types';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { openStage } from '../support/stage.ts';

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

async function onStage(simulation: Simulation, env: Readonly<Record<string, string>>, plan: object) {
  const stage = await openStage({ simulations: [simulation], env, plan: JSON.stringify(plan) });
  close.push(async () => {
    verifyHandled([simulation]);
    await stage.close();
  });
  return stage;
}

const persons = 'https://shop.acme.example/callback';

/** A tenant that takes addresses with a scheme alone, and plans of entries in the lists of its one application. */
async function open(...changes: readonly object[]) {
  const simulation = auth0();
  simulation.world.addClient('shop', { callbacks: [persons] });
  const auth = { oauth_client_credentials: { client_id_env: 'AUTH0_CLIENT_ID', client_secret_env: 'AUTH0_CLIENT_SECRET' } };
  const providers = { http: { tenant: { base_url: 'https://acme.eu.auth0.com/api/v2', auth } } };
  const env = { AUTH0_CLIENT_ID: simulation.world.machineClients.full, AUTH0_CLIENT_SECRET: simulation.tokens.full };
  const planOf = (all: readonly object[]) => ({ version: 1, providers, changes: all });
  const stage = await onStage(simulation, env, planOf(changes));
  const client = () => simulation.world.client('shop');
  return {
    stage,
    simulation,
    client,
    list: (name = 'callbacks'): readonly string[] => [...((client()[name] as string[] | undefined) ?? [])].sort(),
  };
}

const line = (id: string, item: string, list = 'callbacks', more: object = {}): object => ({
  ...{ id, adapter: 'http', op: 'list_item', api: 'tenant', list_path: `/${list}`, item },
  parent: { path: '/clients/shop', method: 'PATCH' },
  ...more,
});
const good = (name: string): string => `https://${name}.acme.example/callback`;
const bad = (name: string): string => `no scheme ${name}`;
const reasonsOf = ({ lines }: ApplyDoc): readonly (string | null)[] => lines.map(({ error }) => error?.detail ?? null);
const statesOf = ({ lines }: ApplyDoc): readonly string[] => lines.map(({ id, state }) => `${id} ${state}`);

describe('entries of one list of which the provider refuses some', () => {
  it('the good ones are written, and the bad one says why', async () => {
    const { stage, list } = await open(line('one', good('one')), line('two', bad('two')), line('three', good('three')));
    const doc = await stage.apply();
    expect(statesOf(doc)).toEqual(['one settled', 'two failed', 'three settled']);
    expect(reasonsOf(doc)[1]).toContain(bad('two'));
    expect(list()).toEqual([good('one'), good('three'), persons].sort());
    const { records, intents } = await stage.ledger();
    expect([...records.values()].map((record) => record.line).sort()).toEqual(['one', 'three']);
    expect(intents.size).toBe(0);
    expect((await stage.destroy()).status).toBe('complete');
    expect(list()).toEqual([persons]);
  });

  it('each of several bad ones has a reason of its own, wherever they stand', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const isBad = (name: string): boolean => 'abei'.includes(name);
    const { stage, list } = await open(...names.map((name) => line(name, isBad(name) ? bad(name) : good(name))));
    const doc = await stage.apply();
    for (const [i, name] of names.entries()) {
      if (isBad(name)) expect(reasonsOf(doc)[i]).toContain(bad(name));
      else expect(reasonsOf(doc)[i]).toBeNull();
    }
    expect(list()).toEqual([...names.filter((name) => !isBad(name)).map(good), persons].sort());
  });

  it('also when none of them is good', async () => {
    const { stage, list } = await open(...['a', 'b', 'c'].map((name) => line(name, bad(name))));
    expect(reasonsOf(await stage.apply())).toEqual(['a', 'b', 'c'].map((name) => expect.stringContaining(bad(name))));
    expect(list()).toEqual([persons]);
  });

  it('also when they stand in other lists of the same object, which one request carries', async () => {
    const { stage, list } = await open(
      line('in', good('in')),
      line('out', bad('out'), 'allowed_logout_urls'),
      line('origin', 'https://web.acme.example', 'web_origins'),
    );
    expect(statesOf(await stage.apply())).toEqual(['in settled', 'out failed', 'origin settled']);
    expect([list(), list('allowed_logout_urls'), list('web_origins')]).toEqual([[good('in'), persons], [], ['https://web.acme.example']]);
  });

  it('a good one that came with a bad one stays in the next run, which writes it no more', async () => {
    const { stage, list, simulation } = await open(line('one', good('one')), line('two', bad('two')));
    await stage.apply();
    const before = simulation.writes().length;
    const doc = await stage.apply();
    expect(statesOf(doc)).toEqual(['one settled', 'two failed']);
    expect(simulation.writes()).toHaveLength(before + 1);
    expect(list()).toEqual([good('one'), persons]);
  });

  it('a list that is full takes as many as it has room for', async () => {
    const { stage, simulation, list } = await open(...['a', 'b', 'c', 'd', 'e'].map((name) => line(name, good(name))));
    refuse(simulation, ({ text }) => (JSON.parse(text) as { callbacks: string[] }).callbacks.length > 4);
    const doc = await stage.apply();
    expect(doc.lines.filter(({ state }) => state === 'settled')).toHaveLength(3);
    expect(list()).toHaveLength(4);
    expect((await stage.ledger()).records.size).toBe(3);
  });

  it('one that must go is not kept by one that may not come', async () => {
    const rule = (id: string, origin: string, method: string): object => ({
      ...{ id, adapter: 'http', op: 'list_item', api: 'storage', list_path: '/cors', key_field: '/origin/0', item: origin },
      ...{ value: { method: [method], origin: [origin] }, parent: { path: '/b/shop-assets', method: 'PATCH' } },
    });
    const simulation = gcs();
    const { base_url, auth } = { base_url: simulation.origin + simulation.basePath, auth: { bearer_env: 'GCS_TOKEN' } };
    const planOf = (...changes: object[]) => ({ version: 1, providers: { http: { storage: { base_url, auth } } }, changes });
    const stage = await onStage(simulation, { GCS_TOKEN: simulation.tokens.full }, planOf(rule('one', 'https://one.example', 'GET')));
    await stage.apply();
    await stage.write(
      JSON.stringify(
        planOf(
          rule('one', 'https://one.example', 'PUT'),
          rule('two', 'https://bad.example', 'GET'),
          rule('three', 'https://three.example', 'GET'),
        ),
      ),
    );
    refuse(simulation, ({ text }) => text.includes('bad'));
    expect(statesOf(await stage.apply())).toEqual(['one settled', 'two failed', 'three settled']);
    expect(simulation.world.bucket.cors).toEqual([
      { method: ['PUT'], origin: ['https://one.example'] },
      { method: ['GET'], origin: ['https://three.example'] },
    ]);
  });

  it.each([
    ['a map', { shape: 'map', list_path: '/client_metadata', value: 'yes' }, (text: unknown) => Object.keys(text as object).sort()],
    ['a text', { shape: 'delimited', list_path: '/description' }, (text: unknown) => String(text).split(',').sort()],
  ])('%s takes the good ones as well', async (_, shape, namesIn) => {
    const at = shape.list_path.slice(1);
    const item = (name: string): object =>
      line(name, name, at, { ...shape, parent: { path: '/clients/shop', method: 'PATCH', send: [at] } });
    const { stage, simulation, client } = await open(...['one', 'bad', 'three'].map(item));
    refuse(simulation, ({ text }) => text.includes('bad'));
    expect(statesOf(await stage.apply())).toEqual(['one settled', 'bad failed', 'three settled']);
    expect(namesIn(client()[at])).toEqual(['one', 'three']);
  });

  it('an entry of somebody else that the provider refuses ends all lines with one reason, after a few requests', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `n${i}`);
    const { stage, simulation, client, list } = await open(...names.map((name) => line(name, good(name))));
    client().callbacks = [bad('theirs')];
    const doc = await stage.apply();
    expect(doc.lines.every(({ state, error }) => state === 'failed' && error?.detail.includes(bad('theirs')))).toBe(true);
    expect(list()).toEqual([bad('theirs')]);
    expect(simulation.writes().length).toBeLessThan(30);
    expect((await stage.ledger()).intents.size).toBe(0);
  });

  it('one bad entry of many is found with a few requests', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `n${i}`);
    const { stage, simulation, list } = await open(...names.map((name) => line(name, name === 'n137' ? bad(name) : good(name))));
    const doc = await stage.apply();
    expect(doc.lines.filter(({ state }) => state !== 'settled').map(({ id }) => id)).toEqual(['n137']);
    expect(list()).toHaveLength(200);
    expect(simulation.writes().length).toBeLessThan(30);
  });

  it('in a destroy, what can go goes, and what the provider keeps says why', async () => {
    const { stage, simulation, list } = await open(...['a', 'b', 'c'].map((name) => line(name, good(name))));
    await stage.apply();
    refuse(simulation, ({ text }) => !text.includes(good('b')));
    expect(statesOf(await stage.destroy()).toSorted()).toEqual(['a settled', 'b failed', 'c settled']);
    expect(list()).toEqual([good('b'), persons]);
    expect([...(await stage.ledger()).records.values()].map((record) => record.line)).toEqual(['b']);
  });

  it('a credential that may not write tries once', async () => {
    const { stage, simulation } = await open(...['a', 'b', 'c'].map((name) => line(name, good(name))));
    simulation.faults.times(9, 'PATCH /api/v2/clients/{id}', 403, { statusCode: 403, error: 'Forbidden', message: 'Insufficient scope' });
    expect((await stage.apply()).lines.map(({ error }) => error?.code)).toEqual(Array(3).fill('PROVIDER_AUTH'));
    expect(simulation.writes()).toHaveLength(1);
  });
});

/** Refuses each write that fits, as a provider does that says no more than that. */
function refuse({ faults }: Simulation, fits: (call: Seen) => boolean): void {
  faults.times(1000, (call) => call.method === 'PATCH' && fits(call), 422, {
    error: 'Unprocessable',
    message: 'one of the values is not allowed',
  });
}
