import { describe, expect, it } from 'vitest';
import { decide, type Situation } from './decide.ts';

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
const recorded: Partial<Situation> = { record: ours, found: 'one', isRecorded: true };
const destroyed: Partial<Situation> = { purpose: 'destroy', record: ours };
const unrecorded: Partial<Situation> = { purpose: 'destroy', hasIntent: true };
const action: Partial<Situation> = { kind: 'action', record: ours };
const moved = { ...recorded, record: { owned: true, sameRemoval: false } };
const gone = { missingOutput: 'hook.secret' };
const leaving: Partial<Situation> = { ...recorded, leavesDrift: true };
const drifted: Partial<Situation> = { changed: ['a'], drifted: ['a'] };

/** Everything that a person may be told about a verdict, in the order of the table. */
describe('the reason', () => {
  it.each<[string, Partial<Situation>]>([
    ['not there yet', {}],
    ['an earlier run announced it and did not make it', { hasIntent: true }],
    ['made by an earlier run that did not record it', { hasIntent: true, found: 'one' }],
    [
      'an earlier run made it with a field that cannot change in place',
      { hasIntent: true, found: 'one', changed: ['a'], immutable: ['a'] },
    ],
    ['a new one is asked for', { hasIntent: true, found: 'one', recreate: true }],
    ['it exists, and nothing says that this scope made it', { found: 'one' }],
    ['more than one object matches', { found: 'many' }],
    ['an adopted object must exist', { isAdoption: true }],
    ['every field is kept, so it is taken as it is and never deleted', { isAdoption: true, found: 'one' }],
    ['adopted', { ...recorded, isAdoption: true, record: adopted }],
    ['nothing of its own', { kind: 'wait' }],
    ['not sent yet', { kind: 'action' }],
    ['sent, and its trigger is unchanged', action],
    ['its trigger changed', { ...action, changed: ['revision'] }],
    ['it is asked for once more', { ...action, recreate: true }],
    ['as planned', recorded],
    ['the plan changed', { ...recorded, changed: ['a'] }],
    ['changed outside, put back', { ...recorded, changed: ['a'], drifted: ['a'] }],
    ['a field that cannot change in place differs', { ...recorded, changed: ['a'], immutable: ['a'] }],
    ['it differs and the operation has no update', { ...recorded, changed: ['a'], canUpdate: false }],
    ['a new one is asked for', { ...recorded, recreate: true }],
    ['it was recorded and is gone', { record: ours }],
    ['this scope made it, and let it stay when it was destroyed', { found: 'one', wasLeft: true }],
    ['this scope let it stay when it was destroyed, and has no record to replace it by', { found: 'one', wasLeft: true, recreate: true }],
    ['made by an earlier run that did not record it', { ...recorded, isRecorded: false, hasIntent: true }],
    ['the recorded object is gone and another stands in its place', { ...recorded, isRecorded: false }],
    ['its delete request changed, which looks like a replacement', moved],
    ['its new delete request is stored', { ...moved, reconcile: true }],
    ['it was adopted, so pilotfish does not change it', { ...recorded, record: adopted, changed: ['a'] }],
    ['nobody has hook.secret any more', { ...recorded, ...gone, changed: ['a'] }],
    ['changed outside, and left so until it is put back', { ...leaving, ...drifted }],
    ['the plan changed; what was changed outside is left so until it is put back', { ...leaving, changed: ['a', 'b'], drifted: ['a'] }],
    ['its update would write back what was changed outside', { ...leaving, changed: ['a', 'b'], drifted: ['a'], unleavable: ['a'] }],
    ['deleted outside, and left so until it is put back', { ...leaving, found: 'none', isRecorded: false }],
    ['deleted outside, and left so, with another in its place', { ...leaving, isRecorded: false }],
    ['the adopted object is gone, and left so', { ...leaving, found: 'none', isRecorded: false, isAdoption: true }],
    ['made by pilotfish', destroyed],
    ['adopted, so it stays', { ...destroyed, record: adopted }],
    ['nothing to take back', { ...destroyed, kind: 'action' }],
    ['nothing to take back', { ...destroyed, kind: 'wait' }],
    ['destroy: keep, so it stays', { ...destroyed, destroy: 'keep' }],
    ['the provider cannot delete it, so it stays', { ...destroyed, destroy: 'never' }],
    ['more than one object answers to an unfinished create', { ...destroyed, found: 'many' }],
    ['more than one object answers to an unfinished create', { ...unrecorded, found: 'many' }],
    ['announced and never made', unrecorded],
    ['destroy: keep, so it stays', { ...unrecorded, found: 'one', destroy: 'keep' }],
    ['destroy: never, so it stays', { ...unrecorded, found: 'one', destroy: 'never' }],
    ['made by an interrupted run', { ...unrecorded, found: 'one' }],
  ])('%s', (why, situation) => {
    expect(decide({ ...fresh, ...situation }).why).toBe(why);
  });

  it('of another refusal is not hidden by a value that is gone', () => {
    const verdict = decide({ ...fresh, ...moved, ...gone, changed: ['a'] });
    expect([verdict.code, verdict.why]).toEqual(['NEEDS_RECONCILE', 'its delete request changed, which looks like a replacement']);
  });

  it('tells of a replacement when an earlier run made the object with another immutable value', () => {
    const made: Partial<Situation> = { hasIntent: true, found: 'one', changed: ['a'], immutable: ['a'] };
    expect(decide({ ...fresh, ...made })).toMatchObject({ verdict: 'replace', drift: 'none' });
    expect(decide({ ...fresh, ...recorded, ...made, isRecorded: false })).toMatchObject({ verdict: 'replace', drift: 'missing' });
  });

  it('of drift needs a field that somebody else changed', () => {
    expect(decide({ ...fresh, ...recorded, changed: ['a'], recreate: true }).drift).toBe('none');
    expect(decide({ ...fresh, ...recorded, drifted: ['a'], changed: ['a'], recreate: true }).drift).toBe('changed');
  });

  it('of --recreate is a replacement for an object that nobody recorded, and a claim for an entry', () => {
    const made: Partial<Situation> = { hasIntent: true, found: 'one', recreate: true };
    expect(decide({ ...fresh, ...made }).verdict).toBe('replace');
    expect(decide({ ...fresh, ...made, recreate: false }).verdict).toBe('claim');
    expect(decide({ ...fresh, ...made, kind: 'item' }).verdict).toBe('claim');
  });
});
