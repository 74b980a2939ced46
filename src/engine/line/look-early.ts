import { identityOf } from '../../ops/provider.ts';
import { readParent } from '../../remote/parent.ts';
import { Pending } from '../../remote/value.ts';
import { type Session, workOf } from '../session.ts';
import { bindLine } from './binding.ts';
import { knownOf } from './known.ts';
import { idsOf } from './look.ts';
import { ioOf, type LinePhase } from './phases.ts';
import { resolveLine } from './resolve.ts';

/**
 * Looks for a line of an apply before its turn, where its key and its find hold nothing that is pending. What fails, and what an
 * earlier run may have been about to make, is left to the look in its turn.
 */
export async function lookEarly(session: Session, { id, prepared, stopping }: LinePhase): Promise<void> {
  const { early, writer, client, vault } = session;
  if (!prepared || !early.mayBegin(id, (other) => vault.get(other) !== null)) return;
  const { epoch } = writer;
  // The lines whose turn it is send first.
  await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    const resolved = await resolveLine(prepared, 'judge', session);
    const { block, bound, pending } = bindLine(session, prepared, resolved.params);
    const missing = resolved.credential instanceof Pending ? resolved.credential : pending;
    if (missing) early.waitsFor(id, missing.line);
    if (!bound || resolved.credential instanceof Pending || (bound.kind !== 'object' && bound.kind !== 'item')) return;
    const identity = prepared.whole?.identity ?? identityOf(prepared.adapter, block, bound.key);
    if (writer.state.intents.has(identity)) return;
    if (prepared.whole === null) session.hosts.noteLine(prepared, { block, elsewhere: bound.elsewhere ?? [] });
    const known = await knownOf(session, prepared);
    await writer.quietMoment(stopping);
    const hasBegun = workOf(session, id).startedAt !== null || !early.mayBegin(id, () => true);
    if (stopping.aborted || writer.epoch !== epoch || hasBegun) return;
    const { reads: kept } = early.begin(id, epoch);
    const http = client.api(block, { credential: resolved.credential, line: id, known, kept });
    if (bound.kind === 'item') await readParent(http, bound.reach.parent, { signal: stopping, share: true });
    else await bound.find(ioOf({ id, http, notes: [] }, stopping, { ids: idsOf(writer.state.records.get(identity) ?? null) }));
  } catch {
    early.take(id);
  }
}
