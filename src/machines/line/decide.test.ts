import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Situation } from './decide.ts';

/** An apply of a line that nobody has seen before. */
const fresh: Situation = {
  purpose: 'apply',
  kind: 'object',
  record: null,
  hasIntent: false,
  found: 'none',
  wasLeft: false,
  isRecorded: false,
  changed: [],
  drifted: [],
  immutable: [],
  canUpdate: true,
  isAdoption: false,
  recreate: false,
  reconcile: false,
  destroy: 'delete',
  missingOutput: null,
};
const ours = { owned: true, sameRemoval: true };
const adopted = { owned: false, sameRemoval: true };
/** An apply of a line whose object stands as recorded. */
const recorded: Situation = { ...fresh, record: ours, found: 'one', isRecorded: true };
const judged = (change: Partial<Situation>, from: Situation = fresh): string => {
  const { verdict, code, drift } = decide({ ...from, ...change });
  return [verdict, code, drift === 'none' ? undefined : `drift ${drift}`].filter(Boolean).join(' ');
};

describe('the lifecycle table, without a record', () => {
  it('creates what is not there', () => expect(judged({})).toBe('create'));
  it('claims what an earlier intent names', () => expect(judged({ found: 'one', hasIntent: true })).toBe('claim'));
  it('creates again what an earlier intent announced and did not make', () => expect(judged({ hasIntent: true })).toBe('create'));
  it('refuses as foreign what no intent names', () => expect(judged({ found: 'one' })).toBe('refused RESOURCE_FOREIGN'));
  it('refuses two matches', () => {
    expect(judged({ found: 'many' })).toBe('refused PARAM_INVALID');
    expect(judged({ found: 'many', hasIntent: true })).toBe('refused PARAM_INVALID');
  });
  it('adopts what stands when every field is kept', () => expect(judged({ isAdoption: true, found: 'one' })).toBe('adopt'));
  it('never makes what must be adopted', () => expect(judged({ isAdoption: true })).toBe('refused PROVIDER_NOT_FOUND'));
  it('sends an action', () => expect(judged({ kind: 'action' })).toBe('send'));
  it('does nothing of its own for a line that waits', () => expect(judged({ kind: 'wait' })).toBe('none'));
});

describe('the lifecycle table, with a record', () => {
  it('writes nothing when live equals desired', () => expect(judged({}, recorded)).toBe('none'));
  it('updates what the plan changed', () => expect(judged({ changed: ['url'] }, recorded)).toBe('update'));
  it('puts back what was changed outside', () =>
    expect(judged({ changed: ['url'], drifted: ['url'] }, recorded)).toBe('update drift changed'));
  it('replaces on a changed immutable field', () =>
    expect(judged({ changed: ['region'], immutable: ['region'] }, recorded)).toBe('replace'));
  it('refuses a difference that cannot be updated', () => {
    expect(judged({ changed: ['url'], canUpdate: false }, recorded)).toBe('refused PARAM_INVALID');
  });
  it('creates again what is missing', () => expect(judged({ found: 'none', isRecorded: false }, recorded)).toBe('create drift missing'));
  it('replaces on --recreate', () => expect(judged({ recreate: true }, recorded)).toBe('replace'));
  it('claims the announced object that stands where the recorded one is gone', () => {
    expect(judged({ isRecorded: false, hasIntent: true }, recorded)).toBe('claim drift missing');
  });
  it('refuses another object that stands where the recorded one is gone', () => {
    expect(judged({ isRecorded: false }, recorded)).toBe('refused RESOURCE_FOREIGN drift missing');
  });
  it('asks for --reconcile when the delete request changed', () => {
    expect(judged({ record: { ...ours, sameRemoval: false } }, recorded)).toBe('refused NEEDS_RECONCILE');
  });
  it('stores the new delete request with --reconcile', () => {
    expect(judged({ record: { ...ours, sameRemoval: false }, reconcile: true }, recorded)).toBe('reconcile');
  });
  it('judges a changed field as always when --reconcile is given', () => {
    const moved = { record: { ...ours, sameRemoval: false }, reconcile: true, changed: ['url'] };
    expect(judged(moved, recorded)).toBe('update');
    expect(judged({ ...moved, immutable: ['url'] }, recorded)).toBe('replace');
    expect(judged({ ...moved, canUpdate: false }, recorded)).toBe('refused PARAM_INVALID');
    expect(judged({ ...moved, record: { owned: false, sameRemoval: false } }, recorded)).toBe('refused RESOURCE_FOREIGN');
  });
  it('leaves an adopted object as it is', () => expect(judged({ isAdoption: true, record: adopted }, recorded)).toBe('none'));
  it('never makes an adopted object that is gone', () => {
    expect(judged({ isAdoption: true, record: adopted, found: 'none', isRecorded: false }, recorded)).toBe(
      'refused PROVIDER_NOT_FOUND drift missing',
    );
  });
  it('refuses to change or replace what it only adopted', () => {
    expect(judged({ record: adopted, changed: ['url'] }, recorded)).toBe('refused RESOURCE_FOREIGN');
    expect(judged({ record: adopted, recreate: true }, recorded)).toBe('refused RESOURCE_FOREIGN');
  });
  it('sends an action again only when its trigger changed or it is asked to', () => {
    const action: Partial<Situation> = { kind: 'action', record: ours };
    expect(judged(action)).toBe('none');
    expect(judged({ ...action, changed: ['revision'] })).toBe('send');
    expect(judged({ ...action, recreate: true })).toBe('send');
  });
  it('refuses a write that needs a value that is gone, and lets everything else be', () => {
    const gone: Partial<Situation> = { missingOutput: 'hook.secret' };
    expect(judged(gone)).toBe('refused OUTPUT_UNAVAILABLE');
    expect(judged({ ...gone, changed: ['secret'] }, recorded)).toBe('refused OUTPUT_UNAVAILABLE');
    expect(judged({ ...gone, found: 'one', hasIntent: true, changed: ['secret'] })).toBe('refused OUTPUT_UNAVAILABLE');
    expect(judged(gone, recorded)).toBe('none');
    expect(judged({ ...gone, found: 'one', hasIntent: true })).toBe('claim');
  });
});

