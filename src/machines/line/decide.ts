import type { ErrorCode } from '../../core/errors.ts';
import type { VerdictName } from '../../core/verdict.ts';

export type { VerdictName } from '../../core/verdict.ts';

/** The facts that a line is judged by. Ids and counts only: no value, no secret. */
export interface Situation {
  readonly purpose: 'apply' | 'destroy';
  readonly kind: 'object' | 'item' | 'action' | 'wait';
  /** The ledger's record of this identity. */
  readonly record: null | {
    readonly owned: boolean;
    /** The delete request, resolved with the recorded id, is still the recorded one. */
    readonly sameRemoval: boolean;
  };
  /** An earlier run announced a create of this identity and nobody recorded its end. */
  readonly hasIntent: boolean;
  /** The found object is one that an earlier destroy of this scope let stay. */
  readonly wasLeft: boolean;
  /** An object that was found and is not counted is on its way out: this scope sent its delete. */
  readonly isGoing?: boolean;
  /** Objects found, known ids (superseded) subtracted. */
  readonly found: 'none' | 'one' | 'many';
  /** The found object is the recorded one. */
  readonly isRecorded: boolean;
  /** Declared fields that differ from the live object, or, for an action, from the last trigger. */
  readonly changed: readonly string[];
  /** Those of them whose planned value is the recorded one, so somebody else changed the live object. */
  readonly drifted: readonly string[];
  /** Those of them whose planned value was written before, and the provider did not keep it. */
  readonly unkept?: readonly string[];
  /** Those of them that time alone changed. */
  readonly worn?: readonly string[];
  /** The recorded object is not there, and its provider was to end it by itself before now. */
  readonly hasEnded?: boolean;
  /** The entry that is not there was sent as planned before, and its provider left it out. */
  readonly isLeftOut?: boolean;
  /** Those of them that cannot change in place. */
  readonly immutable: readonly string[];
  /** The line says `drift: report`, so the run tells what others changed and leaves it. */
  readonly leavesDrift?: boolean;
  /** Those of `drifted` that an update of the other fields would write as planned. */
  readonly unleavable?: readonly string[];
  /** Keys of the line that its record holds otherwise: its id, and what decides what a destroy does. */
  readonly recordChanges?: readonly string[];
  readonly canUpdate: boolean;
  /** All fields are `{ keep: true }`. */
  readonly isAdoption: boolean;
  readonly recreate: boolean;
  readonly reconcile: boolean;
  readonly destroy: 'delete' | 'keep' | 'never';
  /** A write would need a value that nobody has any more, and why. */
  readonly missingOutput: string | null;
}

export interface Verdict {
  readonly verdict: VerdictName;
  readonly drift: 'none' | 'changed' | 'missing';
  readonly why: string;
  /** Set when refused. */
  readonly code?: ErrorCode;
  /** Refused because several objects match, and nobody can tell which one is ours. */
  readonly isAmbiguous?: true;
  /** Fields that others changed and that stay so; none where the object is missing and is not made again. */
  readonly leaves?: readonly string[];
  /** Refused because an update would write these fields, which others changed, as planned. */
  readonly unleavable?: readonly string[];
}

/**
 * The lifecycle table of the specification as one pure function. Plan, apply and destroy all ask it, so a plan cannot say
 * one thing and an apply do another.
 */
export function decide(s: Situation): Verdict {
  return s.purpose === 'destroy' ? decideDestroy(s) : needsOutput(s, recorded(s, decideApply(s)));
}

const say = (verdict: VerdictName, why: string, drift: Verdict['drift'] = 'none'): Verdict => ({ verdict, drift, why });
const refuse = (code: ErrorCode, why: string, drift: Verdict['drift'] = 'none'): Verdict => ({ verdict: 'refused', drift, why, code });
const ambiguous = (why: string): Verdict => ({ ...refuse('PARAM_INVALID', why), isAmbiguous: true });

