import { expect } from 'vitest';
import { canonicalJson } from '../../../src/core/canonical.ts';
import { isMap } from '../../../src/core/json.ts';
import type { LedgerRecord } from '../../../src/ledger/model/facts.ts';
import { type Bench, lineId } from './bench.ts';
import { type Case, createOf, editOutside, expectUntouched, removeOf, standsAsPlanned, writesOf } from './case.ts';
import type { Edit } from './subject.ts';

/** The lifecycle table of the specification for what stays: objects and entries of a parent's list. */
export const lifecycle = {
  create: {
    says: 'it is made as declared, by one write, after a plan that said so',
    run: async (bench) => {
      const planned = await bench.planned();
      expect(planned).toMatchObject({ verdict: 'create', drift: 'none' });
      expect(bench.subject.mine()).toEqual([]);
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toHaveLength(1);
      standsAsPlanned(bench);
      const { records, intents } = await bench.ledger();
      expect([...records.values()]).toMatchObject([{ line: lineId, owned: true, unready: false }]);
      expect(intents.size).toBe(0);
      // An output without a value is one that no other line could use.
      const [record] = records.values();
      expect(Object.keys(record?.outputs ?? {})).toEqual(expect.arrayContaining([...(await bench.told()).outputs]));
      // A field that nobody tries here would be a field that nobody knows to be put back.
      const { edits = {}, fixed = {}, unseen = {} } = bench.subject;
      const tried = [...Object.keys(edits), ...Object.keys(fixed), ...Object.keys(unseen)];
      if (bench.subject.edits) expect(tried.sort()).toEqual(planned.changes.map(({ field }) => field).sort());
    },
  },

  again: {
    says: 'an unchanged plan writes nothing when it is applied again, and adds one receipt',
    run: async (bench) => {
      await bench.applied();
      const before = await bench.ledger();
      const world = structuredClone(bench.subject.mine());
      const seen = await bench.during(async () => {
        expect(await bench.applied()).toMatchObject({ verdict: 'none' });
      });
      expect(writesOf(seen)).toEqual([]);
      const after = await bench.ledger();
      expect(after.records).toEqual(before.records);
      expect(after.intents).toEqual(before.intents);
      expect(after.history).toHaveLength(before.history.length + 1);
      expect(after.receipt?.run).not.toBe(before.receipt?.run);
      expect(bench.subject.mine()).toEqual(world);
    },
  },

  undeclared: {
    says: 'a field that it does not declare is left alone',
    unless: ({ undeclared }) => (undeclared ? null : 'every field of it that somebody could change is declared'),
    run: async (bench) => {
      await bench.applied();
      editOutside(bench, bench.subject.undeclared ?? {});
      const world = structuredClone(bench.subject.mine());
      expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none', changes: [] });
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toEqual([]);
      expect(bench.subject.mine()).toEqual(world);
    },
  },

  beside: {
    says: 'a field that it does not declare stands through every change of the plan, and through what is put back',
    unless: ({ undeclared, changes = {} }) =>
      undeclared === undefined
        ? 'every field of it that somebody could change is declared'
        : Object.keys(changes).length === 0
          ? 'nothing of it is changed in place'
          : null,
    run: async (bench) => {
      const { undeclared = {}, changes = {}, edits = {} } = bench.subject;
      await bench.applied();
      editOutside(bench, undeclared);
      const stood = membersAt(bench.one(), undeclared);
      const changed = new Set<string>();
      for (const [field, edit] of Object.entries(edits)) {
        // What somebody changes may be the very thing.
        if (!isApart(edit, undeclared)) continue;
        editOutside(bench, edit);
        await bench.applied();
        expect(membersAt(bench.one(), undeclared), `after ${field} was put back`).toEqual(stood);
      }
      for (const [field, params] of Object.entries(changes)) {
        await bench.change(params);
        await bench.applied();
        // What stood beside the entries of a declared list goes when the plan says another list.
        changed.add(field);
        const beside = (all: Edit): Edit => Object.fromEntries(Object.entries(all).filter(([name]) => !changed.has(name)));
        expect(membersAt(bench.one(), beside(undeclared)), `after ${field} was changed`).toEqual(beside(stood));
      }
    },
  },

  missing: {
    says: 'one that somebody removed is drift "missing" and made again, also when the answer was lost',
    unless: ({ remove }) => (remove ? null : 'nobody can remove it'),
    run: async (bench) => {
      await bench.applied();
      bench.subject.remove?.();
      expect(await bench.planned()).toMatchObject({ verdict: 'create', drift: 'missing' });
      await bench.applied();
      standsAsPlanned(bench);
      bench.subject.remove?.();
      const lost = bench.simulation.faults.loseAnswer(createOf(bench));
      await bench.applied();
      expect(lost.hits).toBe(1);
      standsAsPlanned(bench);
      expect((await bench.ledger()).records.size).toBe(1);
      expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
    },
  },

  foreign: {
    says: 'one that somebody else made is refused as foreign, and nothing is written',
    unless: ({ foreign }) => (foreign ? null : 'nobody else can make one'),
    run: async (bench) => {
      bench.subject.foreign?.();
      await refused(bench, 'RESOURCE_FOREIGN');
    },
  },

  successor: {
    says: 'one that somebody made under the name of a removed one is neither written nor deleted, where its provider tells the two apart',
    unless: ({ remove, foreign }) => (remove && foreign ? null : 'nobody can remove it, or nobody else can make one'),
    run: async (bench, skip) => {
      await bench.applied();
      const [record] = (await bench.ledger()).records.values();
      const reason = untold(record);
      if (reason !== null) skip(reason);
      await bench.pass(60_000);
      bench.subject.remove?.();
      bench.subject.foreign?.();
      const theirs = structuredClone(bench.subject.mine());
      const seen = await bench.during(async () => {
        expect(await bench.plan()).toMatchObject({ ok: false, lines: [{ verdict: 'refused', drift: 'missing' }] });
        expect(await bench.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'RESOURCE_FOREIGN' } }] });
        await bench.stage.write('changes: [');
        expect(await bench.destroy()).toMatchObject({
          ok: true,
          warnings: [expect.stringContaining('is not the one that this scope made')],
        });
      });
      expect(writesOf(seen)).toEqual([]);
      await expectUntouched(bench, theirs);
    },
  },

  faster: {
    says: 'one that somebody makes between the look and the create is left alone, and nothing is recorded',
    unless: ({ foreign, isUnique }) =>
      foreign === undefined ? 'nobody else can make one' : isUnique ? null : 'the provider takes a second one like it',
    run: async (bench) => {
      const isMade = somebodyIsFaster(bench);
      const { ok, error } = await bench.apply();
      expect([isMade(), ok]).toEqual([true, false]);
      expect(['RESOURCE_FOREIGN', 'PROVIDER_CONFLICT'], JSON.stringify(error)).toContain(error?.code);
      bench.one();
      await expectUntouched(bench, bench.subject.mine());
    },
  },

  fasterAndGone: {
    says: 'one that somebody made meanwhile and took away again is a conflict, and nothing is recorded',
    unless: ({ foreign, remove, isUnique }) =>
      foreign && remove && isUnique ? null : 'nobody else can make and remove one, or the provider takes a second one like it',
    run: async (bench) => {
      const isMade = somebodyIsFaster(bench, () => bench.subject.remove?.());
      const { ok, error } = await bench.apply();
      expect([isMade(), ok, error?.code], JSON.stringify(error)).toEqual([true, false, 'PROVIDER_CONFLICT']);
      await expectUntouched(bench);
    },
  },

  crowd: {
    says: 'one among so many that a list has several pages is found, by no more requests than the filters of the provider leave',
    unless: ({ crowd }) => (crowd ? null : 'its list is never long'),
    run: async (bench) => {
      await bench.applied();
      bench.subject.crowd?.fill();
      const seen = await bench.during(async () => {
        expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
      });
      expect(seen).toHaveLength(bench.subject.crowd?.looks ?? 0);
    },
  },

  twoMatches: {
    says: 'two that match are refused, and nothing is written',
    unless: ({ foreign }) => (foreign ? null : 'nobody else can make one'),
    run: async (bench) => {
      bench.subject.foreign?.();
      bench.subject.foreign?.();
      expect(bench.subject.mine()).toHaveLength(2);
      await refused(bench, 'PARAM_INVALID');
    },
  },

  otherScope: {
    says: 'the same line in another scope is refused as foreign, and destroying that scope leaves the object',
    run: async (bench) => {
      await bench.applied();
      const world = structuredClone(bench.subject.mine());
      const other = { scope: 'pr-13' };
      const seen = await bench.during(async () => {
        expect(await bench.apply(other)).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
        expect(await bench.destroy(other)).toMatchObject({ ok: true, lines: [] });
      });
      expect(writesOf(seen)).toEqual([]);
      expect(bench.subject.mine()).toEqual(world);
      expect(await bench.planned()).toMatchObject({ verdict: 'none' });
    },
  },

  lostAnswer: {
    says: 'a create whose answer was lost is claimed, not repeated',
    run: async (bench) => {
      const lost = bench.simulation.faults.loseAnswer(createOf(bench));
      await bench.applied();
      expect(lost.hits).toBe(1);
      standsAsPlanned(bench);
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toEqual([]);
    },
  },

  lostRequest: {
    says: 'a create that never arrived is sent again, once',
    run: async (bench) => {
      const lost = bench.simulation.faults.loseRequest(createOf(bench));
      await bench.applied();
      expect(lost.hits).toBe(1);
      standsAsPlanned(bench);
    },
  },

  destroy: {
    says: 'destroy takes back what it made and nothing else, and a second destroy does nothing',
    run: async (bench) => {
      await bench.applied();
      expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
      expect(bench.subject.mine()).toHaveLength(bench.subject.stays ? 1 : 0);
      expect((await bench.ledger()).records.size).toBe(0);
      const seen = await bench.during(async () => {
        expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete', lines: [] });
      });
      expect(seen).toEqual([]);
    },
  },

  destroyAlone: {
    says: 'destroy needs the ledger alone: a plan that is broken does not matter',
    unless: ({ stays }) => (stays ? 'destroy sends no delete' : null),
    run: async (bench) => {
      await bench.applied();
      await bench.stage.write('changes: [');
      expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
      expect(bench.subject.mine()).toEqual([]);
      expect((await bench.ledger()).records.size).toBe(0);
    },
  },

  gone: {
    says: 'destroy takes one that is gone already for success',
    unless: ({ remove, stays }) => (stays ? 'destroy sends no delete' : remove ? null : 'nobody can remove it'),
    run: async (bench) => {
      await bench.applied();
      bench.subject.remove?.();
      expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
      expect((await bench.ledger()).records.size).toBe(0);
    },
  },

  lostDelete: {
    says: 'a delete whose answer was lost ends well',
    unless: ({ stays }) => (stays ? 'destroy sends no delete' : null),
    run: async (bench) => {
      await bench.applied();
      const lost = bench.simulation.faults.loseAnswer(removeOf(bench));
      expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
      expect(lost.hits).toBe(1);
      expect(bench.subject.mine()).toEqual([]);
      expect((await bench.ledger()).records.size).toBe(0);
    },
  },

  recreate: {
    says: '--recreate makes it anew, and one is left',
    run: async (bench) => {
      await bench.applied();
      const { generation } = [...(await bench.ledger()).records.values()][0] ?? { generation: 0 };
      expect(await bench.applied({ recreate: [lineId] })).toMatchObject({ verdict: expect.stringMatching(/^(replace|update)$/) });
      standsAsPlanned(bench);
      const [record] = (await bench.ledger()).records.values();
      expect(record).toMatchObject({ superseded: [] });
      // An entry of a list has no life of its own that could begin anew.
      if (record?.kind === 'object') expect(record.generation).toBeGreaterThan(generation);
      expect(await bench.planned()).toMatchObject({ verdict: 'none' });
    },
  },
} satisfies { readonly [name: string]: Case };

