import type { Op } from '../adapters/op.ts';
import { isFullAnswer } from '../adapters/quota.ts';
import { Failure } from '../core/errors.ts';
import type { Known } from '../http/known.ts';
import { destroyClosed } from './again.ts';
import type { Session } from './session.ts';
import type { LineWork } from './work.ts';

/** A line of the plan, or what the ledger keeps of one. */
interface Operation {
  readonly adapter: string;
  readonly recipe: string | null;
  readonly opName: string;
}

/** What the adapter or recipe of a line knows about its provider's refusals. A destroy has them where the provider is still known. */
export function knownOf(session: Session, operation: Operation): Promise<Known> {
  const { adapter, recipe, opName } = operation;
  const all = ofOperations.get(session.registry) ?? new Map<string, Promise<Known>>();
  ofOperations.set(session.registry, all);
  const name = recipe ?? `${adapter} ${opName}`;
  const known = all.get(name) ?? ownerOf(session, operation).then(knownBy);
  all.set(name, known);
  return known;
}

/** Thousands of lines are of a few operations. */
const ofOperations = new WeakMap<Session['registry'], Map<string, Promise<Known>>>();

const knownBy = ({ op, needs }: Owner): Known => ({
  ...(needs !== undefined && { needs }),
  ...(op?.quota && { isFull: isFullAnswer.bind(null, op.quota) }),
});

/** A refusal for want of room, with what the user can do: the limit, what of ours counts, and the command that makes room. */
export async function explained(session: Session, work: LineWork, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Failure) || thrown.code !== 'PROVIDER_QUOTA') return thrown;
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