function decideDestroy(s: Situation): Verdict {
  if (s.record) {
    if (!s.record.owned) return say('forget', 'adopted, so it stays');
    if (s.kind === 'action' || s.kind === 'wait') return say('forget', 'nothing to take back');
    if (s.destroy === 'keep') return say('forget', 'destroy: keep, so it stays');
    if (s.destroy === 'never') return say('forget', 'the provider cannot delete it, so it stays');
    if (s.found === 'many') return ambiguous('more than one object answers to an unfinished create');
    return say('delete', 'made by pilotfish');
  }
  if (s.found === 'many') return ambiguous('more than one object answers to an unfinished create');
  if (s.found === 'none') return say('forget', 'announced and never made');
  if (s.destroy !== 'delete') return say('forget', `destroy: ${s.destroy}, so it stays`);
  return say('delete', 'made by an interrupted run');
}

function decideApply(s: Situation): Verdict {
  if (s.kind === 'action') return decideAction(s);
  if (s.kind === 'wait') return say('none', 'nothing of its own');
  if (s.found === 'many') return ambiguous('more than one object matches');
  if (s.isAdoption) return decideAdoption(s);
  if (!s.record) return decideNew(s);
  return decideRecorded(s, s.record);
}

function decideAction(s: Situation): Verdict {
  if (!s.record) return say('send', 'not sent yet');
  if (s.recreate) return say('send', 'it is asked for once more');
  return s.changed.length > 0 ? say('send', 'its trigger changed') : say('none', 'sent, and its trigger is unchanged');
}

function decideAdoption(s: Situation): Verdict {
  if (s.found === 'none' && s.record && s.leavesDrift) return leave('the adopted object is gone, and left so');
  if (s.found === 'none') return refuse('PROVIDER_NOT_FOUND', 'an adopted object must exist', s.record ? 'missing' : 'none');
  return s.record ? say('none', 'adopted') : say('adopt', 'every field is kept, so it is taken as it is and never deleted');
}

function decideNew(s: Situation): Verdict {
  if (s.found === 'none' && s.isGoing) return say('create', goingWhy);
  if (s.found === 'none') return say('create', s.hasIntent ? 'an earlier run announced it and did not make it' : 'not there yet');
  if (s.hasIntent) {
    // No successor can stand beside an entry, so an entry is claimed as it stands.
    if (s.recreate && s.kind === 'object') return say('replace', 'a new one is asked for');
    return claim(s);
  }
  if (s.wasLeft) {
    // The object is taken back as it stands, or not at all: the ledger holds nothing of it that a replacement could go by.
    const isReplaced = s.immutable.length > 0 || (s.recreate && s.kind === 'object');
    if (!isReplaced) return say('claim', 'this scope made it, and let it stay when it was destroyed');
    return refuse('RESOURCE_FOREIGN', 'this scope let it stay when it was destroyed, and has no record to replace it by');
  }
  return refuse('RESOURCE_FOREIGN', 'it exists, and nothing says that this scope made it');
}

const leave = (why: string): Verdict => ({ ...say('none', why, 'missing'), leaves: [] });
const strangerWhy = 'deleted outside, and left so, with another in its place';
const unleavableWhy = 'its update would write back what was changed outside';
const unkeptWhy = 'the provider does not keep what it is sent';
const goingWhy = 'its delete is under way, and it is made anew once it is gone';

function claim(s: Situation, drift: Verdict['drift'] = 'none'): Verdict {
  if (s.immutable.length > 0) return say('replace', 'an earlier run made it with a field that cannot change in place', drift);
  return say('claim', 'made by an earlier run that did not record it', drift);
}