describe('the lifecycle table, of a line that leaves what others change', () => {
  const leaving: Situation = { ...recorded, leavesDrift: true };
  const missing: Partial<Situation> = { found: 'none', isRecorded: false };
  const left = (change: Partial<Situation>): string => {
    const { leaves } = decide({ ...leaving, ...change });
    return `${judged(change, leaving)}${leaves ? `, leaves ${leaves.join(' ') || 'it'}` : ''}`;
  };
  const drifted: Partial<Situation> = { changed: ['url'], drifted: ['url'] };
  const both: Partial<Situation> = { changed: ['name', 'url'], drifted: ['url'] };

  it('tells what others changed and writes nothing', () => expect(left(drifted)).toBe('none drift changed, leaves url'));
  it('writes what the plan changed beside it', () => {
    expect(left(both)).toBe('update drift changed, leaves url');
    expect(left({ changed: ['name'] })).toBe('update');
  });
  it('leaves a drifted field that cannot change in place, and replaces for one that the plan changed', () => {
    expect(left({ ...drifted, immutable: ['url'] })).toBe('none drift changed, leaves url');
    expect(left({ ...both, immutable: ['url'] })).toBe('update drift changed, leaves url');
    expect(left({ ...both, immutable: ['name'] })).toBe('replace drift changed');
  });
  it('refuses an update that would write back what is to stay', () => {
    expect(left({ ...both, unleavable: ['url'] })).toBe('refused PARAM_INVALID drift changed');
    expect(left({ ...drifted, unleavable: ['url'] })).toBe('none drift changed, leaves url');
  });
  it('needs no update of an operation that has none', () => {
    expect(left({ ...drifted, canUpdate: false })).toBe('none drift changed, leaves url');
    expect(left({ ...both, canUpdate: false })).toBe('refused PARAM_INVALID drift changed');
  });
  it('refuses as ever what the provider does not keep', () => {
    expect(left({ ...both, unkept: ['name'] })).toBe('refused PROVIDER_RESPONSE drift changed');
    expect(left({ ...missing, kind: 'item', isLeftOut: true })).toBe('refused PROVIDER_RESPONSE drift missing');
  });
  it('does not make again what others took away', () => {
    expect(left(missing)).toBe('none drift missing, leaves it');
    expect(left({ ...missing, kind: 'item' })).toBe('none drift missing, leaves it');
    expect(left({ isRecorded: false })).toBe('none drift missing, leaves it');
    expect(left({ ...missing, isAdoption: true, record: adopted })).toBe('none drift missing, leaves it');
  });
  it('goes on with what this scope took away, or announced', () => {
    expect(left({ ...missing, isGoing: true })).toBe('create drift missing');
    expect(left({ ...missing, hasIntent: true })).toBe('create drift missing');
    expect(left({ isRecorded: false, hasIntent: true })).toBe('claim drift missing');
  });
  it('makes anew on --recreate, which is an explicit wish', () => {
    expect(left({ ...drifted, recreate: true })).toBe('replace drift changed');
    expect(left({ ...missing, recreate: true })).toBe('create drift missing');
  });
  it('stores a new delete request beside what is left', () => {
    const moved = { ...drifted, record: { ...ours, sameRemoval: false } };
    expect(left(moved)).toBe('refused NEEDS_RECONCILE drift changed');
    expect(left({ ...moved, reconcile: true })).toBe('reconcile drift changed, leaves url');
  });
  it('writes no value that is gone, and leaves drift although one is', () => {
    expect(left({ ...both, missingOutput: 'hook.secret' })).toBe('refused OUTPUT_UNAVAILABLE drift changed');
    expect(left({ ...drifted, missingOutput: 'hook.secret' })).toBe('none drift changed, leaves url');
  });
  it('has no other verdict for what nobody changed', () => {
    expect(left({})).toBe('none');
    expect(judged({}, { ...fresh, leavesDrift: true })).toBe('create');
    expect(judged({ purpose: 'destroy', found: 'none' }, leaving)).toBe('delete');
  });
});

