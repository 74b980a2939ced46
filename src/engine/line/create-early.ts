import { entryOf, readParent } from '../../remote/parent.ts';
import type { Session } from '../session.ts';
import { isAdoption } from './binding.ts';
import { knownOf } from './known.ts';
import { bindEarly } from './look-early.ts';
import { ioOf, type Ready, type Unjudged } from './phases.ts';

/**
 * The line, bound, where it is sure to make an object although its turn did not come: the ledger knows nothing of the object, and nothing
 * stands in its place. `null` where anything of that is open. The look in the line's turn joins the same reads.
 */
export async function createsEarly(session: Session, line: Unjudged): Promise<Ready | null> {
  const { id, prepared, stopping } = line;
  const { writer, client } = session;
  if (!prepared) return null;
  try {
    const { bound: early } = await bindEarly(session, prepared);
    if (!early || early.record || writer.state.intents.has(early.identity) || isAdoption(early.bound)) return null;
    if (session.purpose !== 'plan') await writer.quietMoment(stopping);
    const http = client.api(early.block, { credential: early.credential, line: id, known: await knownOf(session, prepared) });
    const { bound } = early;
    const stands =
      bound.kind === 'item'
        ? entryOf(await readParent(http, bound.reach.parent, { signal: stopping, share: true }), bound.reach.item) !== undefined
        : (await bound.find(ioOf({ id, http, notes: [] }, stopping))).length > 0;
    return stands ? null : { ...line, ...early, prepared, http };
  } catch {
    return null;
  }
}
