import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { ends, lines, planOf } from './shop.ts';
import { openTown, type Town } from './town.ts';

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
describe('rule 9: replacement', () => {
  const withVersion = (version: string): string => `${lines.payments}\n    api_version: ${version}`;
  const unreachable = 'PATCH /repos/{owner}/{repo}/hooks/{id}/config';

  it('keeps the old object until its dependents took the new outputs, and counts it as no second match', async () => {
    const { computer, world, write, endpoints, hooks } = await open(withVersion('2024-06-20'), lines.hook);
    await computer().apply();
    const [old] = endpoints();
    await write(planOf(withVersion('2025-01-27.acacia'), lines.hook));
    const down = world.github.faults.times(99, unreachable, 403, {});
    expect((await computer().apply()).ok).toBe(false);
    expect(endpoints().map(({ id }) => id)).toContain(old?.id);
    expect((await recordOf('payments'))?.superseded.map(({ objectId }) => objectId)).toEqual([old?.id]);
    // Two stand there now, and the ledger knows both: neither a plan nor an apply finds that ambiguous.
    expect((await computer().plan()).lines[0]?.verdict).toBe('none');
    expect(ends(await computer().apply())[0]).toBe('payments none settled');
    down.disarm();
    expect((await computer().apply({ recreate: ['payments'] })).status).toBe('complete');
    expect(endpoints().map(({ secret }) => secret)).toEqual([hooks()[0]?.config.secret]);
    expect((await recordOf('payments'))?.superseded).toEqual([]);
  });

  it('removes the old object after the new one stands and its dependent has it, never before', async () => {
    const { computer, write } = await open(withVersion('2024-06-20'), lines.hook);
    await computer().apply();
    await write(planOf(withVersion('2025-01-27.acacia'), lines.hook));
    const one = computer();
    await one.apply();
    expect(one.machine.sent.map(({ method, path: at }) => `${method} ${at.replace(/\/[^/]*\d[^/]*/g, '/…')}`)).toEqual([
      'POST /…/webhook_endpoints',
      'PATCH /repos/acme/shop/hooks/…/config',
      'DELETE /…/webhook_endpoints/…',
    ]);
  });

  it('that a run left unfinished is finished by a destroy', async () => {
    const { computer, world, endpoints } = await open(lines.payments, lines.hook);
    await computer().apply();
    const down = world.github.faults.times(99, unreachable, 403, {});
    await computer().apply({ recreate: ['payments'] });
    expect(endpoints()).toHaveLength(2);
    down.disarm();
    expect((await computer().destroy()).status).toBe('complete');
    expect(endpoints()).toEqual([]);
  });

  it('of a line that is kept leaves the present object at destroy, and takes away the ones that it replaced', async () => {
    const kept = `${lines.payments}\n    destroy: keep`;
    const { computer, write, endpoints, hooks } = await open(kept, lines.hook);
    await computer().apply();
    const [old] = endpoints();
    await write(planOf(kept));
    // The hook that is no longer in the plan still holds the old secret.
    expect((await computer().apply({ recreate: ['payments'] })).status).toBe('complete');
    expect(endpoints()).toHaveLength(2);
    expect((await computer().destroy()).status).toBe('complete');
    expect(hooks()).toHaveLength(0);
    expect(endpoints().map(({ id }) => id === old?.id)).toEqual([false]);
  });

  it('that died between its two objects, of a line that then left the plan, leaves neither of them unknown', async () => {
    const { computer, write, endpoints, abandon } = await open(withVersion('2024-06-20'));
    await computer().apply();
    const [old] = endpoints();
    await write(planOf(withVersion('2025-01-27.acacia')));
    const dead = computer();
    dead.machine.at('after', 'POST', /webhook_endpoints$/, () => dead.machine.kill());
    abandon(dead.apply());
    await dead.machine.stopped;
    expect(endpoints()).toHaveLength(2);
    await write(planOf(lines.callback));
    expect((await computer().apply()).status).toBe('complete');
    expect((await recordOf('payments'))?.superseded.map(({ objectId }) => objectId)).toEqual([old?.id]);
    expect((await computer().destroy()).status).toBe('complete');
    expect(endpoints()).toEqual([]);
  });

  describe('of a callback URL that moves with each deployment', () => {
    const plan = [
      '\n  - { id: site, adapter: vercel, op: deploy, project: shop }',
      `\n  - { id: callback, recipe: auth0.callback_url, client_id: ${seed.auth0Client}, url: { from: site.url } }`,
    ];
    const persons = 'https://shop.acme.example/callback';
    const deployed = (digit: string) => {
      const sha = digit.repeat(40);
      const made = town.world.vercel.world.push('feature', sha);
      return { sha, url: `https://${made.host}` };
    };

    it('supersedes the old one: it goes when the new one stands, and is no orphan', async () => {
      const { computer, callbacks } = await open(...plan);
      const first = deployed('1');
      expect((await computer().apply({ sha: first.sha })).status).toBe('complete');
      expect(callbacks()).toEqual([persons, first.url]);
      const next = deployed('2');
      const doc = await computer().apply({ sha: next.sha });
      expect([doc.status, doc.orphans]).toEqual(['complete', []]);
      expect(callbacks()).toEqual([persons, next.url]);
      expect([...(await town.ledger()).records.values()].map(({ objectId }) => objectId)).toEqual([next.url]);
    });

    it.each(['before', 'after'] as const)('that died %s the old one went is finished by the next run', async (phase) => {
      const { computer, callbacks, abandon } = await open(...plan);
      const first = deployed('1');
      await computer().apply({ sha: first.sha });
      const next = deployed('2');
      const dead = computer();
      // Its first write adds the new one, its second takes the old one away.
      dead.machine.at('after', 'PATCH', /\/clients\//, () => dead.machine.at(phase, 'PATCH', /\/clients\//, () => dead.machine.kill()));
      abandon(dead.apply({ sha: next.sha }));
      await dead.machine.stopped;
      expect(callbacks()).toContain(next.url);
      const doc = await computer().apply({ sha: next.sha });
      expect([doc.status, doc.orphans]).toEqual(['complete', []]);
      expect(callbacks()).toEqual([persons, next.url]);
      await computer().destroy();
      expect(callbacks()).toEqual([persons]);
    });

    it('keeps the old one while the new one could not be written', async () => {
      const { computer, callbacks, world } = await open(...plan);
      const first = deployed('1');
      await computer().apply({ sha: first.sha });
      const next = deployed('2');
      // Only this write is refused: taking the old one away would work.
      world.auth0.faults.once('PATCH /api/v2/clients/{id}', 403, {});
      expect((await computer().apply({ sha: next.sha })).ok).toBe(false);
      expect(callbacks()).toEqual([persons, first.url]);
    });
  });
});

describe('rule 10: once-only', () => {
  it('a record holds which object of which generation each value came from', async () => {
    const { computer } = await open(lines.payments, lines.hook);
    await computer().apply();
    const edges = async () => {
      const [producer, user] = [await recordOf('payments'), await recordOf('hook')];
      expect(user?.edges).toHaveLength(1);
      expect(user?.edges[0]).toMatchObject({
        output: 'secret',
        producer: producer?.identity,
        recordId: producer?.recordId,
        generation: producer?.generation,
      });
      return producer?.generation ?? 0;
    };
    const before = await edges();
    await computer().apply({ recreate: ['payments'] });
    expect(await edges()).toBeGreaterThan(before);
  });

  it('an equal edge means unchanged: the value is not needed, and no write is sent', async () => {
    const { computer } = await open(lines.payments, lines.hook);
    await computer().apply();
    const again = computer();
    expect(ends(await again.apply())).toEqual(['payments none settled', 'hook none settled']);
    expect(again.machine.sent).toEqual([]);
  });

  it('a dependent that never got the value is refused, with the command that makes a new one', async () => {
    const { computer, abandon, hooks, endpoints } = await open(lines.payments, lines.hook);
    const dead = computer();
    dead.machine.at('before', 'POST', /hooks$/, () => dead.machine.kill());
    abandon(dead.apply());
    await dead.machine.stopped;
    // A plan says it as well, and waits for nobody's lease.
    expect(errorOf(await computer().plan(), 'hook')?.code).toBe('OUTPUT_UNAVAILABLE');
    const doc = await computer().apply();
    expect(errorOf(doc, 'hook')).toMatchObject({ code: 'OUTPUT_UNAVAILABLE', fix: expect.stringContaining('--recreate payments') });
    expect(hooks()).toEqual([]);
    expect((await computer().apply({ recreate: ['payments'] })).status).toBe('complete');
    expect(hooks().map(({ config }) => config.secret)).toEqual(endpoints().map(({ secret }) => secret));
  });

  it('a dependent whose object was made again by somebody else needs the value, and says that it is gone', async () => {
    const { computer, world, hooks } = await open(lines.payments, lines.hook);
    await computer().apply();
    world.github.world.removeHook(seed.repository, hooks()[0]?.id ?? 0);
    const again = computer();
    expect(errorOf(await again.apply(), 'hook')?.code).toBe('OUTPUT_UNAVAILABLE');
    expect(again.machine.sent).toEqual([]);
  });
});
