import type { Sealed } from '../../core/sealed.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { ItemBound, ObjectBound } from '../../ops/bound.ts';
import { identityOf } from '../../ops/provider.ts';
import { readParent } from '../../remote/parent.ts';
import { Pending } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import { bindLine } from './binding.ts';
import { knownOf } from './known.ts';
import { idsOf } from './look.ts';
import { ioOf, type LinePhase, type Resolved } from './phases.ts';
import { resolveLine } from './resolve.ts';

type Early = Pick<LinePhase, 'id' | 'prepared' | 'stopping'>;

/**
 * Looks for a line before its turn, when its key and its find hold nothing pending. A failure, and an object that an earlier run may have
 * been about to make, is left to the look in the line's turn. Resolves when the look is under way.
 */
export async function lookEarly(session: Session, { id, prepared, stopping }: Early): Promise<void> {
  const { early: looks, writer, client, vault } = session;
  const { epoch } = writer;
  if (!prepared || !looks.mayBegin(id, epoch, (other) => vault.get(other) !== null)) return;
  // Lines in their turn send first.
  await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    const { missing, bound: early } = await bindEarly(session, prepared);
    if (missing) looks.waitsFor(id, missing.line);
    if (!early || writer.state.intents.has(early.identity) || (early.record && session.isSealedOnly)) return;
    const { block, bound, credential, record } = early;
    const known = await knownOf(session, prepared);
    if (session.purpose !== 'plan') await writer.quietMoment(stopping);
    const hasBegun = (session.works.get(id)?.startedAt ?? null) !== null || !looks.mayBegin(id, epoch, () => true);
    if (stopping.aborted || writer.epoch !== epoch || hasBegun) return;
    const { reads: kept } = looks.begin(id, epoch);
    const http = client.api(block, { credential, line: id, known, kept });
    const looking =
      bound.kind === 'item'
        ? readParent(http, bound.reach.parent, { signal: stopping, share: true })
        : bound.find(ioOf({ id, http, notes: [] }, stopping, { ids: idsOf(record) }));
    looking.catch(() => looks.take(id));
  } catch {
    looks.take(id);
  }
}

/** A line that is bound before its turn. */
interface EarlyBinding {
  readonly block: ProviderBlock;
  readonly bound: ObjectBound | ItemBound;
  readonly resolved: Resolved;
  readonly credential: Sealed | null;
  readonly identity: string;
  readonly record: LedgerRecord | null;
}

/** Binds the line as its turn would. `missing`: the value that its key or its credential waits for. */
export async function bindEarly(
  session: Session,
  prepared: PreparedLine,
): Promise<{ readonly missing: Pending | null; readonly bound: EarlyBinding | null }> {
  const resolved = await resolveLine(prepared, 'judge', session);
  const { credential } = resolved;
  const { block, bound, pending } = bindLine(session, prepared, resolved.params);
  const missing = credential instanceof Pending ? credential : pending;
  if (!bound || credential instanceof Pending || (bound.kind !== 'object' && bound.kind !== 'item')) return { missing, bound: null };
  const identity = prepared.whole?.identity ?? identityOf(prepared.adapter, block, bound.key);
  const record = session.writer.state.records.get(identity) ?? null;
  if (prepared.whole === null) session.hosts.noteLine(prepared, { block, elsewhere: bound.elsewhere ?? [] });
  return { missing, bound: { block, bound, resolved, credential, identity, record } };
}

/** Looks for the lines of a plan, in their order, while the run waits to learn which facts of the ledger count. */
export async function lookMeanwhile<T>(session: Session, lines: readonly PreparedLine[], wait: () => Promise<T>): Promise<T> {
  const { stopping } = session;
  const waiting = { isOver: session.writer.state.records.size === 0 };
  void (async () => {
    for (const prepared of lines) if (!waiting.isOver) await lookEarly(session, { id: prepared.line.id, prepared, stopping });
  })();
  try {
    return await wait();
  } finally {
    waiting.isOver = true;
  }
}
