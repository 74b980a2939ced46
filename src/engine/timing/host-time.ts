import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { Readiness, WaitBound } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { ioOf, type LineWork } from '../line/work.ts';
import type { Session } from '../session.ts';

/*
 * When something was written, by the clock of the host that it is compared at. The clocks of the provider, of this machine and of the one
 * that wrote it may be minutes apart, so no moment of one is ever held against a moment of another.
 */

/** The address of an API, which has one clock. Behind one origin there may be several. */
export const addressOf = (baseUrl: string): string | null => {
  const url = URL.parse(baseUrl);
  return url && (url.origin + url.pathname).replace(/\/$/, '');
};

/** Notes that the line was written just now. `told`: what the provider's own answer says of when that was. */
export function noteWrite({ clock }: Session, work: LineWork, told?: Pick<Live, 'changedAt'>): void {
  work.wroteAt = clock.now();
  work.wroteMono = clock.mono();
  const address = addressOf(work.block?.base_url ?? '');
  const at = told?.changedAt === undefined ? (work.http?.time?.() ?? null) : Date.parse(told.changedAt);
  work.wroteThere = address !== null && at !== null && !Number.isNaN(at) ? { [address]: at } : {};
}

/** For the line's record: the moment at its own host, and at those hosts that what it writes must be older than something of. */
export function writtenAtHosts(session: Session, work: LineWork): LedgerRecord['writtenAtHosts'] {
  for (const waiting of session.works.values()) {
    const { prepared } = waiting;
    if (prepared?.op.kind !== 'wait' || !prepared.after.includes(work.id)) continue;
    momentAt(session, work, { address: addressOf(prepared.block.base_url), now: session.client.api(prepared.block).time?.() ?? null });
  }
  const moments = Object.entries(work.wroteThere);
  return moments.length === 0 ? undefined : Object.fromEntries(moments.map(([address, at]) => [address, new Date(at).toISOString()]));
}

interface Host {
  readonly address: string | null;
  /** The time there; `null` where no answer told it. */
  readonly now: number | null;
}

/** When the line was written, by the clock of a host; `null` where nobody can say. */
function momentAt({ clock }: Session, work: LineWork, { address, now }: Host): number | null {
  if (address === null) return null;
  const known = work.wroteThere[address] ?? Date.parse(work.wroteAt === null ? (work.record?.writtenAtHosts?.[address] ?? '') : '');
  if (!Number.isNaN(known)) return known;
  if (now === null) return null;
  // What an earlier run wrote and told nobody the time of is taken as written now: at worst something is deployed once more.
  const at = work.wroteAt === null ? now : now - (clock.mono() - work.wroteMono);
  work.wroteThere = { ...work.wroteThere, [address]: at };
  return at;
}

/** The newest state that a wait line comes after; `unknown`: some of it has no moment at the line's host. */
function sinceOf(session: Session, work: LineWork): { readonly since: number | null } | 'unknown' {
  const host = { address: addressOf(work.http?.block.base_url ?? ''), now: work.http?.time?.() ?? null };
  const producers = (work.prepared?.after ?? []).flatMap((id) => {
    const producer = session.works.get(id);
    return producer && (producer.wroteAt !== null || producer.record) ? [producer] : [];
  });
  const moments = producers.map((producer) => momentAt(session, producer, host));
  if (moments.includes(null)) return 'unknown';
  if (session.purpose !== 'plan' && host.address !== null) for (const producer of producers) keepMoment(session, producer, host.address);
  return { since: moments.length === 0 ? null : Math.max(...moments.flatMap((at) => at ?? [])) };
}

/** The next run compares with what this one learned after the record was made. It goes with a push that comes anyway. */
function keepMoment(session: Session, producer: LineWork, address: string): void {
  const { record } = producer;
  const at = producer.wroteThere[address];
  if (!record || at === undefined || record.writtenAtHosts?.[address] !== undefined) return;
  const next = { ...record, writtenAtHosts: { ...record.writtenAtHosts, [address]: new Date(at).toISOString() } };
  producer.record = next;
  void session.writer.submit([{ kind: 'record', record: next }], { urgent: false }).catch(() => undefined);
}

/** A look at what a line waits for. */
export async function lookAtAwaited(session: Session, work: LineWork, bound: WaitBound): Promise<Readiness> {
  const io = ioOf(work, work.stopping);
  const known = work.isPassed ? { since: null } : sinceOf(session, work);
  if (known !== 'unknown') return await bound.poll(io, known.since);
  // Its host has told no time yet. This look asks it, and takes all that it sees for older.
  const seen = await bound.poll(io, Number.POSITIVE_INFINITY);
  const learned = sinceOf(session, work);
  if (learned !== 'unknown') return seen.state === 'stale' ? await bound.poll(io, learned.since) : seen;
  // A host that never tells its time. What stood there when this run had written is older; of what earlier runs wrote nothing can be said.
  const wrote = (work.prepared?.after ?? []).some((id) => (session.works.get(id)?.wroteAt ?? null) !== null);
  if (seen.state === 'wait') work.isPassed = true;
  return wrote || seen.state !== 'stale' ? seen : await bound.poll(io, null);
}
