import { afterEach, describe, expect, it } from 'vitest';
import { destroyedBy } from '../../src/engine/timing/staleness.ts';
import { noToken, openPulls, shaA } from '../lifecycle/pulls.ts';
import { branch, ends, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';

let shop: Shop | null = null;
afterEach(async () => {
  shop?.verify();
  await shop?.close();
  shop = null;
});

const url = 'https://pr-12.acme.example';
const callback = `${url}/callback`;
const everything = Object.values(lines);

/** All of the shop stands. */
async function standing(changes: readonly string[] = everything): Promise<Shop> {
  const opened = await open(changes);
  expect((await opened.apply()).status).toBe('complete');
  return opened;
}
async function open(changes: readonly string[]): Promise<Shop> {
  shop = await openShop(planOf(...changes));
  return shop;
}
const recorded = async (): Promise<readonly string[] | undefined> =>
  shop ? [...(await shop.ledger()).records.values()].map(({ line }) => line).sort() : undefined;
const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();

describe('a destroy with --only', () => {
  it('removes exactly that line, says what stays, and leaves the scope alive', async () => {
    const { destroy, endpoints, hooks, records, callbacks, ledger } = await standing();
    const done = await destroy({ only: ['alias'] });
    expect(ends(done)).toEqual(['alias delete settled']);
    expect(done).toMatchObject({ ok: true, status: 'complete', stays: ['callback', 'dns', 'hook', 'logout', 'payments'] });
    expect(records().map(({ name }) => name)).toEqual(['pr-12.acme.example']);
    expect([endpoints().length, hooks().length, callbacks()]).toEqual([1, 1, expect.arrayContaining([callback])]);
    expect(await recorded()).toEqual(['callback', 'dns', 'hook', 'logout', 'payments']);
    const { history } = await ledger();
    expect(history.at(-1)?.outcome).toBe('partly destroyed: complete');
    expect(destroyedBy(history)).toBeNull();
  });

  it.each([
    ['dns', ['alias', 'dns']],
    ['payments', ['hook', 'payments']],
  ])('takes what depends on %s with it, dependents first', async (only, taken) => {
    const { destroy, watch } = await standing();
    const seen = watch();
    expect(sorted(ends(await destroy({ only: [only] })))).toEqual(taken.map((id) => `${id} delete settled`));
    expect(seen.writes().map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
    expect(await recorded()).toEqual(
      Object.keys(lines)
        .filter((id) => !taken.includes(id))
        .sort(),
    );
  });

  it('goes by the edges that the ledger recorded, also with the plan changed, and with it gone', async () => {
    const { destroy, write, ledger } = await standing([lines.payments, `${lines.dns}\n    depends_on: [payments]`, lines.callback]);
    await write(planOf(lines.dns));
    expect(sorted(ends(await destroy({ only: ['payments'] })))).toEqual(['dns delete settled', 'payments delete settled']);
    await write(': no plan at all');
    expect(ends(await destroy({ only: ['callback'] }))).toEqual(['callback delete settled']);
    expect((await ledger()).history.at(-1)?.outcome).toBe('destroyed: complete');
  });

  it('keeps the other entries of a list that several lines share', async () => {
    const { destroy, callbacks } = await standing([
      lines.callback,
      lines.callback.replace('id: callback', 'id: second').replace('/callback', '/other'),
    ]);
    await destroy({ only: ['callback'] });
    expect(callbacks()).toEqual(expect.arrayContaining([`${url}/other`]));
    expect(callbacks()).not.toEqual(expect.arrayContaining([callback]));
  });

  it('takes an announced create whose answer was lost, and no other', async () => {
    const { apply, crash, destroy, endpoints, records } = await open([lines.payments, lines.dns]);
    crash.at('after', 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    const others = records().length;
    expect(ends(await destroy({ only: ['payments'] }))).toEqual(['payments delete settled']);
    expect([endpoints().length, records().length]).toEqual([0, others]);
  });

  it('takes a line that is no longer in the plan, and leaves an orphan that it does not name', async () => {
    const { destroy, write, apply, records, endpoints } = await standing([lines.payments, lines.dns, lines.callback]);
    await write(planOf(lines.callback));
    await apply();
    await destroy({ only: ['dns'] });
    expect([records().length, endpoints().length]).toEqual([0, 1]);
  });

  it('notes an object that its line keeps, and only that one', async () => {
    const { destroy, ledger, endpoints } = await standing([`${lines.payments}\n    destroy: keep`, `${lines.dns}\n    destroy: keep`]);
    expect(ends(await destroy({ only: ['payments'] }))).toEqual(['payments forget settled']);
    expect([endpoints().length, [...(await ledger()).left.values()].length]).toEqual([1, 1]);
    expect(await recorded()).toEqual(['dns']);
  });

  it('leaves the rest to a later destroy, which ends the scope, and an apply puts back what was taken', async () => {
    const { apply, destroy, ledger, records, world } = await standing();
    await destroy({ only: ['dns', 'payments'] });
    expect(await recorded()).toEqual(['callback', 'logout']);
    expect(sorted(ends(await apply()))).toEqual([
      'alias create settled',
      'callback none settled',
      'dns create settled',
      'hook create settled',
      'logout none settled',
      'payments create settled',
    ]);
    expect(records()).toHaveLength(2);
    await destroy({ only: ['callback'] });
    expect(await destroy()).toMatchObject({ status: 'complete' });
    expect((await ledger()).history.at(-1)?.outcome).toBe('destroyed: complete');
    expect([await recorded(), records(), world.stripe.world.endpoints()]).toEqual([[], [], []]);
  });

  it('named twice, or with a dependent, takes each line once', async () => {
    const { destroy } = await standing([lines.dns, lines.alias, lines.callback]);
    expect(sorted(ends(await destroy({ only: ['dns', 'dns', 'alias'] })))).toEqual(['alias delete settled', 'dns delete settled']);
  });

  it('that was interrupted goes on where it is run again', async () => {
    const { destroy, crash, records } = await standing([lines.dns, lines.alias, lines.callback]);
    crash.at('after', 'DELETE', /dns_records/);
    await destroy({ only: ['dns'] });
    crash.over();
    expect((await destroy({ only: ['dns'] })).status).toBe('complete');
    expect(records()).toEqual([]);
    expect(await recorded()).toEqual(['callback']);
  });

  it('of production needs an approval, as every one', async () => {
    const { destroy, watch } = await standing();
    const seen = watch();
    const request = { environment: 'production', scope: null, only: ['dns'] };
    await expect(destroy(request)).rejects.toMatchObject({ code: 'ENV_NOT_APPROVED' });
    expect(seen.all()).toEqual([]);
  });
});

describe('a line that is not recorded', () => {
  it.each([
    ['dsn', 'Did you mean "dns"?'],
    ['nonsense', 'payments'],
    ['DNS~', 'payments'],
  ])('%j is refused by plan and apply before any request, and nothing is written', async (only, words) => {
    const { destroy, plan, watch, remote } = await standing();
    const seen = watch();
    const commits = remote.on(branch).length;
    for (const run of [
      () => destroy({ only: [only] }),
      () => destroy({ only: ['dns', only] }),
      () => plan({ destroy: true, only: [only] }),
    ]) {
      await expect(run()).rejects.toMatchObject({ code: 'USAGE' });
      const told = await run().catch((error: Error & { detail: string; fix: string }) => `${error.detail} ${error.fix}`);
      expect(told).toContain(words);
    }
    expect([seen.all(), remote.on(branch).length]).toEqual([[], commits]);
  });

  it('is refused where nothing is recorded at all', async () => {
    const { destroy } = await open([lines.dns]);
    await expect(destroy({ only: ['dns'] })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

it('a plan of a narrowed destroy shows what that destroy does, under a digest of its own', async () => {
  const { plan, destroy } = await standing();
  const [whole, part] = [await plan({ destroy: true }), await plan({ destroy: true, only: ['dns'] })];
  expect(part.lines.map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual(['alias delete', 'dns delete']);
  expect(part.stays).toEqual(['callback', 'hook', 'logout', 'payments']);
  expect(part.digest).not.toBe(whole.digest);
  expect(await destroy({ only: ['dns'], expect: part.digest })).toMatchObject({ status: 'complete', digest: part.digest });
});

it('an event that comes after a narrowed destroy is as late, or in time, as before it', async () => {
  const pulls = await openPulls(planOf(lines.dns, lines.callback));
  try {
    pulls.pulls.world.open(12, shaA);
    await pulls.onPull('opened');
    await pulls.later();
    expect(await pulls.destroy({ only: ['dns'], sha: '9'.repeat(40) })).toMatchObject({ status: 'complete' });
    await pulls.later();
    const doc = await pulls.onDeployment(shaA, { env: noToken });
    expect([doc.status, pulls.records().length]).toEqual(['complete', 1]);
    pulls.verify();
  } finally {
    await pulls.close();
  }
});