/** Somebody makes one just before the first write of a run; `then`: what happens once that was answered. */
function somebodyIsFaster(bench: Bench, then: () => void = () => undefined): () => boolean {
  let isMade = false;
  const forget = bench.simulation.watch(({ phase, write }) => {
    if (!write) return;
    if (phase === 'before') {
      isMade = true;
      bench.subject.foreign?.();
    } else {
      forget();
      then();
    }
  });
  return () => isMade;
}

/** A change from outside of one declared field. */
export const drift = (field: string): Case => ({
  says: `${field} that somebody changed is drift "changed" and put back`,
  run: async (bench) => {
    await bench.applied();
    editOutside(bench, bench.subject.edits?.[field] ?? {});
    const planned = await bench.planned();
    expect(planned).toMatchObject({ verdict: 'update', drift: 'changed' });
    expect(planned.changes.map((change) => change.field)).toEqual([field]);
    await bench.applied();
    standsAsPlanned(bench);
    expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
  },
});

/** Another spelling of what is there. */
export const same = (name: string): Case => ({
  says: `${name} that the provider spells differently is no drift`,
  run: async (bench) => {
    await bench.applied();
    const before = structuredClone(bench.one());
    editOutside(bench, bench.subject.same?.[name] ?? {});
    expect(bench.one(), 'another spelling').not.toEqual(before);
    expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none', changes: [] });
  },
});