describe('the lifecycle table, when destroyed', () => {
  const destroyed: Situation = { ...fresh, purpose: 'destroy', record: ours };
  it('deletes what pilotfish made', () => expect(judged({}, destroyed)).toBe('delete'));
  it('forgets what says destroy: keep', () => expect(judged({ destroy: 'keep' }, destroyed)).toBe('forget'));
  it('forgets what its provider cannot delete', () => expect(judged({ destroy: 'never' }, destroyed)).toBe('forget'));
  it('forgets what it adopted', () => expect(judged({ record: adopted }, destroyed)).toBe('forget'));
  it('sends nothing for an action', () => expect(judged({ kind: 'action' }, destroyed)).toBe('forget'));
  it('deletes what a lost create made', () => expect(judged({ record: null, hasIntent: true, found: 'one' }, destroyed)).toBe('delete'));
  it('forgets a create that made nothing', () => expect(judged({ record: null, hasIntent: true }, destroyed)).toBe('forget'));
  it('takes no object from somebody who made it anew: only an object that this scope let stay is claimed, as it stands', () => {
    expect(judged({ found: 'one', wasLeft: true })).toBe('claim');
    expect(judged({ found: 'one', wasLeft: true, changed: ['note'] })).toBe('claim');
    expect(judged({ found: 'one', wasLeft: true, changed: ['region'], immutable: ['region'] })).toBe('refused RESOURCE_FOREIGN');
    expect(judged({ found: 'one', wasLeft: true, recreate: true })).toBe('refused RESOURCE_FOREIGN');
    expect(judged({ found: 'one', wasLeft: true, recreate: true, kind: 'item' })).toBe('claim');
    expect(judged({ found: 'none', wasLeft: false })).toBe('create');
  });
  it('leaves what a lost create made and destroy keeps', () => {
    expect(judged({ record: null, hasIntent: true, found: 'one', destroy: 'keep' }, destroyed)).toBe('forget');
  });
  it('deletes nothing when several objects answer to an unfinished create', () => {
    expect(judged({ record: null, hasIntent: true, found: 'many' }, destroyed)).toBe('refused PARAM_INVALID');
    expect(judged({ hasIntent: true, found: 'many' }, destroyed)).toBe('refused PARAM_INVALID');
  });
});

/** Everything that can be known about a line. Contradictions (two matches that are the recorded one) are left out. */
const situations: fc.Arbitrary<Situation> = fc
  .record({
    purpose: fc.constantFrom('apply' as const, 'destroy' as const),
    kind: fc.constantFrom('object' as const, 'item' as const, 'action' as const, 'wait' as const),
    record: fc.option(fc.record({ owned: fc.boolean(), sameRemoval: fc.boolean() })),
    hasIntent: fc.boolean(),
    found: fc.constantFrom('none' as const, 'one' as const, 'many' as const),
    wasLeft: fc.boolean(),
    isRecorded: fc.boolean(),
    changed: fc.subarray(['a', 'b']),
    drifted: fc.subarray(['a', 'b']),
    unkept: fc.subarray(['a', 'b']),
    immutable: fc.subarray(['a', 'b']),
    isLeftOut: fc.boolean(),
    isGoing: fc.boolean(),
    leavesDrift: fc.boolean(),
    unleavable: fc.subarray(['a', 'b']),
    recordChanges: fc.subarray(['id', 'destroy']),
    canUpdate: fc.boolean(),
    isAdoption: fc.boolean(),
    recreate: fc.boolean(),
    reconcile: fc.boolean(),
    destroy: fc.constantFrom('delete' as const, 'keep' as const, 'never' as const),
    missingOutput: fc.option(fc.constant('a.b')),
  })
  .map((s) => {
    const changed = s.found === 'one' || s.kind === 'action' ? s.changed : [];
    const isRecorded = s.isRecorded && s.record !== null && s.found === 'one';
    const unkept = s.unkept.filter((field) => isRecorded && changed.includes(field));
    const drifted = s.drifted.filter((field) => isRecorded && changed.includes(field) && !unkept.includes(field));
    const immutable = s.immutable.filter((field) => s.kind === 'object' && changed.includes(field));
    return { ...s, changed, isRecorded, unkept, drifted, immutable, isLeftOut: s.isLeftOut && s.kind === 'item' && s.found === 'none' };
  });