function decideRecorded(s: Situation, record: NonNullable<Situation['record']>): Verdict {
  if (s.found === 'none' && s.isLeftOut && !s.recreate) return refuse('PROVIDER_RESPONSE', unkeptWhy, 'missing');
  // If a run announced another object or sent a delete, that run removed the object, and nobody else did.
  const isTaken = !s.isRecorded && !s.hasIntent && !s.isGoing && !(s.found === 'none' && s.hasEnded);
  if (isTaken && s.leavesDrift && !s.recreate)
    return leave(s.found === 'none' ? 'deleted outside, and left so until it is put back' : strangerWhy);
  if (s.isRecorded && s.leavesDrift && !s.recreate && s.drifted.length > 0) return decideBeside(s, record);
  if (s.found === 'none' && s.hasEnded && !s.isGoing) return say('create', 'its provider ended it by itself, as the plan says');
  if (s.found === 'none') return say('create', s.isGoing ? goingWhy : 'it was recorded and is gone', 'missing');
  if (!s.isRecorded) {
    if (s.hasIntent) return claim(s, 'missing');
    return refuse('RESOURCE_FOREIGN', 'the recorded object is gone and another stands in its place', 'missing');
  }
  const drift = s.drifted.length > 0 ? 'changed' : 'none';
  if (s.recreate && record.owned) return say('replace', 'a new one is asked for', drift);
  if (!record.sameRemoval && !s.reconcile) {
    return refuse('NEEDS_RECONCILE', 'its delete request changed, which looks like a replacement', drift);
  }
  if (s.changed.length === 0 && !s.recreate) {
    return record.sameRemoval ? say('none', 'as planned') : say('reconcile', 'its new delete request is stored', drift);
  }
  if (!record.owned) return refuse('RESOURCE_FOREIGN', 'it was adopted, so pilotfish does not change it', drift);
  if (s.changed.length > 0 && s.changed.every((field) => s.unkept?.includes(field))) return refuse('PROVIDER_RESPONSE', unkeptWhy, drift);
  if (s.immutable.length > 0) return say('replace', 'a field that cannot change in place differs', drift);
  if (!s.canUpdate) return refuse('PARAM_INVALID', 'it differs and the operation has no update', drift);
  const isWorn = s.changed.every((field) => s.worn?.includes(field));
  return say(
    'update',
    drift === 'changed' ? 'changed outside, put back' : isWorn ? 'its end comes near, and is renewed' : 'the plan changed',
    drift,
  );
}

/** Judges the plan's own changes as if nobody else had changed anything, and leaves the changes of others. */
function decideBeside({ drifted, ...s }: Situation, record: NonNullable<Situation['record']>): Verdict {
  const own = (fields: readonly string[] = []): readonly string[] => fields.filter((field) => !drifted.includes(field));
  const rest: Situation = { ...s, drifted: [], changed: own(s.changed), unkept: own(s.unkept), immutable: own(s.immutable) };
  const verdict = { ...decideRecorded(rest, record), drift: 'changed' as const };
  switch (verdict.verdict) {
    case 'none':
      return { ...verdict, why: 'changed outside, and left so until it is put back', leaves: drifted };
    case 'reconcile':
      return { ...verdict, leaves: drifted };
    case 'update': {
      const unleavable = s.unleavable ?? [];
      if (unleavable.length > 0) return { ...refuse('PARAM_INVALID', unleavableWhy, 'changed'), unleavable };
      return { ...verdict, why: 'the plan changed; what was changed outside is left so until it is put back', leaves: drifted };
    }
    default:
      // The line is refused or made anew. A new object has every field as planned, and the changes of others go with the old one.
      return verdict;
  }
}

/** An object that stands needs no write, and its record may still need one. The record of a missing object stays as it is. */
function recorded({ recordChanges = [] }: Situation, verdict: Verdict): Verdict {
  if (verdict.verdict !== 'none' || verdict.drift === 'missing' || recordChanges.length === 0) return verdict;
  const [name, why] = recordChanges.every((key) => key === 'id') ? renamed : rerecorded;
  return { ...verdict, verdict: name, why: verdict.leaves ? `${verdict.why}; ${why}` : why };
}

const renamed = ['rename', 'the same object under another id'] as const;
const rerecorded = ['record', 'the object stays as it is, and a destroy treats it otherwise'] as const;

/** Refuses a write that needs a value nobody has any more. Such a write would be sent empty. */
function needsOutput(s: Situation, verdict: Verdict): Verdict {
  if (s.missingOutput === null) return verdict;
  const writes = ['create', 'update', 'replace', 'send'].includes(verdict.verdict) || (verdict.verdict === 'claim' && s.changed.length > 0);
  return writes ? refuse('OUTPUT_UNAVAILABLE', `nobody has ${s.missingOutput} any more`, verdict.drift) : verdict;
}
