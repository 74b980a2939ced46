import { changeOf, type Ending, type Fact } from '../model/change.ts';
import { sealsPath } from '../seals/lists.ts';
import type { Change } from '../stores/store.ts';
import type { Branch } from './branch.ts';
import type { LateWrites } from './late-writes.ts';
import type { OwnLease } from './own-lease.ts';
import type { WriterOptions } from './writer-options.ts';

interface Pushing extends Pick<WriterOptions, 'terms' | 'snapshot' | 'sealing'> {
  readonly branch: Branch;
  readonly lease: OwnLease;
  readonly late: LateWrites;
}

interface Push {
  readonly facts: readonly Fact[];
  readonly ending: Ending | null;
  /** How long writes may still land, when the run gives its lease back and only polls. */
  readonly rest: number | null;
}

/** The message of a push, which vouches for the seal lists in it. */
export function messageOfPush(
  { message, sealing, branch }: Pick<WriterOptions, 'message' | 'sealing'> & { readonly branch: Branch },
  o: Pushed,
): string {
  const text = message(
    o.facts.map(({ kind }) => kind),
    o.isLast,
  );
  if (!sealing || (o.facts.length === 0 && !o.isLast)) return text;
  return `${text}${sealing.marks(o.change.get(sealsPath) ?? branch.files.get(sealsPath), branch.head)}`;
}

interface Pushed {
  readonly facts: readonly Fact[];
  readonly isLast: boolean;
  readonly change: Change;
}

/** The files that one push of a run changes. A promise only where seals are added, because a push of the lease alone must not wait for those. */
export function changeOfPush(
  { branch, lease, late, terms, sealing, ...o }: Pushing,
  { facts, ending, rest }: Push,
): Change | Promise<Change> {
  const own = ending?.quietForMs ?? rest;
  // Requests of an earlier run may outlast this run, so this run hands on the quiet moment.
  const quietForMs = own === null ? null : Math.max(own, late.left());
  const { files, state, head } = branch;
  const change = changeOf({
    files,
    base: { run: terms.run, head, deletes: state.deletes ?? [] },
    facts,
    lease: lease.mayBeHeld(state.lease) ? lease.fact(quietForMs) : null,
    snapshot: ending ? ending.snapshot : o.snapshot(),
    // The code of a renewal names the commit that it is built on, so it is made for each try.
    ending: ending && sealing ? { ...ending, history: sealing.renewal(ending.history, head) } : ending,
  });
  return sealing && (facts.length > 0 || ending !== null) ? sealing.sealed(change, { facts, state, files }) : change;
}
