import { isToCome } from '../../http/host-clock.ts';
import type { Http } from '../../http/types.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { Readiness, WaitBound } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { ioOf, type Judged, type LinePhase, type Moment, type PhaseFacts, type Ready, type Written } from '../line/phases.ts';
import { keep, type Session, workOf } from '../session.ts';

/*
 * Moments of writes, each by the clock of the host that it is compared at. The clocks of the provider, of this machine and of the one
 * that wrote it may be minutes apart, so no moment of one is ever held against a moment of another.
 */

/** The address of an API, which has one clock. Behind one origin there may be several. */
export const addressOf = (baseUrl: string): string | null => {
  const url = URL.parse(baseUrl);
  return url && (url.origin + url.pathname).replace(/\/$/, '');
};

/** The moment of a write just now. `told`: the provider's own answer, which may tell when that was. */
export function momentNow({ clock }: Session, { block, http }: Written | Judged | Ready, told?: Pick<Live, 'changedAt'>): Moment {
  const address = addressOf(block.base_url);
  const at = told?.changedAt === undefined ? (http.time?.() ?? null) : Date.parse(told.changedAt);
  const there = address !== null && at !== null && !Number.isNaN(at) ? { [address]: at } : {};
  return { at: clock.now(), mono: clock.mono(), there };
}

/** The moments for the line's record: at its own host, and at each host where a deployment must be newer than this write. */
export function momentsOf(session: Session, work: LinePhase): Moment['there'] {
  const all = { ...work.wrote.there };
  for (const { prepared } of session.works.values()) {
    if (prepared?.op.kind !== 'wait' || !prepared.after.includes(work.id)) continue;
    const address = addressOf(prepared.block.base_url);
    const at = momentAt(session, work, { address, now: session.client.api(prepared.block).time?.() ?? null });
    if (address !== null && at !== null) all[address] ??= at;
  }
  return all;
}

interface Host {
  readonly address: string | null;
  /** The time there; `null` where no answer told it. */
  readonly now: number | null;
}

/** The moment of the line's last write by the clock of a host; `null` where nobody can say. */
function momentAt({ clock }: Session, { wrote, record }: LinePhase, { address, now }: Host): number | null {
  if (address === null) return null;
  const known = wrote.there[address] ?? (wrote.at === null ? recordedAt(record, address, now) : null);
  if (known !== null) return known;
  // An earlier run may have written the object without telling when. This run takes that as now: at worst something is deployed once more.
  return now === null || wrote.at === null ? now : now - (clock.mono() - wrote.mono);
}

/** A moment that its host has not come to yet is no moment of a write: nothing at the host would ever be newer. */
function recordedAt(record: LedgerRecord | null, address: string, now: number | null): number | null {
  const at = Date.parse(record?.writtenAtHosts?.[address] ?? '');
  return Number.isNaN(at) || isToCome(at, now) ? null : at;
}

/** A line that waits, after the look at its host or within one. */
type Waiting = Pick<PhaseFacts, 'id' | 'notes' | 'stopping' | 'after'> & { readonly http: Http; readonly bound: WaitBound };

/** The moment of the newest write that a wait line comes after; `unknown` when a write has no moment at the line's host. */
function sinceOf(session: Session, { http, after }: Waiting): { readonly since: number | null } | 'unknown' {
  const address = addressOf(http.block.base_url);
  const host = { address, now: http.time?.() ?? null };
  const producers = after.flatMap((id) => {
    const producer = session.works.get(id);
    return producer && (producer.wrote.at !== null || producer.record) ? [producer] : [];
  });
  const moments = producers.map((producer) => keepMoment(session, producer, host));
  if (moments.includes(null)) return 'unknown';
  if (session.purpose !== 'plan' && address !== null)
    for (const { id } of producers) recordMoment(session, workOf(session, id), address, host.now);
  return { since: moments.length === 0 ? null : Math.max(...moments.flatMap((at) => at ?? [])) };
}

function keepMoment(session: Session, producer: LinePhase, host: Host): number | null {
  const at = momentAt(session, producer, host);
  const { wrote, record } = producer;
  const isRecorded = host.address !== null && wrote.at === null && recordedAt(record, host.address, host.now) !== null;
  if (host.address === null || at === null || isRecorded || wrote.there[host.address] !== undefined) return at;
  keep(session, { ...producer, wrote: { ...wrote, there: { ...wrote.there, [host.address]: at } } });
  return at;
}

/** The next run compares with the moment that this run learned after the record was made. The record gets it with a push that comes anyway. */
function recordMoment(session: Session, producer: LinePhase, address: string, now: number | null): void {
  const { record, wrote } = producer;
  const at = wrote.there[address];
  if (!record || at === undefined || recordedAt(record, address, now) !== null) return;
  const next = { ...record, writtenAtHosts: { ...record.writtenAtHosts, [address]: new Date(at).toISOString() } };
  keep(session, { ...producer, record: next });
  void session.writer.submit([{ kind: 'record', record: next }], { urgent: false }).catch(() => undefined);
}

/** Looks at what a line waits for. `isPassed`: every later state is newer than the writes that the line comes after. */
export async function lookAtAwaited(
  session: Session,
  work: Waiting & { readonly isPassed?: boolean },
): Promise<{ readonly seen: Readiness; readonly isPassed: boolean }> {
  const { bound, isPassed = false } = work;
  const io = ioOf(work, work.stopping);
  const known = isPassed ? { since: null } : sinceOf(session, work);
  if (known !== 'unknown') return { seen: await bound.poll(io, known.since), isPassed };
  // Its host has told no time yet. This look learns the time, and takes all that it sees for older.
  const seen = await bound.poll(io, Number.POSITIVE_INFINITY);
  const learned = sinceOf(session, work);
  if (learned !== 'unknown') return { seen: seen.state === 'stale' ? await bound.poll(io, learned.since) : seen, isPassed };
  // This host never tells its time. A deployment that stood there when this run had written is older; nobody can say when earlier runs wrote.
  const wrote = work.after.some((id) => (session.works.get(id)?.wrote.at ?? null) !== null);
  return { seen: wrote || seen.state !== 'stale' ? seen : await bound.poll(io, null), isPassed: seen.state === 'wait' };
}
