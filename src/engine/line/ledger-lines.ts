import { type ErrorData, Failure } from '../../core/errors.ts';
import { lookUntil } from '../../core/look-until.ts';
import { addressOf, isHidden } from '../../http/hidden-address.ts';
import type { Http } from '../../http/types.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import type { Node } from '../../machines/coordinator/schedule.ts';
import { decide, type Situation, type Verdict } from '../../machines/line/decide.ts';
import { findAll } from '../../remote/find.ts';
import { readParent } from '../../remote/parent.ts';
import type { Reach } from '../../remote/reach.ts';
import { signsOf } from '../../remote/signs.ts';
import { formsOf, namesIn } from '../../remote/spelled-entries.ts';
import { checkStoredCommand } from '../prepare/commands.ts';
import { factsOf, producersOf, type Recorded, type Wanted } from '../prepare/recorded-lines.ts';
import { keep, type Session, workOf } from '../session.ts';
import { storedIntent, storedRecord } from '../trust/trust.ts';
import { unsealed } from '../trust/unsealed.ts';
import { vouchForRemoval } from '../trust/vouch-removal.ts';
import { withoutCircles } from './circles.ts';
import { announced, type Located } from './claim.ts';
import { doomed, type Fated, verdictOf } from './conclude.ts';
import { knownOf } from './known.ts';
import { settleOf } from './lag.ts';
import { asLineError, LineError } from './line-error.ts';
import { pastNow } from './past.ts';
import { type Doomed, type LinePhase, newLine } from './phases.ts';
import { observePast } from './removal.ts';

/** The lines of a destroy, and the names of the recorded lines that it leaves because `--only` names others. */
export interface DestroyLines {
  readonly nodes: readonly Node[];
  readonly stays: readonly string[];
}

/**
 * A destroy's lines come from the ledger alone: one for each record and each unfinished intent, in reverse order of edges. When the
 * ledger moved and lines are made anew, earlier lines keep their names, and reports still show lines that another run took away.
 */
export function ledgerLines(
  session: Session,
  { stopping, wanted: isWanted, isAhead }: { readonly stopping: AbortSignal; readonly wanted: Wanted; readonly isAhead: boolean },
): DestroyLines {
  const before = new Map([...session.works.values()].map(({ identity, id }) => [identity ?? '', id]));
  const recorded = factsOf(session);
  const wanted = isWanted(recorded);
  const facts = new Map([...recorded].filter(([identity]) => wanted.has(identity) || before.has(identity)));
  for (const identity of before.keys()) if (!facts.has(identity)) facts.set(identity, { record: null, intent: null });
  const left = [...recorded].filter(([identity]) => !facts.has(identity)).map(([, { record, intent }]) => (record ?? intent)?.line ?? '');
  return { nodes: nodesOf(session, facts, { before, stopping, isAhead }), stays: [...new Set(left)].sort() };
}

/** The lines of the orphans of an apply. Lines of the plan keep their names. */
export function orphanLines(
  session: Session,
  facts: ReadonlyMap<string, Recorded>,
  o: { readonly stopping: AbortSignal; readonly isAhead: boolean },
): readonly Node[] {
  return nodesOf(session, facts, { ...o, before: new Map() });
}

/** Makes a line for each identity. A line comes after all that the ledger knows to come after its object. */
function nodesOf(
  session: Session,
  facts: ReadonlyMap<string, Recorded>,
  o: { readonly before: ReadonlyMap<string, string>; readonly stopping: AbortSignal; readonly isAhead: boolean },
): readonly Node[] {
  const { before, stopping, isAhead } = o;
  const ids = new Map<string, string>();
  const taken = new Set(session.works.keys());
  for (const [identity, { record, intent }] of facts) {
    const fact = record ?? intent;
    const id = before.get(identity) ?? freeName(fact?.line ?? identity, identity, taken);
    taken.add(id);
    ids.set(identity, id);
    if (fact) noteHost(session, fact, id);
    keep(session, {
      ...newLine(id, null, stopping),
      ...(fact && { subject: fact.subject ?? fact.key }),
      isAhead,
      identity,
      record,
      intent,
      block: fact?.provider ?? null,
    });
  }
  const after = new Map<string, string[]>();
  for (const [identity, fact] of facts) {
    for (const producer of producersOf(fact)) {
      const user = ids.get(identity);
      const id = ids.get(producer);
      if (!user || !id || id === user) continue;
      const users = after.get(id);
      if (users) users.push(user);
      else after.set(id, [user]);
    }
  }
  const order = withoutCircles(after);
  for (const [id, users] of order) if (users.length > 0) keep(session, { ...workOf(session, id), after: users });
  return [...ids.values()].map((id) => ({ id, after: order.get(id) ?? [] }));
}

