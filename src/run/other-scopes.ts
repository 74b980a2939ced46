import { NextRound } from '../core/next-round.ts';
import { parseState } from '../ledger/state.ts';
import type { Session } from './session.ts';

/** What the ledgers of all other scopes of the repository say is theirs, or may be. */
export interface OtherScopes {
  /** The branch on which the object is recorded as made by that scope. */
  recordedOn(recordId: string, baseUrl: string): string | null;
  /** The branch on which the object is announced. */
  announcedOn(identity: string): string | null;
}

/**
 * Reads the ledgers of all other scopes, from now on: what was read before is not taken. A run that goes on where another died asks for
 * each of thousands of objects, so those who ask while one reading is under way share the next.
 */
export function readOtherScopes(session: Session): Promise<OtherScopes> {
  const round = rounds.get(session) ?? new NextRound<OtherScopes>();
  rounds.set(session, round);
  return round.ask(() => read(session));
}

const rounds = new WeakMap<Session, NextRound<OtherScopes>>();

async function read({ store, receiptsBranch }: Session): Promise<OtherScopes> {
  const recorded = new Map<string, string>();
  const announced = new Map<string, string>();
  const addTo = (known: Map<string, string>, name: string, branch: string): void => {
    if (!known.has(name)) known.set(name, branch);
  };
  const prefix = `${receiptsBranch.split('/').slice(0, -2).join('/')}/`;
  for (const { branch } of await store.list(prefix)) {
    if (branch === receiptsBranch || branch.endsWith('/_history')) continue;
    const tree = await store.read(branch);
    if (!tree) continue;
    const { records, intents } = parseState(tree.files, branch);
    for (const { owned, recordId, provider } of records.values()) if (owned) addTo(recorded, objectAt(recordId, provider.base_url), branch);
    for (const identity of intents.keys()) addTo(announced, identity, branch);
  }
  return {
    recordedOn: (recordId, baseUrl) => recorded.get(objectAt(recordId, baseUrl)) ?? null,
    announcedOn: (identity) => announced.get(identity) ?? null,
  };
}

const objectAt = (recordId: string, baseUrl: string): string => `${baseUrl} ${recordId}`;
