import { canonicalJson } from '../../core/canonical.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import type { Reach } from '../../remote/reach.ts';
import { partsOf } from '../../remote/request-parts.ts';
import { isSameId } from '../../remote/spelling.ts';
import type { Session } from '../session.ts';
import { storedRecord } from '../trust/trust.ts';
import { httpOf } from './ledger-lines.ts';
import { isSomebodyElses, oursOf } from './successor.ts';

/** Parents whose birth was compared. One look a run serves all that stands in a parent. */
const looks = new WeakMap<Session['writer'], Map<string, Promise<boolean>>>();

/**
 * Whether an object or entry of ours stood in an object of this scope under whose name another one stands now, as a secret stands in a config.
 * Ours went with its parent then, and its requests would reach into what is somebody else's.
 */
export async function isBelowSomebodyElses(session: Session, { after, provider, reach, line }: LedgerRecord | Intent): Promise<boolean> {
  const names = namesIn(reach);
  for (const identity of after) {
    const parent = session.writer.state.records.get(identity);
    if (!parent?.birth || parent.reach.kind !== 'object' || canonicalJson(parent.provider) !== canonicalJson(provider)) continue;
    if (!names.some((name) => isSameId(name, parent.objectId)) || !(await isReplaced(session, parent))) continue;
    session.warnings.push(`${line}: it went with ${parent.objectId}, so nothing was sent for it.`);
    return true;
  }
  return false;
}

function isReplaced(session: Session, parent: LedgerRecord): Promise<boolean> {
  const known = looks.get(session.writer) ?? new Map<string, Promise<boolean>>();
  looks.set(session.writer, known);
  const look = known.get(parent.identity) ?? compared(session, parent);
  known.set(parent.identity, look);
  return look;
}

async function compared(session: Session, parent: LedgerRecord): Promise<boolean> {
  if (parent.reach.kind !== 'object' || !(await session.trust.isSealed(storedRecord(parent)))) return false;
  const http = await httpOf(session, parent, parent.line);
  const intent = session.writer.state.intents.get(parent.identity) ?? null;
  return await isSomebodyElses(session, http, parent.reach, { ...oursOf(parent, parent.line), intent, stopping: session.stopping });
}

/** The parts of the requests that remove the object or entry. */
function namesIn(reach: Reach): readonly string[] {
  if (reach.kind === 'item') {
    const { parent } = reach;
    return partsOf({ ...parent, graphql: parent.graphql?.write });
  }
  return reach.kind === 'object' && reach.remove ? partsOf(reach.remove) : [];
}
