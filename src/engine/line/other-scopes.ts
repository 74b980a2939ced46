import { Failure } from '../../core/errors.ts';
import { NextRound } from '../../core/next-round.ts';
import { scopeOf } from '../../ledger/model/names.ts';
import { parseState } from '../../ledger/model/state.ts';
import { inBatches, readSound, type Store } from '../../ledger/stores/store.ts';
import { planAgain } from '../command-again.ts';
import type { Session } from '../session.ts';

/** The objects that the ledgers of the repository's other scopes claim, or may claim. */
export interface OtherScopes {
  /** The branch on which the object is recorded as made by that scope. */
  recordedOn(recordId: string, baseUrl: string): string | null;
  /** The branch on which the object is announced. */
  announcedOn(identity: string): string | null;
  /** Ledgers that cannot be read, so nobody knows whether they name an object. The run has a warning for each. */
  readonly unread: readonly UnreadLedger[];
}

export interface UnreadLedger {
  readonly branch: string;
  readonly why: string;
  /** The fix: the command that tells how to mend the ledger. */
  readonly mend: string;
}

/**
 * Reads the ledgers of all other scopes from now on. An earlier reading serves only for a ledger whose head is still the same. A run that
 * goes on where another died asks for each of thousands of objects, so callers that ask during one reading share the next.
 */
export function readOtherScopes(session: Session): Promise<OtherScopes> {
  const reader = readers.get(session.writer) ?? { round: new NextRound<OtherScopes>(), known: new Map() };
  readers.set(session.writer, reader);
  return reader.round.ask(() => read(session, reader.known));
}

/** One a run: sessions are derived from each other, and all of them have its writer. */
const readers = new WeakMap<Session['writer'], { readonly round: NextRound<OtherScopes>; readonly known: Map<string, Claims> }>();

/** The names that one ledger holds. */
interface Claims {
  readonly head: string;
  readonly recorded: readonly string[];
  readonly announced: readonly string[];
}

/** At most this many ledgers are read at the same time. */
const atOnce = 16;

async function read(session: Session, known: Map<string, Claims>): Promise<OtherScopes> {
  const { store, receiptsBranch } = session;
  const prefix = `${receiptsBranch.split('/').slice(0, -2).join('/')}/`;
  const others = (await store.list(prefix)).filter(({ branch }) => branch !== receiptsBranch && !branch.endsWith('/_history'));
  const unread: UnreadLedger[] = [];
  const changed = others.filter(({ branch, head }) => known.get(branch)?.head !== head);
  await inBatches(changed, atOnce, async ({ branch }) => {
    known.delete(branch);
    try {
      const claims = await claimsOn(store, branch);
      if (claims) known.set(branch, claims);
    } catch (error) {
      if (!(error instanceof Failure) || session.stopping.aborted) throw error;
      unread.push(unreadLedger(session, branch, error.detail.replace(/ Nothing was .*$/s, '')));
    }
  });
  const [recorded, announced] = [new Map<string, string>(), new Map<string, string>()];
  for (const { branch } of others) {
    for (const name of known.get(branch)?.recorded ?? []) if (!recorded.has(name)) recorded.set(name, branch);
    for (const name of known.get(branch)?.announced ?? []) if (!announced.has(name)) announced.set(name, branch);
  }
  return {
    recordedOn: (recordId, baseUrl) => recorded.get(objectAt(recordId, baseUrl)) ?? null,
    announcedOn: (identity) => announced.get(identity) ?? null,
    unread: unread.sort((a, b) => (a.branch < b.branch ? -1 : 1)),
  };
}

async function claimsOn(store: Store, branch: string): Promise<Claims | null> {
  const tree = await readSound(store, branch);
  if (!tree) return null;
  const { records, intents } = parseState(tree.files, branch);
  const own = [...records.values()].filter(({ owned }) => owned);
  return {
    head: tree.head,
    recorded: own.map(({ recordId, provider }) => objectAt(recordId, provider.base_url)),
    announced: [...intents.keys()],
  };
}

function unreadLedger({ planFile, warnings }: Session, branch: string, why: string): UnreadLedger {
  const name = scopeOf(branch);
  const mend = name === null ? `Restore ${branch}.` : `Run ${planAgain({ ...name, planFile })} to see how to mend that ledger.`;
  const warning = `The ledger of another scope cannot be read, so nobody knows which objects it names: ${why} ${mend}`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return { branch, why, mend };
}

const objectAt = (recordId: string, baseUrl: string): string => `${baseUrl} ${recordId}`;
