import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http, Known } from '../../http/types.ts';
import type { Op } from '../../ops/op.ts';
import { isEmptyBody, isFullAnswer } from '../../ops/quota.ts';
import { readParent } from '../../remote/parent.ts';
import { destroyClosed } from '../command-again.ts';
import type { Session } from '../session.ts';
import { HeldBack } from '../shared/misfit.ts';
import { ioOf, type PhaseFacts } from './phases.ts';

/** A line of the plan, or what the ledger keeps of one. */
interface Operation {
  readonly adapter: string;
  readonly recipe: string | null;
  readonly opName: string;
}

/** The knowledge of a line's adapter or recipe about its provider's refusals. A destroy has it where the provider is still known. */
export function knownOf(session: Session, operation: Operation): Promise<Known> {
  const { adapter, recipe, opName } = operation;
  const all = ofOperations.get(session.registry) ?? new Map<string, Promise<Known>>();
  ofOperations.set(session.registry, all);
  const name = recipe ?? `${adapter} ${opName}`;
  const known = all.get(name) ?? ownerOf(session, operation).then(knownBy);
  all.set(name, known);
  return known;
}

/** One entry an operation: thousands of lines share a few. */
const ofOperations = new WeakMap<Session['registry'], Map<string, Promise<Known>>>();

const knownBy = ({ op, needs }: Owner): Known => ({
  ...(needs !== undefined && { needs }),
  ...(op?.quota && { isFull: isFullAnswer.bind(null, op.quota) }),
});

/** Adds to a refusal for want of room what the user can do: the limit, the objects of ours that count, and the command that makes room. */
export async function explained(session: Session, work: PhaseFacts, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Failure) || thrown.code !== 'PROVIDER_QUOTA' || thrown instanceof HeldBack) return thrown;
  const refused = await refusedCredential(session, work, thrown);
  if (refused) return refused;
  const fact = work.record ?? work.intent;
  const operation = work.prepared ?? (fact ? { adapter: fact.adapter, recipe: fact.recipe, opName: fact.op } : null);
  if (!operation) return thrown;
  const limit = (await ownerOf(session, operation)).op?.quota?.limit;
  const { place, status, fix } = thrown;
  return new Failure(thrown.code, {
    detail: [thrown.detail, limit, oursOf(session, operation)].filter((sentence) => sentence !== undefined).join(' '),
    fix: destroyClosed(session) ?? fix,
    cause: thrown,
    ...(place && { place }),
    ...(status !== undefined && { status }),
  });
}

/**
 * A 401 or 403 without a word may be the fault of the credential or of the account. A read of the same line with the same credential tells:
 * when the provider refuses that too, the credential is at fault. Any other failure of the read proves nothing.
 */
async function refusedCredential(session: Session, work: PhaseFacts, failure: Failure): Promise<Failure | null> {
  const isWordless = failure instanceof HttpFailure && [401, 403].includes(failure.status ?? 0) && isEmptyBody(failure.body);
  if (!isWordless || !work.http) return null;
  try {
    await readAgain(session, work, work.http);
    return null;
  } catch (thrown) {
    return thrown instanceof Failure && thrown.code === 'PROVIDER_AUTH' ? thrown : null;
  }
}

async function readAgain(session: Session, work: PhaseFacts, http: Http): Promise<void> {
  const { bound } = work;
  if (bound?.kind === 'object') await bound.find(ioOf(work, session.ending, { share: false }));
  if (bound?.kind === 'item') await readParent(http, bound.reach.parent, { signal: session.ending, share: false });
}

function oursOf(session: Session, { adapter, recipe, opName }: Operation): string {
  const isAlike = (record: { adapter: string; recipe: string | null; op: string }): boolean =>
    recipe === null ? record.adapter === adapter && record.op === opName : record.recipe === recipe;
  const here = [...session.writer.state.records.values()].filter((record) => record.owned && isAlike(record)).length;
  const scope = session.scope === 'production' ? 'Production' : `Scope ${session.scope}`;
  return `${scope} holds ${here === 0 ? 'none' : here} of ${recipe ?? `${adapter}.${opName}`}; those of every other open scope count, too.`;
}

interface Owner {
  readonly op?: Op;
  readonly needs?: string;
}

async function ownerOf(session: Session, { adapter, recipe, opName }: Operation): Promise<Owner> {
  const match = recipe === null ? null : await session.registry.recipe(recipe);
  const owner = match?.family ?? (await session.registry.adapter(adapter));
  const name = match?.opName ?? opName;
  const op = owner && Object.hasOwn(owner.ops, name) ? owner.ops[name] : undefined;
  const needs = owner?.setup?.needs;
  return { ...(op && { op }), ...(needs !== undefined && { needs }) };
}

/** Adds to a "not found" the params by which the request named the object, because a person must correct those. */
export function withNamedParams({ scope }: Session, { prepared, resolved }: PhaseFacts, thrown: unknown): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.code !== 'PROVIDER_NOT_FOUND' || thrown.place) return thrown;
  if (!prepared || !resolved || thrown.hasOwnFix) return thrown;
  const names = Object.entries(resolved.params).flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const isWritten = Object.hasOwn(prepared.line.params, name) && !prepared.edges.some(({ param }) => param === name);
    // This run makes the objects that have the scope in their name, so they need not exist yet.
    return isWritten && !String(value).includes(scope) && thrown.asksFor(String(value)) ? [name] : [];
  });
  const [first] = names;
  if (first === undefined) return thrown;
  return new Failure(thrown.code, {
    detail: thrown.detail,
    fix: `Check ${new Intl.ListFormat('en-GB').format(names)} in the plan, and that the credential may see what ${names.length === 1 ? 'it names' : 'they name'}.`,
    place: names.length === 1 ? prepared.line.placeOf([first]) : prepared.line.place,
    cause: thrown,
    status: thrown.status,
  });
}