/** Two lines of one name would wait for each other for ever. So each name is taken once, whatever the records call their lines. */
function freeName(name: string, identity: string, taken: ReadonlySet<string>): string {
  const longer = [name, `${name}~${identity.slice(0, 6)}`, `${name}~${identity}`];
  let free = longer.find((one) => !taken.has(one));
  for (let n = 2; free === undefined; n += 1) if (!taken.has(`${name}~${identity}~${n}`)) free = `${name}~${identity}~${n}`;
  return free;
}

/** A run that follows the ledger tells the hosts that it leads to. */
function noteHost({ hosts }: Session, { adapter, recipe, provider, credential }: LedgerRecord | Intent, line: string): void {
  const isSecret = typeof credential === 'object' && 'secret' in credential;
  hosts.note(line, { adapter, recipe, block: provider, elsewhere: [], secrets: isSecret ? [credential.secret] : [] });
}

/**
 * The client of a stored fact: block by names, credential from its source. Refuses a fact that no key of this run sealed, and a base URL
 * that now resolves elsewhere.
 */
export async function httpOf(session: Session, fact: LedgerRecord | Intent, line: string): Promise<Http> {
  const { provider, credential } = fact;
  noteHost(session, fact, line);
  const stored = 'objectId' in fact ? storedRecord(fact) : storedIntent(fact);
  if (!(await session.trust.isSealed(stored))) throw unsealed(session, stored, 'No plan here confirms it.');
  const variable = provider.base_url_env;
  const now = variable === undefined ? undefined : session.env[variable]?.replace(/\/+$/, '');
  if (isHidden(provider.base_url)) addressOf(provider, session.env, session.redactor);
  else if (now !== undefined && now !== '' && now !== provider.base_url) {
    throw new Failure('PROVIDER_INVALID', {
      detail: `${variable} now holds another address than the one where the object was made (${new URL(provider.base_url).origin}).`,
      fix: `Set ${variable} to ${provider.base_url}, or unset it.`,
    });
  }
  const known = await knownOf(session, { adapter: fact.adapter, recipe: fact.recipe, opName: fact.op });
  if (credential === 'block') {
    await checkStoredCommand(session, provider);
    return session.client.api(provider, { line, known });
  }
  if ('secret' in credential) {
    const sealed = await session.readSecret(credential.secret);
    return session.client.api(provider, { credential: sealed, line, known });
  }
  throw new Failure('PROVIDER_AUTH', {
    detail: `Its credential came from the output ${credential.from}, which is stored nowhere.`,
    fix: 'Remove the object at the provider. For the next scopes, give the line `destroy: keep` before an apply.',
  });
}

