import { identityOf } from '../../ops/provider.ts';
import { readParent } from '../../remote/parent.ts';
import { Pending } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import { bindLine } from './binding.ts';
import { knownOf } from './known.ts';
import { idsOf } from './look.ts';
import { ioOf, type LinePhase } from './phases.ts';
import { resolveLine } from './resolve.ts';

type Early = Pick<LinePhase, 'id' | 'prepared' | 'stopping'>;

/**
 * Looks for a line before its turn, when its key and its find hold nothing pending. A failure, and an object that an earlier run may have
 * been about to make, is left to the look in the line's turn. Resolves when the look is under way.
 */
export async function lookEarly(session: Session, { id, prepared, stopping }: Early): Promise<void> {
  const { early, writer, client, vault } = session;
  const { epoch } = writer;
  if (!prepared || !early.mayBegin(id, epoch, (other) => vault.get(other) !== null)) return;
  // Lines in their turn send first.
  await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    const resolved = await resolveLine(prepared, 'judge', session);
    const { block, bound, pending } = bindLine(session, prepared, resolved.params);
    const missing = resolved.credential instanceof Pending ? resolved.credential : pending;
    if (missing) early.waitsFor(id, missing.line);
    if (!bound || resolved.credential instanceof Pending || (bound.kind !== 'object' && bound.kind !== 'item')) return;
    const identity = prepared.whole?.identity ?? identityOf(prepared.adapter, block, bound.key);
    const record = writer.state.records.get(identity) ?? null;
    if (writer.state.intents.has(identity) || (record && session.isSealedOnly)) return;
    if (prepared.whole === null) session.hosts.noteLine(prepared, { block, elsewhere: bound.elsewhere ?? [] });
    const known = await knownOf(session, prepared);
    if (session.purpose !== 'plan') await writer.quietMoment(stopping);
    const hasBegun = (session.works.get(id)?.startedAt ?? null) !== null || !early.mayBegin(id, epoch, () => true);
    if (stopping.aborted || writer.epoch !== epoch || hasBegun) return;
    const { reads: kept } = early.begin(id, epoch);
    const http = client.api(block, { credential: resolved.credential, line: id, known, kept });
    const looking =
      bound.kind === 'item'
        ? readParent(http, bound.reach.parent, { signal: stopping, share: true })
        : bound.find(ioOf({ id, http, notes: [] }, stopping, { ids: idsOf(record) }));
    looking.catch(() => early.take(id));
  } catch {
    early.take(id);
  }
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
