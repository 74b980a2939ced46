import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import { pastNow } from '../line/past.ts';
import type { Session } from '../session.ts';

/** The ledger's knowledge of one identity. */
export interface Recorded {
  readonly record: LedgerRecord | null;
  readonly intent: Intent | null;
  /** Only an accepted delete is left of the identity, and a destroy looks after that. */
  readonly isPast?: true;
}

/** The records and unfinished intents of this plan, by identity. Another plan of the repository has lines of its own. */
export function factsOf(session: Session): Map<string, Recorded> {
  const { writer, planName } = session;
  const { records, intents } = writer.state;
  const facts = new Map<string, Recorded>();
  for (const record of records.values())
    if (record.plan === planName) facts.set(record.identity, { record, intent: intents.get(record.identity) ?? null });
  for (const intent of intents.values())
    if (intent.plan === planName && !facts.has(intent.identity)) facts.set(intent.identity, { record: null, intent });
  for (const [identity, { record }] of pastNow(session))
    if (!facts.has(identity)) facts.set(identity, { record, intent: null, isPast: true });
  return facts;
}

/** Identities of what a recorded line came after: a destroy removes it before them. */
export const producersOf = ({ record, intent }: Recorded): readonly string[] => [
  ...new Set([...((record ?? intent)?.after ?? []), ...(record?.edges ?? []).map(({ producer }) => producer)]),
];

/** Chooses the recorded lines that a destroy takes. */
export type Wanted = (facts: ReadonlyMap<string, Recorded>) => ReadonlySet<string>;

/**
 * Identities of the lines of `--only` and of all that depends on them, as the ledger has it: the plan may be gone, or may say something
 * else by now. A line that moved to another object has several records, and all of them are its own. No name means all lines.
 */
function withDependents(facts: ReadonlyMap<string, Recorded>, only: readonly string[]): ReadonlySet<string> {
  if (only.length === 0) return new Set(facts.keys());
  const users = new Map<string, string[]>();
  for (const [identity, fact] of facts) {
    for (const producer of producersOf(fact)) {
      const there = users.get(producer);
      if (there) there.push(identity);
      else users.set(producer, [identity]);
    }
  }
  const wanted = new Set<string>();
  const open = [...facts].flatMap(([identity, { record, intent }]) => (only.includes((record ?? intent)?.line ?? '') ? [identity] : []));
  for (let identity = open.pop(); identity !== undefined; identity = open.pop()) {
    if (wanted.has(identity)) continue;
    wanted.add(identity);
    open.push(...(users.get(identity) ?? []));
  }
  return wanted;
}

/** The choice of `--only`; all lines without a name. */
export const wantedBy =
  (only: readonly string[]): Wanted =>
  (facts) =>
    withDependents(facts, only);

/** Throws `USAGE` for a name of `--only` that no record and no unfinished intent of this scope has. Asks nobody but the ledger. */
export function mustBeRecorded(session: Session, only: readonly string[]): void {
  const known = [...new Set([...factsOf(session).values()].map(({ record, intent }) => (record ?? intent)?.line ?? ''))].sort();
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const hints = unknown.map((name) => didYouMean(name, known)).join('');
  throw new Failure('USAGE', {
    detail: `${door.named('only')} names ${unknown.map((name) => JSON.stringify(name)).join(', ')}, but ${session.environment}/${session.scope} has no record of ${unknown.length === 1 ? 'such a line' : 'such lines'}.${hints} Nothing was removed.`,
    fix:
      known.length === 0
        ? `Leave ${door.named('only')} out: this scope has no record at all.`
        : `Name a recorded line: ${known.slice(0, mostShown).join(', ')}${known.length > mostShown ? ' …' : ''}.`,
  });
}

const mostShown = 20;
