import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createWorld, seed, type World } from 'pilotfish-sandbox/all';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vault } from 'pilotfish-sandbox/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failures } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { quotations } from '../leaks/spellings.ts';
import { ends, planOf } from '../lifecycle/shop.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage, type Stage } from '../support/stage.ts';

let server = vault();
let world: World;
let clock: LeapingClock;
let stage: Stage;
const keys = { one: 'first-secret-0001', two: 'second-secret-0002', three: 'third-secret-0003' };

beforeEach(async () => {
  clock = new LeapingClock();
  world = createWorld({ clock });
  server = vault({ clock });
  for (const [name, value] of Object.entries(keys)) server.world.put('secret', name, { key: value });
  const remote = new MemoryRemote();
  const env = { ...world.credentials, VAULT_ADDR: server.origin, VAULT_TOKEN: server.tokens.full };
  stage = await openStage({ simulations: [...world.simulations, server], env, plan: planOf(), clock, store: () => remote.open() });
});
afterEach(async () => {
  await stage.close();
  verifyHandled([...world.simulations, server]);
  expectContracts([...world.simulations, server]);
});

/** A line that hands its secret to a provider. */
const hook = (id: string, secret: string, more = ''): string => `
  - id: ${id}
    recipe: github.repo_webhook
    repo: ${seed.repository}
    url: https://${id}.acme.example
    secret: ${secret}${more}`;
const from = (name: string): string => `{ secret: "vault://secret/${name}#key" }`;
const secretOfHook = (id: string): unknown =>
  world.github.world.hooks(seed.repository).find(({ config }) => config.url.startsWith(`https://${id}.`))?.config.secret;
const asked = (): readonly string[] => server.log.map((entry) => entry.path);

describe('how the references of a plan are read', () => {
  it('each reference once a run, however many lines hold it', async () => {
    await stage.write(planOf(hook('a', from('one')), hook('b', from('one')), hook('c', from('two'))));
    expect(ends(await stage.apply())).toEqual(['a create settled', 'b create settled', 'c create settled']);
    expect(asked()).toEqual(['/v1/secret/data/one', '/v1/secret/data/two']);
    expect([secretOfHook('a'), secretOfHook('b'), secretOfHook('c')]).toEqual([keys.one, keys.one, keys.two]);
  });

  it('all side by side, also those of lines that wait for others', async () => {
    server.faults.slow('GET /v1/{+path}', 200, 3);
    await stage.write(
      planOf(hook('a', from('one')), hook('b', from('two'), '\n    depends_on: [a]'), hook('c', from('three'), '\n    depends_on: [b]')),
    );
    expect((await stage.apply()).status).toBe('complete');
    expect(server.log).toHaveLength(3);
    expect(new Set(server.log.map(({ at }) => at)).size).toBe(1);
  });

  it('an unchanged plan compares the value and writes nothing, a changed value is written', async () => {
    await stage.write(planOf(hook('a', from('one'))));
    await stage.apply();
    const { writes } = stage.watch();
    expect(ends(await stage.apply())).toEqual(['a none settled']);
    expect(writes()).toEqual([]);
    server.world.put('secret', 'one', { key: 'rotated-secret-1' });
    expect((await stage.plan()).lines.map(({ verdict }) => verdict)).toEqual(['update']);
    await stage.apply();
    expect(secretOfHook('a')).toBe('rotated-secret-1');
  });

  it('only those of the lines that --only leaves, and none for a destroy', async () => {
    await stage.write(planOf(hook('a', from('one')), hook('b', from('two'))));
    await stage.apply({ only: ['b'] });
    expect(asked()).toEqual(['/v1/secret/data/two']);
    await stage.plan({ destroy: true });
    expect((await stage.destroy()).status).toBe('complete');
    expect(asked()).toEqual(['/v1/secret/data/two']);
  });

  it('a reference of a line’s own credential', async () => {
    server.world.put('secret', 'github', { token: world.github.tokens.full });
    await stage.write(planOf(hook('a', from('one'), '\n    credential: { secret: "vault://secret/github#token" }')));
    const doc = await stage.apply({ env: { GITHUB_TOKEN: 'another-token-0123456789' } });
    expect(ends(doc)).toEqual(['a create settled']);
  });
});

describe('what fails', () => {
  it('fails the lines that need it, and no other', async () => {
    await stage.write(
      planOf(hook('a', from('none')), hook('b', from('one')), hook('c', from('none')), hook('d', from('one'), '\n    depends_on: [a]')),
    );
    const planned = await stage.plan();
    expect(planned.lines.map(({ error, code }) => error?.code ?? code ?? '')).toEqual([
      'SECRET_UNRESOLVED',
      '',
      'SECRET_UNRESOLVED',
      'DEPENDENCY_FAILED',
    ]);
    const doc = await stage.apply();
    expect(doc.lines.map(({ id, state, error, code }) => [id, state, error?.code ?? code ?? ''])).toEqual([
      ['a', 'failed', 'SECRET_UNRESOLVED'],
      ['b', 'settled', ''],
      ['c', 'failed', 'SECRET_UNRESOLVED'],
      ['d', 'skipped', 'DEPENDENCY_FAILED'],
    ]);
    expect(doc.lines[0]?.error?.detail).toContain('a: vault://secret/none#key was not read: there is no secret');
    expect(world.github.world.hooks(seed.repository)).toHaveLength(1);
  });

  it.each(['env://-x', 'vault://secret/-x#key', 'vault://secret/x#-key', 'vault://secret/%2Dx#key', 'op-connect://a/-b/c', 'box://a/-b'])(
    '%s is refused before anything runs, since a program could take a part of it for a flag',
    async (reference) => {
      await plugin('box', 'async () => "boxed-secret-1"');
      await stage.write(planOf(hook('a', from('one')), hook('b', `{ secret: "${reference}" }`)));
      for (const run of [stage.plan, stage.apply]) {
        const thrown = await run(withPlugin).catch((error: unknown) => error);
        if (!(thrown instanceof Failures)) throw new Error(`expected Failures, got ${String(thrown)}`);
        expect(thrown.failures.map(({ code, detail }) => [code, detail.includes('starts with "-"')])).toEqual([
          ['SECRET_UNRESOLVED', true],
        ]);
        expect(thrown.failures[0].place?.line).toBeGreaterThan(1);
      }
      expect(server.log).toEqual([]);
    },
  );
});

