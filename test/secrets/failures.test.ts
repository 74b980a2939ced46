import { createWorld, seed } from 'pilotfish-sandbox/all';
import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { onepasswordConnect } from 'pilotfish-sandbox/onepassword-connect';
import { vault } from 'pilotfish-sandbox/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failures } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import { quotations } from '../leaks/spellings.ts';
import { planOf } from '../lifecycle/shop.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage, type Stage } from '../support/stage.ts';

const value = 'the "value" of/the secret 4f1d';
const wrong = 'wrong-token+of/somebody=else';
const expired = 'expired-token+of/last=week';

/** A server with one secret in it, and what a plan needs to read it. */
interface Source {
  readonly server: Simulation;
  readonly reference: string;
  readonly address: string;
  readonly token: string;
  /** How the server refuses a token whose time is over. */
  readonly refusal: readonly [status: number, body: unknown];
}

const sources: { readonly [scheme: string]: (clock: LeapingClock) => Source } = {
  vault: (clock) => {
    const server = vault({ clock });
    server.world.put('secret', 'shop', { key: value });
    return {
      server,
      reference: 'vault://secret/shop#key',
      address: 'VAULT_ADDR',
      token: 'VAULT_TOKEN',
      refusal: [403, { errors: [`permission denied: ${expired} is not valid any more`] }],
    };
  },
  'op-connect': (clock) => {
    const server = onepasswordConnect({ clock });
    server.world.addItem(server.world.addVault('Previews'), 'Shop', [{ label: 'key', value }]);
    return {
      server,
      reference: 'op-connect://Previews/Shop/key',
      address: 'OP_CONNECT_HOST',
      token: 'OP_CONNECT_TOKEN',
      refusal: [401, { status: 401, message: `Token ${expired} has expired` }],
    };
  },
};

describe.each(Object.keys(sources))('%s:// when', (scheme) => {
  let clock: LeapingClock;
  let source: Source;
  let stage: Stage;
  let world: ReturnType<typeof createWorld>;

  beforeEach(async () => {
    clock = new LeapingClock();
    const made = sources[scheme]?.(clock);
    if (!made) throw new Error(`no source ${scheme}`);
    source = made;
    world = createWorld({ clock });
    const remote = new MemoryRemote();
    stage = await openStage({
      simulations: [...world.simulations, source.server],
      env: { ...world.credentials, [source.address]: source.server.origin, [source.token]: source.server.tokens.full },
      plan: planOf(`
  - id: hook
    recipe: github.repo_webhook
    repo: ${seed.repository}
    url: https://hook.acme.example
    secret: { secret: "${source.reference}" }`),
      clock,
      store: () => remote.open(),
    });
  });
  afterEach(() => stage.close());

  const any = 'GET /v1/{+path}';

  it('all is well, the line is settled', async () => {
    expect((await stage.apply()).status).toBe('complete');
  });

  it.each(['address', 'token'] as const)('the variable of the %s is missing, nothing is sent', async (which) => {
    const thrown = await stage.apply({ env: { [source[which]]: '' } }).catch((error: unknown) => error);
    if (!(thrown instanceof Failures)) throw new Error(`expected Failures, got ${String(thrown)}`);
    expect(thrown.failures.map(({ code }) => code)).toEqual(['SECRET_UNRESOLVED']);
    expect(thrown.failures[0].detail).toContain(`${source[which]} is not set`);
    expect([...source.server.log, ...world.github.log]).toEqual([]);
  });

  it.each([
    ['the token is wrong', () => {}, wrong, 'token'],
    ['the token has expired', () => source.server.faults.times(9, any, ...source.refusal), expired, 'token'],
    ['the server hangs', () => source.server.faults.hang(any, 9), null, 'address'],
    ['the connection breaks before the answer', () => source.server.faults.loseRequest(any, 9), null, 'address'],
    ['the answer breaks off', () => source.server.faults.cutAnswer(any, 9), null, 'address'],
  ] as const)('%s, its line says so and shows no value', async (_what, arrange, token, named) => {
    arrange();
    const events: RunEvent[] = [];
    const doc = await stage.apply({ env: { ...(token !== null && { [source.token]: token }) } }, events);
    const [error] = doc.lines.map((line) => line.error);
    expect([doc.status, error?.code]).toEqual(['failed', 'SECRET_UNRESOLVED']);
    expect(error?.detail).toContain(source.reference);
    expect(`${error?.detail} ${error?.fix}`).toContain(source[named]);
    expect(world.github.writes()).toEqual([]);

    const shown = JSON.stringify([doc, events]);
    const secrets = [value, source.server.tokens.full, ...(token === null ? [] : [token])].flatMap(quotations);
    expect(secrets.filter((text) => shown.includes(text))).toEqual([]);
  });
});
