import type { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import type { Change, Files } from '../stores/store.ts';
import { honoured } from '../writer/lease.ts';
import type { HistoryEntry, Intent, Lease, LedgerRecord, LedgerState, LeftObject, Receipt, SentDeletes, Snapshot } from './facts.ts';
import { fileSchemas } from './file-schema.ts';
import { holdsHalves, isAsWritten } from './file-text.ts';
import { mustNotBeMoved } from './moved.ts';
import { deletesPath, isDeletesPath, mostDeletes } from './sent-deletes.ts';
import { tooNew } from './version.ts';

/** The paths of facts in the tree of a receipts branch. One file a record, under 256 folders. */
export const paths = {
  record: (identity: string): string => `records/${identity.slice(0, 2)}/${identity}.json`,
  intent: (identity: string): string => `intents/${identity.slice(0, 2)}/${identity}.json`,
  left: (identity: string): string => `left/${identity.slice(0, 2)}/${identity}.json`,
  lease: 'lease.json',
  snapshot: 'snapshot.json',
  receipt: 'receipt.json',
  history: 'history.jsonl',
} as const;

export const emptyState: LedgerState = {
  records: new Map(),
  intents: new Map(),
  left: new Map(),
  lease: null,
  snapshot: null,
  history: [],
  receipt: null,
};

/** Files with the facts that they hold. */
export interface Seen {
  readonly files: Files;
  readonly state: LedgerState;
}

/**
 * The files of a receipts branch as facts. Throws `LEDGER_CORRUPT` or `LEDGER_VERSION`, and `LEDGER_REFUSED` for a ledger that was moved;
 * nothing is guessed. A commit changes few of thousands of files, so facts of files with the same text come from `before`. After an append of
 * our own, `written` names the changed files, and this looks at no others.
 */
export function parseState(files: Files, branch: string, before: Seen = nothingSeen, written?: Written): LedgerState {
  mustNotBeMoved(files, branch);
  const changed = written && [...written.keys()];
  const isSame = (path: string): boolean => before.files.get(path) === files.get(path);
  /** The facts of one folder, by their identity, which is the name of the file. */
  const all = <T extends { readonly identity: string }>(
    kind: 'record' | 'intent' | 'left',
    known: ReadonlyMap<string, T>,
  ): ReadonlyMap<string, T> => {
    const folder = `${paths[kind]('').split('/', 1)[0]}/`;
    const inside = changed?.filter((path) => path.startsWith(folder));
    if (inside?.length === 0) return known;
    const found = new Map(inside && known);
    for (const path of inside ?? files.keys()) {
      if (!path.startsWith(folder)) continue;
      const identity = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
      const text = files.get(path);
      if (text === undefined) {
        found.delete(identity);
        continue;
      }
      // The path tells the kind of a fact, so `written` holds one of this kind.
      const same = (written?.get(path) as T | null | undefined) ?? (isSame(path) ? known.get(identity) : undefined);
      const value = same ?? parseFact<T>(kind, text, path, branch);
      if (paths[kind](value.identity) !== path) throw corrupt(branch, path, 'its identity is not the one that its name says');
      found.set(value.identity, value);
    }
    return found;
  };
  const deletes = changed?.some(isDeletesPath) === false ? before.state.deletes : parseDeletes(files, branch);
  const one = <T>(kind: Kind, path: string, known: T | null): T | null => {
    const text = files.get(path);
    if (text === undefined) return null;
    return known !== null && isSame(path) ? known : parseFile<T>(kind, text, path, branch);
  };
  const lease = one<Lease>('lease', paths.lease, before.state.lease);
  return {
    records: all('record', before.state.records),
    intents: all('intent', before.state.intents),
    left: all('left', before.state.left),
    ...(deletes !== undefined && deletes.length > 0 && { deletes }),
    lease: lease && honoured(lease),
    snapshot: one<Snapshot>('snapshot', paths.snapshot, before.state.snapshot),
    receipt: one<Receipt>('receipt', paths.receipt, before.state.receipt),
    history: parseHistory(files.get(paths.history) ?? '', branch, before),
  };
}

type Kind = keyof ReturnType<typeof fileSchemas>;

/** Paths, each with the fact that its text was made from; `null` where the fact must be read from the text. */
export type Written = ReadonlyMap<string, LedgerRecord | Intent | LeftObject | null>;

const nothingSeen: Seen = { files: new Map(), state: emptyState };

/** Lines are only ever added. */
function parseHistory(text: string, branch: string, before: Seen): readonly HistoryEntry[] {
  const earlier = before.files.get(paths.history) ?? '';
  const isLonger = earlier.endsWith('\n') && text.startsWith(earlier);
  const lines = (isLonger ? text.slice(earlier.length) : text).split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => parseFile<HistoryEntry>('history', line, paths.history, branch));
  return isLonger ? [...before.state.history, ...entries] : entries;
}