const always = (holds: (s: Situation) => void): void => fc.assert(fc.property(situations, holds), { numRuns: 3_000 });

describe('a line, whatever is known about it', () => {
  it('nothing is deleted that pilotfish did not make, or that must stay', () => {
    always((s) => {
      if (decide(s).verdict !== 'delete') return;
      expect(s.purpose).toBe('destroy');
      expect(s.destroy).toBe('delete');
      expect(s.record ? s.record.owned : s.found === 'one').toBe(true);
    });
  });
  it('an apply writes to an object only when it is ours by record or by intent', () => {
    always((s) => {
      if (s.kind !== 'object' && s.kind !== 'item') return;
      const { verdict } = decide(s);
      if (verdict === 'update') expect(s.record?.owned && s.isRecorded).toBe(true);
      // An object that no record names is replaced only through the intent that made it.
      if (verdict === 'replace') expect(s.record && s.isRecorded ? s.record.owned : s.hasIntent).toBe(true);
      if (verdict === 'claim') expect((s.hasIntent || s.wasLeft) && s.found === 'one').toBe(true);
      if (verdict === 'create') expect(s.found).toBe('none');
    });
  });
  it('what an earlier intent names is never refused as foreign', () => {
    always((s) => {
      if (s.record === null && s.hasIntent) expect(decide(s).code).not.toBe('RESOURCE_FOREIGN');
    });
  });
  it('two matches are refused and never written to', () => {
    always((s) => {
      if (s.found !== 'many' || s.kind === 'action' || s.kind === 'wait') return;
      expect(['refused', 'forget']).toContain(decide(s).verdict);
    });
  });
  it('a line that is as recorded and as planned is written only when that is asked for', () => {
    always((s) => {
      if (s.purpose === 'destroy' || !s.isRecorded || s.changed.length > 0 || s.recreate || s.kind === 'action') return;
      expect(['none', 'rename', 'record', 'reconcile', 'refused']).toContain(decide(s).verdict);
    });
  });
  it('a write that needs a value that is gone is never sent', () => {
    always((s) => {
      if (s.missingOutput === null || s.purpose === 'destroy') return;
      const { verdict, leaves = [] } = decide(s);
      expect(['create', 'update', 'replace', 'send']).not.toContain(verdict);
      if (verdict === 'claim' || verdict === 'reconcile') expect(s.changed.filter((field) => !leaves.includes(field))).toEqual([]);
    });
  });
  it('what others changed is written by no line that leaves it, unless it is made anew', () => {
    always((s) => {
      if (s.purpose === 'destroy' || !s.leavesDrift || s.recreate || s.drifted.length === 0 || s.isAdoption) return;
      if (s.kind === 'action' || s.kind === 'wait') return;
      const { verdict, leaves } = decide(s);
      expect(['none', 'rename', 'record', 'update', 'reconcile', 'replace', 'refused']).toContain(verdict);
      if (verdict !== 'replace' && verdict !== 'refused') expect(leaves).toEqual(s.drifted);
      if (verdict === 'update') expect(s.changed.length).toBeGreaterThan(s.drifted.length);
      if (verdict === 'replace') expect(s.immutable.some((field) => !s.drifted.includes(field))).toBe(true);
    });
  });
  it('a line that leaves what others change decides as any other where nobody changed anything', () => {
    always((s) => {
      const isMissing = s.record !== null && !s.isRecorded;
      if (s.drifted.length > 0 || isMissing) return;
      expect(decide({ ...s, leavesDrift: true })).toEqual(decide({ ...s, leavesDrift: false }));
    });
  });
  it('a change of its record alone is told of an object that stands, and changes nothing else', () => {
    always((s) => {
      const plain = decide({ ...s, recordChanges: [] });
      const told = decide(s);
      const isTold = s.purpose === 'apply' && plain.verdict === 'none' && plain.drift !== 'missing' && s.recordChanges?.length !== 0;
      const word = s.recordChanges?.includes('destroy') ? 'record' : 'rename';
      expect(told).toEqual(isTold ? { ...plain, verdict: word, why: told.why } : plain);
    });
  });
  it('nothing is left by a line that does not say so, nor by a destroy', () => {
    always((s) => {
      if (!s.leavesDrift || s.purpose === 'destroy') expect(decide(s).leaves).toBeUndefined();
    });
  });
  it('every refusal has a code and every verdict a reason', () => {
    always((s) => {
      const { verdict, code, why } = decide(s);
      expect(code !== undefined).toBe(verdict === 'refused');
      expect(why).not.toBe('');
    });
  });
});
