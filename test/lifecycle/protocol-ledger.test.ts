import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createWorld, seed } from 'pilotfish-sandbox/all';
import { Agent } from 'undici';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { cleanGitEnv, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { openStage } from '../support/stage.ts';
import { branch, ends, lines, planOf } from './shop.ts';
import { minute, openTown, type Town } from './town.ts';

let town: Town;
const open = async (...changes: readonly string[]): Promise<Town> => {
  town = await openTown(planOf(...changes));
  return town;
};
afterEach(async () => {
  town.verify();
  await town.close();
});
const errorOf = (
  doc: { readonly lines: readonly { readonly id: string; readonly error?: { readonly code: string; readonly fix: string } }[] },
  id: string,
) => doc.lines.find((line) => line.id === id)?.error;
const recordOf = async (line: string) => [...(await town.ledger()).records.values()].find((record) => record.line === line);
const refused = (): Failure =>
  new Failure('LEDGER_REFUSED', { detail: 'The remote did not answer, and whether the push landed is not known.' });

describe('rule 8: facts', () => {
  it.each([
    ['landed', 'cut'],
    ['landed and was built on', 'cut, and more'],
    ['did not land', 'refused'],
  ] as const)('a push whose answer was lost and that %s is known for what it is, and the run goes on', async (_, fate) => {
    town = await openTown(planOf(lines.dns)); // for the clean-up of every test
    const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-facts-'));
    const remote = await startGitRemote({ user: 'ci', password: 'word' });
    const dispatcher = new Agent({ allowH2: false });
    const openAt = (home: string) =>
      openGitStore({ url: remote.urlWithAuth, cwd: root, env: cleanGitEnv(path.join(root, home)), dispatcher, clock: quickClock });
    const [store, other] = [openAt('one'), openAt('other')];
    const world = createWorld();
    const stage = await openStage({
      simulations: world.simulations,
      env: { ...world.credentials, PILOTFISH_REQUEST_DEADLINE_MS: '10000', PILOTFISH_LEASE_MS: '60000' },
      plan: planOf(lines.dns, lines.alias),
      store: () => store,
    });
    onTestFinished(async () => {
      await stage.close();
      await store.close();
      await other.close();
      await dispatcher.destroy();
      await remote.stop();
      await rm(root, { recursive: true, force: true });
    });
    const buildOn = async (): Promise<void> => {
      if (fate === 'cut, and more') await other.append(branch, new Map([['notes.md', 'by hand']]), await other.head(branch), 'by hand');
    };
    if (fate === 'refused') remote.answerNextPush(503);
    else remote.cutNextPushAnswer(buildOn);
    expect(ends(await stage.apply())).toEqual(['dns create settled', 'alias create settled']);
    const subjects = (await remote.git('log', '--format=%s', `refs/heads/${branch}`)).split('\n');
    expect(subjects.filter((subject) => subject !== 'by hand')).toHaveLength(3);
    expect(world.cloudflare.world.records(seed.zone.id)).toHaveLength(2);
    const { records, intents, lease } = await stage.ledger();
    expect([records.size, intents.size, lease?.released]).toEqual([2, 0, { quietForMs: 0 }]);
  });

  it('one is not replayed on what somebody else wrote of the same object under the lease', async () => {
    const { computer, remote, write } = await open(lines.dns);
    expect((await computer().apply()).status).toBe('complete');
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'other.vercel-dns.com')));
    const { before } = remote;
    remote.before = async (...given) => {
      await before(...given);
      const record = [...given[1].keys()].find((path) => path.startsWith('records/'));
      if (record === undefined) return;
      remote.before = before;
      const store = remote.open();
      await store.append(branch, new Map([[record, null]]), await store.head(branch), 'by hand');
    };
    expect(ends(await computer().apply())).toEqual(['dns update failed LEASE_LOST']);
    expect((await town.ledger()).records.size).toBe(0);
  });

  it.each([
    ['the first', 1],
    ['the last', 2],
  ])('%s push whose fate is never known leaves nothing that the next run does not set right', async (_, nth) => {
    for (const lands of [true, false]) {
      await town?.close();
      const { computer, remote, records, ledger } = await open(lines.dns);
      let count = 0;
      const fail = (at: 'before' | 'after') => (): void => {
        if (at === 'before') count += 1;
        if (count >= nth && (at === 'after') === lands) throw refused();
      };
      remote.before = fail('before');
      remote.after = fail('after');
      const first = computer();
      expect((await first.apply()).ok).toBe(false);
      // Without its intent stored for certain nothing was sent.
      expect(first.machine.sent).toHaveLength(nth - 1);
      remote.before = () => undefined;
      remote.after = () => undefined;
      const doc = await computer().apply();
      expect(doc.status).toBe('complete');
      expect(records()).toHaveLength(1);
      expect([(await ledger()).records.size, (await ledger()).intents.size]).toEqual([1, 0]);
    }
  });

  it('are replayed when a run that changed none of them wrote in between', async () => {
    const { computer, write, ledger } = await open(lines.dns);
    await computer().apply();
    // It began before the other one took the lease, and has nothing to write but its receipt.
    const idle = computer();
    idle.machine.at('after', 'GET', /dns_records$/, () => idle.machine.freeze());
    const reading = idle.apply();
    await idle.machine.stopped;
    await write(planOf(lines.dns, lines.payments, lines.hook));
    const one = computer();
    one.machine.at('after', 'POST', /webhook_endpoints$/, () => one.machine.freeze());
    const run = one.apply();
    await one.machine.stopped;
    idle.machine.thaw();
    expect(ends(await reading)).toEqual(['dns none settled']);
    const { lease, history } = await ledger();
    expect([lease?.released, history.length]).toEqual([null, 2]);
    one.machine.thaw();
    // Its next push holds a record and an intent, and another one comes after it.
    expect([...ends(await run)].sort()).toEqual(['dns none settled', 'hook create settled', 'payments create settled']);
    expect((await ledger()).history.map(({ outcome }) => outcome)).toEqual(['complete', 'complete', 'complete']);
    expect((await recordOf('payments'))?.objectId).toBe(town.endpoints()[0]?.id);
  });

  it('are refused when another run gave their object another record meanwhile: the line looks again', async () => {
    const { computer, records, ledger } = await open(lines.dns);
    await computer().apply();
    // Both put the same drift back; the second one had looked before the first one wrote.
    Object.assign(records()[0] ?? {}, { content: 'elsewhere.example' });
    const late = computer();
    late.machine.at('after', 'GET', /dns_records$/, () => late.machine.freeze());
    const run = late.apply();
    await late.machine.stopped;
    expect(ends(await computer().apply({ recreate: ['dns'] }))).toEqual(['dns replace settled']);
    late.machine.thaw();
    expect((await run).status).toBe('complete');
    expect(late.machine.sent).toEqual([]);
    expect((await ledger()).records.size).toBe(1);
    expect((await recordOf('dns'))?.objectId).toBe(records()[0]?.id);
  });

  it('are refused also where nothing but the record was to be written', async () => {
    const { computer, write, records, remote, ledger } = await open(lines.dns);
    await computer().apply();
    // A renamed line writes its record alone, without a lease; before that lands, another run has replaced the object.
    await write(planOf(lines.dns.replace('id: dns', 'id: name')));
    remote.before = async () => {
      remote.before = () => undefined;
      expect(ends(await computer().apply({ recreate: ['name'] }))).toEqual(['name replace settled']);
    };
    expect(ends(await computer().apply())).toEqual(['name none settled']);
    expect([...(await ledger()).records.values()].map(({ objectId }) => objectId)).toEqual(records().map(({ id }) => id));
  });

  it('of a run whose lease another one took are not written at all, its receipt included', async () => {
    const { computer, pass, ledger } = await open(lines.dns, lines.alias);
    const sleeper = computer();
    sleeper.machine.at('after', 'POST', /dns_records$/, () => sleeper.machine.freeze());
    const run = sleeper.apply();
    await sleeper.machine.stopped;
    await computer().apply();
    const before = await ledger();
    await pass(minute);
    sleeper.machine.thaw();
    const doc = await run;
    expect([doc.ok, doc.error?.code]).toEqual([false, 'LEASE_LOST']);
    expect(await ledger()).toEqual(before);
  });
});