/** These files bear a checksum, as facts do, because they decide which objects a later run takes for its own. */
function parseDeletes(files: Files, branch: string): readonly SentDeletes[] {
  const found = [...files].filter(([path]) => isDeletesPath(path));
  // A run may have to fetch an older commit for each file.
  if (found.length > mostDeletes) throw corrupt(branch, 'deletes/', `it has ${found.length} files, and the limit is ${mostDeletes}`);
  const all = found.map(([path, text]) => {
    const sent = parseFact<SentDeletes>('deletes', text, path, branch);
    if (deletesPath(sent.n) !== path) throw corrupt(branch, path, 'its number is not the one that its name says');
    return sent;
  });
  return all.sort((a, b) => a.n - b.n);
}

/** A lease, or the lock of a shared parent, which has the same form. */
export const parseLease = (text: string, path: string, branch: string): Lease => honoured(parseFile<Lease>('lease', text, path, branch));

/** The record or intent in the file of an older commit; `null` for a file of another kind, or one that cannot be used. */
export function parseFactFile(path: string, text: string, branch: string): LedgerRecord | Intent | null {
  const kind = path.startsWith('records/') ? 'record' : path.startsWith('intents/') ? 'intent' : null;
  if (kind === null) return null;
  try {
    const fact = parseFact<LedgerRecord | Intent>(kind, text, path, branch);
    return paths[kind](fact.identity) === path ? fact : null;
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    return null;
  }
}

/** A record or intent, which bears a checksum; the fact itself has none. */
function parseFact<T>(kind: Kind, text: string, path: string, branch: string): T {
  const { sum: _sum, ...fact } = parseFile<{ sum?: unknown }>(kind, text, path, branch, isAsWritten);
  return fact as T;
}

function parseFile<T>(kind: Kind, text: string, path: string, branch: string, isWhole: (text: string) => boolean = () => true): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw corrupt(branch, path, 'it is not JSON');
  }
  const why = tooNew(value);
  if (why !== null) throw new Failure('LEDGER_VERSION', { detail: `${path} on ${branch} ${why}.` });
  if (holdsHalves(text)) throw corrupt(branch, path, 'it holds half a character, which no request can carry');
  if (!isWhole(text)) throw corrupt(branch, path, 'it was changed after pilotfish wrote it');
  const { error } = fileSchemas()[kind].safeParse(value);
  if (error !== undefined) throw corrupt(branch, path, firstIssue(error));
  return value as T;
}

/** Says where a file is wrong, and how. */
export const firstIssue = ({ issues: [issue] }: z.ZodError): string =>
  issue ? `/${issue.path.join('/')}: ${issue.message}` : 'its shape is wrong';

const corrupt = (branch: string, path: string, why: string): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `${path} on ${branch} cannot be used: ${why}. Nothing was read from it and nothing was written.`,
  });

/** The state after `change`, without reading the branch again. */
export function applyChange(files: Files, change: Change): Files {
  const next = new Map(files);
  for (const [path, text] of change) {
    if (text === null) next.delete(path);
    else next.set(path, text);
  }
  return next;
}

/** The ledger was read and cannot be used: an answer, as opposed to a ledger that could not be reached. */
export const isLedgerDamage = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && (thrown.code === 'LEDGER_CORRUPT' || thrown.code === 'LEDGER_VERSION');
