import { door } from '../../core/door.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import { LedgerMoved } from '../../ledger/writer/ledger-moved.ts';
import { announced } from '../line/claim.ts';
import { parentLag } from '../line/lag.ts';
import { httpOf, locateSettled } from '../line/ledger-lines.ts';
import { spelt } from '../line/line-entry.ts';
import { newAttempt } from '../line/phases.ts';
import { claimedRecord, supersededBy, templateOf } from '../line/record.ts';
import { deletedAs, type Removed, removeOne } from '../line/removal.ts';
import { oursOf } from '../line/successor.ts';
import { currentRecords } from '../line/went-with.ts';
import { keep, type Session, workOf } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import type { Prepared } from '../types.ts';

/**
 * Ends what is left when every line has ended: removes replaced objects, now that their dependents took the new ones, and settles
 * unfinished creates of lines that are no longer in the plan. `taken`: identities of the orphans that the run prunes after this.
 */
export async function finishTail(
  session: Session,
  parents: Parents,
  o: { readonly prepared: Prepared | null; readonly unsettled: ReadonlySet<string>; readonly taken: Taken },
): Promise<void> {
  if (session.stopping.aborted) return;
  const inPlan = new Set(o.prepared?.plan.lines.map(({ id }) => id));
  await removeReplaced(session, o.unsettled, o.taken);
  await settleStrayIntents(session, inPlan, o.taken);
  await removeMoved(session, parents, o.taken);
}

/** Has the identities that are left to others. */
type Taken = Pick<ReadonlySet<string>, 'has'>;

async function removeReplaced(session: Session, unsettled: ReadonlySet<string>, taken: Taken): Promise<void> {
  const records = currentRecords(session);
  const replaced = [...records.values()].filter(({ identity, superseded }) => !taken.has(identity) && superseded.some(isRemovable));
  if (replaced.length === 0) return;
  const uses = usesOf(session, records, unsettled);
  const lines = new Map([...session.works.values()].map(({ identity, id }) => [identity, id]));
  for (const record of replaced) {
    const removable = record.superseded.filter(isRemovable);
    if (uses.isUsed(record)) continue;
    await attempt(session, record.line, async () => {
      const http = await httpOf(session, record, record.line);
      const removed: Removed[] = [];
      for (const old of removable)
        removed.push(await removeOne(session, http, old.reach, { ...oursOf(old, record.line), stopping: session.stopping }));
      // The record keeps objects that its provider cannot delete, so that no run takes them for the current one.
      const next = { ...record, superseded: record.superseded.filter((old) => !removable.includes(old)) };
      const line = lines.get(record.identity);
      if (line !== undefined) keep(session, { ...workOf(session, line), record: next });
      const deleted = deletedAs(removed);
      void session.writer
        .submit([{ kind: 'record', record: next, ...(deleted !== null && { deleted }) }], { urgent: false })
        .catch(() => undefined);
    });
  }
}

const isRemovable = ({ reach }: LedgerRecord['superseded'][number]): boolean => reach.kind !== 'object' || reach.remove !== null;

/** Tells whether somebody may still use the old one: a line below it that did not settle, or a record, of this run or not, made from its secrets. */
function usesOf(
  session: Session,
  records: ReadonlyMap<string, LedgerRecord>,
  unsettled: ReadonlySet<string>,
): { isUsed(record: LedgerRecord): boolean } {
  /** The producers of lines that did not settle. */
  const needed = new Set<string>();
  for (const id of unsettled) for (const producer of session.works.get(id)?.prepared?.after ?? []) needed.add(producer);
  /** The generations of each producer that records were made from. */
  const generations = new Map<string, Set<number>>();
  for (const { edges } of records.values()) {
    for (const { producer, generation } of edges) generations.set(producer, (generations.get(producer) ?? new Set()).add(generation));
  }
  return {
    isUsed: ({ line, identity, generation }) =>
      needed.has(line) || [...(generations.get(identity) ?? [])].some((made) => made !== generation),
  };
}

async function settleStrayIntents(session: Session, inPlan: ReadonlySet<string>, taken: Taken): Promise<void> {
  for (const intent of session.writer.state.intents.values()) {
    if (taken.has(intent.identity)) continue;
    if (session.identities.has(intent.identity) || intent.plan !== session.planName || intent.run === session.runId) continue;
    await attempt(session, intent.line, async () => {
      await session.writer.quietMoment(session.stopping);
      const http = await httpOf(session, intent, intent.line);
      const not = new Set(intent.not);
      const located = (await locateSettled(session, http, intent.reach, session.stopping)).filter(({ id }) => !not.has(id));
      const [found, ...more] = await announced(session, intent, located);
      if (!found || more.length > 0) {
        if (!found) void session.writer.submit([{ kind: 'withdraw', identity: intent.identity }], { urgent: false }).catch(() => undefined);
        return;
      }
      // The object may have been made to replace a recorded one.
      const earlier = session.writer.state.records.get(intent.identity) ?? null;
      const record = claimedRecord(session, intent, found, supersededBy(found.id, earlier));
      void session.writer.submit([{ kind: 'record', record }], { urgent: false }).catch(() => undefined);
      if (inPlan.has(intent.line)) return;
      session.warnings.push(
        `An interrupted run made ${intent.key} for the line ${intent.line}, which is no longer in the plan; ${door.named('prune')} removes it.`,
      );
    });
  }
}

/** A line whose references now give it another key: the object under the old key has no line any more and is replaced, not orphaned. */
async function removeMoved(session: Session, parents: Parents, taken: Taken): Promise<void> {
  const { records } = session.writer.state;
  const lineless = [...records.values()].filter(
    (one) => one.plan === session.planName && !session.identities.has(one.identity) && !taken.has(one.identity),
  );
  const byLine = Map.groupBy(lineless, ({ line }) => line);
  for (const work of session.works.values()) {
    if (!work.prepared || !work.record || !work.identity || work.prepared.edges.length === 0) continue;
    const olds = byLine.get(work.id);
    if (olds === undefined) continue;
    const template = templateOf(work.prepared);
    for (const old of olds) {
      // A push or a read since then may have changed the record.
      const stands = session.writer.state.records.get(old.identity) === old;
      const isOld = stands && old.template === template && !session.identities.has(old.identity);
      if (!isOld || !old.owned || old.destroy !== 'delete') continue;
      await attempt(session, work.id, async () => {
        const http = await httpOf(session, old, work.id);
        const { stopping } = session;
        const { reach, lock } = old;
        const gone = { id: `${work.id} (before)`, http, stopping, lock, attempt: newAttempt(), isNew: false };
        let deleted: ReturnType<typeof deletedAs> = null;
        if (reach.kind === 'item')
          await parents.ask(
            { ...gone, reach, lag: parentLag(reach.parent, old), ...spelt(reach.item, { record: old, name: undefined }) },
            null,
            'remove',
          );
        else deleted = deletedAs([await removeOne(session, http, reach, { ...oursOf(old, work.id), stopping })]);
        void session.writer
          .submit([{ kind: 'forget', identity: old.identity, ...(deleted !== null && { deleted }) }], { urgent: false })
          .catch(() => undefined);
        session.identities.set(old.identity, work.id);
      });
    }
  }
}

/** A failure here leaves the fact in the ledger: the next run of any kind finishes it. */
async function attempt(session: Session, line: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    // All lines begin anew, and so does this step.
    if (error instanceof LedgerMoved) return;
    session.warnings.push(
      session.redactor.text(
        `${line}: a replaced or unfinished object is still there; the next run tries again (${error instanceof Error ? error.message : String(error)}).`,
      ),
    );
  }
}