describe('rule 12: one identity, one line', () => {
  const twin = lines.alias
    .replace('id: alias', 'id: twin')
    .replace('name: www.${ctx.scope}.acme.example', 'name: { from: dns.hostname }')
    .replace('target: { from: dns.hostname }', 'target: other.example');

  it('two lines that resolve to one object are refused before the second one is looked for', async () => {
    const { computer, world, records } = await open(lines.dns, twin);
    const doc = await computer().apply();
    expect(errorOf(doc, 'twin')?.code).toBe('PARAM_INVALID');
    expect(world.cloudflare.log.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(records().map(({ content }) => content)).toEqual(['cname.vercel-dns.com']);
    expect((await town.ledger()).records.size).toBe(1);
  });

  it('and stay refused when the first one is already there', async () => {
    const { computer, write, records } = await open(lines.dns);
    await computer().apply();
    await write(planOf(lines.dns, twin));
    for (const doc of [await computer().plan(), await computer().apply()]) {
      expect(doc.lines.map(({ verdict }) => verdict)[0]).toBe('none');
      expect(errorOf(doc, 'twin')?.code).toBe('PARAM_INVALID');
    }
    expect(records().map(({ content }) => content)).toEqual(['cname.vercel-dns.com']);
  });

  it('a line that was renamed keeps the object and its record', async () => {
    const { computer, write, ledger } = await open(lines.dns);
    await computer().apply();
    await write(planOf(lines.dns.replace('id: dns', 'id: name')));
    const again = computer();
    expect(ends(await again.apply())).toEqual(['name rename settled']);
    expect(again.machine.sent).toEqual([]);
    expect([...(await ledger()).records.values()].map(({ line }) => line)).toEqual(['name']);
  });
});