/** A change of the plan that the object follows in place. */
export const change = (field: string): Case => ({
  says: `another ${field} in the plan is written to the object that is there`,
  run: async (bench) => {
    await bench.applied();
    const [before] = (await bench.ledger()).records.values();
    await bench.change(bench.subject.changes?.[field] ?? {});
    const planned = await bench.planned();
    expect(planned).toMatchObject({ verdict: 'update', drift: 'none' });
    expect(planned.changes.map((one) => one.field)).toEqual([field]);
    await bench.applied();
    bench.one();
    const [after] = (await bench.ledger()).records.values();
    expect(after?.objectId).toBe(before?.objectId);
    expect(await bench.planned()).toMatchObject({ verdict: 'none' });
  },
});

/** A change of the plan that the object cannot follow in place. */
export const takeOver = (field: string): Case => ({
  says: `another ${field} makes a new one that takes over, and the old one goes`,
  run: async (bench) => {
    await bench.applied();
    const [before] = (await bench.ledger()).records.values();
    await bench.change(bench.subject.fixed?.[field] ?? {});
    expect(await bench.planned()).toMatchObject({ verdict: 'replace' });
    expect(await bench.applied()).toMatchObject({ verdict: 'replace' });
    bench.one();
    const [after] = (await bench.ledger()).records.values();
    expect(after).toMatchObject({ superseded: [] });
    expect(after?.objectId).not.toBe(before?.objectId);
    expect(await bench.planned()).toMatchObject({ verdict: 'none' });
  },
});