/** Judges a line of a destroy. Only an unfinished create is looked for; a recorded object is removed by its stored request. */
export async function observeLedger(session: Session, before: LinePhase): Promise<Doomed> {
  const { epoch, state } = session.writer;
  const identity = before.identity ?? '';
  // Another run may have written after the line was made from the ledger, and before this run held the lease.
  const { record, intent, isGone } = await vouchForRemoval(session, {
    record: state.records.get(identity) ?? null,
    intent: state.intents.get(identity) ?? null,
  });
  const startedAt = before.startedAt ?? session.clock.now();
  let line: Fated = keep(session, { ...before, phase: 'unjudged', prepared: null, identity, record, intent, live: null, epoch, startedAt });
  const fact = record ?? intent;
  const past = fact ? undefined : pastNow(session).get(identity);
  if (past) return await observePast(session, line, past, () => httpOf(session, past.record, line.id));
  if (!fact) return doomed(session, line, verdictOf('none', 'another run took it away'));
  if (isGone) return doomed(session, line, verdictOf('forget', 'the look of the plan shows that it is gone'));
  const stays = fact.destroy !== 'delete' || (record !== null && !record.owned) || fact.kind === 'action' || fact.kind === 'wait';
  const isReplaced = record?.superseded.some(({ reach }) => reach.kind === 'object' && reach.remove !== null) ?? false;
  const http = !stays || (isReplaced && record?.owned) ? await httpOf(session, fact, line.id) : null;
  line = keep(session, { ...line, http });
  const found = !stays && http && intent && session.purpose !== 'plan' ? await findAnnounced(session, line, http, intent) : [];
  const [first] = found;
  line = keep(session, { ...line, live: first ? { ...first, values: {}, outputs: {} } : null });
  const verdict = decideRemoval(fact, { record, intent, found: found.length === 0 ? 'none' : found.length === 1 ? 'one' : 'many' });
  return doomed(session, line, verdict, verdict.verdict === 'refused' ? refusedAs(session, line.id, fact.key, verdict) : {});
}

/** The verdict of a destroy on a fact of the ledger. A plan says the same of a record that has left it. */
export const decideRemoval = (
  { kind, destroy }: LedgerRecord | Intent,
  { record, intent, found }: { readonly record: LedgerRecord | null; readonly intent: Intent | null; readonly found: Situation['found'] },
): Verdict =>
  decide({
    purpose: 'destroy',
    kind,
    record: record && { owned: record.owned, sameRemoval: true },
    hasIntent: intent !== null,
    wasLeft: false,
    found,
    isRecorded: record !== null,
    changed: [],
    drifted: [],
    immutable: [],
    canUpdate: false,
    isAdoption: false,
    recreate: false,
    reconcile: false,
    destroy,
    missingOutput: null,
  });

async function findAnnounced(session: Session, { record, stopping }: Fated, http: Http, intent: Intent): Promise<readonly Located[]> {
  await session.writer.quietMoment(stopping);
  const found = await locateSettled(session, http, (record ?? intent).reach, stopping);
  const known = new Set([...intent.not, record?.objectId, ...(record?.superseded.map((old) => old.objectId) ?? [])]);
  return await announced(
    session,
    intent,
    found.filter(({ id }) => !known.has(id)),
  );
}

function refusedAs({ redactor }: Session, line: string, key: string, { code, why }: Verdict): { readonly error?: ErrorData } {
  const failure = new Failure(code ?? 'INTERNAL', {
    detail: `${key}: ${why}.`,
    fix: 'Remove the right one at the provider, then run again.',
  });
  const error = asLineError(failure, { line, place: null, prepared: null, redactor });
  return error instanceof LineError ? { error: error.data } : {};
}

/** Finds the objects of a stored reach. It believes "nothing" only when lists have caught up with writes that may have landed. */
export async function locateSettled(session: Session, http: Http, reach: Reach, signal: AbortSignal): Promise<readonly Located[]> {
  const isEnough = (found: readonly Located[]): boolean => found.length > 0;
  return await lookUntil({ clock: session.clock, seconds: settleOf({ reach }), signal, isEnough }, () => locate(http, reach, signal));
}

async function locate(http: Http, reach: Reach, signal: AbortSignal): Promise<readonly Located[]> {
  if (reach.kind === 'none') return [];
  if (reach.kind === 'object') {
    const { find } = reach;
    return find
      ? (await findAll(http, find, { signal, share: false, isAlike: true })).map(({ id, item }) => ({ id, ...signsOf(find, item) }))
      : [];
  }
  const names = namesIn(await readParent(http, reach.parent, { signal, share: false }));
  return names.has(reach.item) ? [{ id: reach.item }] : formsOf(names, reach.item).map((id) => ({ id }));
}
