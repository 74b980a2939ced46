import { type ErrorCode, Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Ask } from './parent-ask.ts';

/**
 * A refusal that did nothing, of a request that holds several changes: one of them may be the reason, and the others may be taken.
 * A credential that may not write may write none of them. An answer that may come after a part was done is not of this kind.
 */
export const isRefusal = (error: unknown): error is HttpFailure =>
  error instanceof HttpFailure && error.status !== null && !error.unanswered && !error.repeatable && ofAPart.has(error.code);

/** A list that is full may still take some of what was to be added. */
const ofAPart: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PROVIDER_INVALID',
  'PROVIDER_CONFLICT',
  'PROVIDER_NOT_FOUND',
  'PROVIDER_QUOTA',
]);

/** The parts to try in place of a refused one. A single change is not tried again: the refusal is its own. */
export function partsOf(asks: readonly Ask[], refusal: HttpFailure): Ask[][] {
  const [first, second] = asks;
  if (first && !second) first.failure = refusal;
  if (!second) return [];
  const removals = asks.filter(({ mode }) => mode === 'remove');
  if (removals.length > 0 && removals.length < asks.length) return [removals, asks.filter(({ mode }) => mode !== 'remove')];
  const middle = Math.ceil(asks.length / 2);
  return [asks.slice(0, middle), asks.slice(middle)];
}

/**
 * The number of refusals after which `count` changes are given up. If the provider took none yet, an entry that stood in the list before
 * may be the reason, and then it would refuse every part.
 */
export function mostRefused(count: number, isAnyTaken: boolean): number {
  const depth = Math.ceil(Math.log2(Math.max(2, count)));
  return isAnyTaken ? 64 + 4 * depth : 16 + depth;
}

/** The failure of a change that was refused with others, and was not tried alone. */
export function untried(refusal: HttpFailure, { refused, isAll }: { readonly refused: number; readonly isAll: boolean }): Failure {
  const { code, detail, fix, status } = refusal;
  const why = isAll
    ? `The provider refused ${refused} writes of this list and took none, so an entry that stands in it already may be the reason. This change was not tried alone.`
    : `The provider refused ${refused} writes of this list, so this change was not tried alone. The next run tries it.`;
  return new Failure(code, { detail: `${detail} ${why}`, fix, ...(status !== null && { status }), cause: refusal });
}