/** What stands at the places that `edit` names. */
function membersAt(thing: unknown, edit: Edit): Edit {
  const of: Edit = isMap(thing) ? thing : {};
  return Object.fromEntries(
    Object.entries(edit).map(([name, value]) => [name, isMap(value) ? membersAt(of[name], value as Edit) : sorted(of[name])]),
  );
}

/** A list may come back in another order. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one: unknown) => canonicalJson(one)).sort() : structuredClone(value);

/** No member of the one is a member of the other. */
const isApart = (one: Edit, other: Edit): boolean =>
  Object.entries(one).every(([name, value]) => {
    if (!Object.hasOwn(other, name)) return true;
    const beside = other[name];
    return isMap(value) && isMap(beside) && isApart(value as Edit, beside as Edit);
  });

async function refused(bench: Bench, code: string): Promise<void> {
  const world = structuredClone(bench.subject.mine());
  expect(await bench.planned()).toMatchObject({ verdict: 'refused', error: { code } });
  const seen = await bench.during(async () => {
    expect(await bench.apply()).toMatchObject({ ok: false, status: 'failed', error: { code } });
  });
  expect(writesOf(seen)).toEqual([]);
  await expectUntouched(bench, world);
}

/** Why nobody can tell the object of a record from another one of its name, `null` where the record can. */
function untold(record: LedgerRecord | undefined): string | null {
  if (record?.birth) return null;
  if (record?.reach.kind !== 'object') return 'nothing tells an entry of a list from another one of its name';
  const { find, read } = record.reach;
  const tells = find?.uid !== undefined || (find?.created_at !== undefined && find.created_at_moves !== true);
  if (!tells) return 'its provider shows nothing that tells two objects of one name apart';
  expect(JSON.stringify([find.request, find.match, read?.request]), 'its find names its id, and the record knows no birth').not.toContain(
    `"${record.objectId}"`,
  );
  return 'its provider gives it an id that no other object gets';
}