describe('what nobody sees', () => {
  const pem = [
    '-----BEGIN PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
    'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
    '-----END PRIVATE KEY-----',
    '',
  ].join('\n');
  const odd = 'hook "4f1d9a" \\ päss/wörd+100% & <one>';

  it.each([
    ['a value with everything that an encoding changes', odd],
    ['a key of many lines', pem],
  ])('%s reaches its provider whole, and is masked in every spelling and line by line', async (_what, value) => {
    server.world.put('secret', 'odd', { key: value });
    await stage.write(planOf(hook('a', from('odd'))));
    const parts = value.split('\n').filter((part) => part.length > 5);
    for (const text of [value, ...parts].flatMap((part) => [part, ...quotations(part)])) {
      world.github.faults.once('POST /repos/{owner}/{repo}/hooks', 422, { message: `not a good key: ${text}` });
      const events: RunEvent[] = [];
      const doc = await stage.apply({}, events);
      expect(doc.lines[0]?.error?.detail).toContain('not a good key');
      expect(shownIn(JSON.stringify([doc, events]), parts)).toEqual([]);
    }
    expect((await stage.apply()).status).toBe('complete');
    expect(secretOfHook('a')).toBe(value);
    expect(shownIn(JSON.stringify([...(await stage.ledger()).records.values()]), parts)).toEqual([]);
  });

  it('a value that a provider quotes before it was ever sent there', async () => {
    await stage.write(planOf(hook('a', from('one')), hook('b', from('two'))));
    world.github.faults.times(2, 'GET /repos/{owner}/{repo}/hooks', 400, { message: `I know ${keys.one} and ${keys.two}` });
    const doc = await stage.apply();
    expect(doc.lines.map(({ error }) => error?.detail.includes('I know *** and ***'))).toEqual([true, true]);
    expect(shownIn(JSON.stringify(doc), Object.values(keys))).toEqual([]);
  });

  it('the token of the server itself', async () => {
    server.faults.times(20, 'GET /v1/{+path}', 400, {
      errors: [`bad token ${server.tokens.full}`],
      message: `bad token ${server.tokens.full}`,
    });
    await stage.write(planOf(hook('a', from('one'))));
    const events: RunEvent[] = [];
    const doc = await stage.apply({}, events);
    expect(doc.lines[0]?.error?.detail).toContain('bad token ***');
    expect(shownIn(JSON.stringify([doc, events]), [server.tokens.full])).toEqual([]);
  });
});

describe('a run that is stopped while a source hangs', () => {
  it('ends as interrupted, with nothing written', async () => {
    server.faults.hang('GET /v1/{+path}', 50);
    const { signal, abort } = interruption();
    server.watch(abort);
    await stage.write(planOf(hook('a', from('one')), hook('b', from('two'))));
    const doc = await stage.apply({}, [], signal);
    expect([doc.status, doc.lines.map(({ state }) => state)]).toEqual(['interrupted', ['interrupted', 'interrupted']]);
    expect(world.github.world.hooks(seed.repository)).toEqual([]);
  });

  it('also where the source listens to nothing, and what other lines do is done meanwhile', async () => {
    await plugin('box', '() => new Promise(() => {})');
    const { signal, abort } = interruption();
    server.watch(() => void clock.sleep(60_000).then(abort));
    await stage.write(planOf(hook('a', '{ secret: "box://x" }'), hook('b', from('two'))));
    const doc = await stage.apply(withPlugin, [], signal);
    expect(doc.lines.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'interrupted'],
      ['b', 'settled'],
    ]);
    expect(doc.status).toBe('interrupted');
  });

  it('a source that never ends fails its line after five minutes by itself', async () => {
    await plugin('box', '() => new Promise(() => {})');
    await stage.write(planOf(hook('a', '{ secret: "box://x" }')));
    const doc = await stage.apply(withPlugin);
    expect(doc.lines[0]?.error?.code).toBe('SECRET_UNRESOLVED');
    expect(doc.lines[0]?.error?.detail).toContain('its source gave no answer within 300 s');
  });
});

/** Where one of the texts stands in `shown`, as it is or as JSON has it. */
const shownIn = (shown: string, texts: readonly string[]): readonly string[] =>
  texts.filter((text) => shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1)));

const withPlugin = { env: { PILOTFISH_PLUGINS: './plugin.mjs' } };

const plugin = (scheme: string, resolve: string): Promise<void> =>
  writeFile(
    path.join(stage.folder, 'plugin.mjs'),
    `export const register = (registry) => registry.addSecretSource({ scheme: '${scheme}', resolve: ${resolve} });`,
  );

function interruption(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('SIGINT')) };
}
