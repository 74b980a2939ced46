/** One search: a model, what is in its world, and what must hold there. */
export interface Configuration {
  readonly says: string;
  readonly model: 'scope' | 'list';
  readonly defines: readonly string[];
  /** `safe` is all that must hold in every state; `ends` needs fairness and takes several times as long. */
  readonly claim: string;
}

const scope = (says: string, defines: readonly string[], claim = 'safe'): Configuration => ({ says, model: 'scope', defines, claim });
const list = (says: string, defines: readonly string[], claim = 'safe'): Configuration => ({ says, model: 'list', defines, claim });

/** The least that shows anything: `npm test` runs it where Spin is installed. */
export const smallest: Configuration = scope('a run and the next one, a person', ['ALONE', 'PERSON']);

export const configurations: readonly Configuration[] = [
  smallest,
  scope('the same, unique names, a lease of 3', ['ALONE', 'PERSON', 'UNIQUE', 'LEASE=6']),
  scope('two runs of any kind and the next', []),
  scope('apply beside destroy, a person', ['APPLY_BESIDE_DESTROY', 'PERSON']),
  scope('a chain, apply beside destroy', ['APPLY_BESIDE_DESTROY', 'CHAIN']),
  scope('a chain that looks early, the same', ['APPLY_BESIDE_DESTROY', 'CHAIN', 'EARLY_LOOK']),
  scope('a chain, a run and the next, a person', ['ALONE', 'PERSON', 'CHAIN']),
  scope('a chain that looks early, the same', ['ALONE', 'PERSON', 'CHAIN', 'EARLY_LOOK']),
  scope('seals, two forgeries, a person', ['ALONE', 'PERSON', 'SEALS', 'FORGERIES=2']),
  scope('seals, apply beside destroy, one send each', ['APPLY_BESIDE_DESTROY', 'SEALS', 'SENDS=1']),
  list('a list of two scopes', []),
  list('the same, a lock of 3', ['LEASE=6']),
  scope('a run and the next one, a person', ['ALONE', 'PERSON'], 'ends'),
  scope('a chain that looks early, the same', ['ALONE', 'PERSON', 'CHAIN', 'EARLY_LOOK'], 'ends'),
  scope('apply beside destroy, one send each', ['APPLY_BESIDE_DESTROY', 'SENDS=1'], 'ends'),
  list('a list of two scopes, one write each', ['WRITES=1', 'SENDS=1'], 'ends'),
];

/** A rule of the protocol that is taken away, where that shows, and what breaks first. */
export interface Fault extends Configuration {
  readonly name: string;
}

const alone = ['ALONE'];
const fault = (name: string, says: string, defines: readonly string[], claim: string): Fault => ({
  ...scope(says, [...defines, `FAULT_${define(name)}`], claim),
  name,
});
const listFault = (name: string, says: string, claim: string): Fault => ({ ...list(says, [`FAULT_${define(name)}`], claim), name });
const define = (name: string): string => name.replaceAll('-', '_').toUpperCase();

export const faults: readonly Fault[] = [
  fault('write-first', 'a create is sent before its intent is durable', alone, 'announcedFirst'),
  fault('no-compare', 'a push lands whatever the head is', ['APPLY_BESIDE_DESTROY'], 'oneWriterAtOnce'),
  fault('no-margin', 'a write is sent with less of the lease left than it may take', [], 'atMostOneObject'),
  fault('no-quiet', 'the quiet moment after a takeover is ignored', [], 'atMostOneObject'),
  fault('early-absence', 'an absence is believed while a late write may land', alone, 'atMostOneObject'),
  fault('blind-repeat', 'a create whose answer was lost is sent again without a look', alone, 'atMostOneObject'),
  fault('intent-left', 'a destroy ends with an intent left', alone, 'destroyLeavesNothing'),
  fault('unsealed', 'an unsealed fact is acted on', [...alone, 'PERSON', 'SEALS'], 'sealedOnlyIsDeleted'),
  fault('replayed-seal', 'a list of seals is believed that is not the last', [...alone, 'PERSON', 'SEALS'], 'sealedOnlyIsDeleted'),
  fault('look-unaged', 'an early look that saw nothing is good for ever', [...alone, 'PERSON', 'CHAIN', 'EARLY_LOOK'], 'foreignIsLeft'),
  fault('look-kept', 'an early look counts although another run wrote since', ['CHAIN', 'EARLY_LOOK'], 'atMostOneObject'),
  fault(
    'intent-unmissed',
    'an intent that is taken out, or written over, beside a record is not missed',
    ['ALONE', 'SEALS', 'PERSON'],
    'destroyLeavesNothing',
  ),
  listFault('read-unlocked', 'a list is written as it was read before the lock', 'entryIsKept'),
  listFault('lock-not-quiet', 'the quiet moment after a takeover of the lock is ignored', 'entryIsKept'),
  listFault('released-unread', 'a lock is released before the list was read again', 'entryIsKept'),
  listFault('unlocked-early', 'a lock is released as if no write under it could land any more', 'entryIsKept'),
];
