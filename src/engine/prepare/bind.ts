import { randomUUID } from 'node:crypto';
import { Failure } from '../../core/errors.ts';
import { isMap, mapValues } from '../../core/json.ts';
import { joinTexts, Sealed } from '../../core/sealed.ts';
import type { Bound, Params } from '../../ops/bound.ts';
import type { OutputSpec } from '../../ops/op.ts';
import { asPart } from '../../ops/problem.ts';
import { identityOf } from '../../ops/provider.ts';
import { Composed, type Expr, FromRef, isLiteral, KeepRef, SecretRef } from '../../plan/types.ts';
import type { Value } from '../../remote/value.ts';
import { Kept, Pending, PendingValue } from '../../remote/value.ts';
import type { Prepared, PreparedLine, WholeBinding } from '../types.ts';

/** The findings of a binding whose references are still open, before any request. */
export interface TrialBinding {
  readonly failures: readonly Failure[];
  /** `null` while a producer decides it. */
  readonly identity: string | null;
  readonly bound: Bound | null;
  readonly writesProduction: boolean;
  readonly sends: PreparedLine['sends'];
  /** The binding, when no value had a stand-in. The run binds the line the same way. */
  readonly whole: WholeBinding | null;
}

/**
 * Binds a line as the run will, with stand-ins for secrets and for outputs that do not exist yet. It finds params that the op
 * refuses, and secrets on their way into a key, a lock name or a stored request, whatever the op is.
 */
export function tryBinding(
  line: PreparedLine,
  { environment, scope, git: { sha, branch } }: Prepared['context'],
  outputOf: OutputStandIn,
): TrialBinding {
  const isWhole = isLiteral(line.params);
  const params: Params = isWhole ? literal(line.params) : mapValues(line.params, (expr) => toValue(expr, outputOf));
  const { op } = line;
  const writesProduction = op.writesProduction?.(params) ?? false;
  const known = { identity: null, bound: null, writesProduction, sends: null, whole: null };
  let bound: Bound;
  let block = line.block;
  try {
    block = op.providerFor?.(line.block, params) ?? line.block;
    bound = op.bind(params, { environment, scope, sha, branch, block, destroy: line.destroy, api: line.api });
  } catch (thrown) {
    if (thrown instanceof PendingValue) return { ...known, failures: [] };
    if (thrown instanceof Failure) return { ...known, failures: [placed(thrown, line)] };
    throw thrown;
  }
  const failures = (bound.problems ?? []).map((problem) => placed(new Failure('PARAM_INVALID', asPart(problem)), line));
  const leak = leakOf(bound, line);
  if (leak) failures.push(leak);
  const identity = identityOf(line.adapter, block, bound.key);
  const sends = { block, elsewhere: bound.elsewhere ?? [] };
  return { failures, identity, bound, writesProduction, sends, whole: isWhole ? { bound, block, identity } : null };
}

/** This text stands in for secrets: a secret would turn up wherever this text does. */
const mark = `stand-in-${randomUUID()}`;

/** A value in place of an output that does not exist yet. */
export type OutputStandIn = (ref: FromRef) => Value;

/** Every output is pending, and a sensitive one is sealed. */
export const pendingOutput =
  (outputsOf: (line: string) => PreparedLine['outputs'] | null): OutputStandIn =>
  ({ line, output }) => {
    const spec: OutputSpec | undefined = outputsOf(line)?.[output];
    return spec?.sensitive ? new Sealed(mark, `${line}.${output}`) : new Pending(line, output);
  };

/** The identity of a line, where no value decides it that another line gives. */
export const identityWithin = (context: Prepared['context'], line: PreparedLine): string | null =>
  tryBinding(
    line,
    context,
    pendingOutput(() => null),
  ).identity;

function toValue(expr: Expr, outputOf: OutputStandIn): Value {
  if (expr instanceof SecretRef) return new Sealed(mark, expr.reference);
  if (expr instanceof KeepRef) return new Kept();
  if (expr instanceof FromRef) return outputOf(expr);
  if (expr instanceof Composed) return textOf(expr, outputOf);
  if (isList(expr)) return expr.map((item) => toValue(item, outputOf));
  if (isExprMap(expr)) return mapValues(expr, (item) => toValue(item, outputOf));
  return expr;
}

/** A secret makes the whole text secret. Otherwise an output that does not exist yet makes all of it pending. */
function textOf({ parts }: Composed, outputOf: OutputStandIn): Value {
  const values = parts.map((part) => {
    if (part instanceof FromRef || part instanceof SecretRef) return toValue(part, outputOf);
    return 'isValue' in part ? part.text : part.source;
  });
  const secrets = values.filter((value) => value instanceof Sealed);
  return secrets.length > 0 ? joinTexts(secrets) : (values.find((value) => value instanceof Pending) ?? values.join(''));
}

function leakOf(bound: Bound, line: PreparedLine): Failure | null {
  const stored = JSON.stringify([bound.key, bound.reach, bound.kind === 'item' ? bound.lockOn : null]);
  if (!stored.includes(mark) && !stored.includes(String(new Sealed('', '')))) return null;
  return new Failure('PARAM_INVALID', {
    detail: `A secret of ${line.line.id} would become part of its key or of a request that the ledger stores.`,
    fix: 'Use the secret in a field only, or name the object by a value that is not secret.',
    place: line.line.place,
  });
}

/** Places the failure at the part of the line that is at fault, or else at the line. A recipe's own parts stand in no plan. */
function placed(failure: Failure, { line }: PreparedLine): Failure {
  if (failure.place) return failure;
  const { code, detail, fix, at = [] } = failure;
  const isThere = at[0] !== undefined && Object.hasOwn(line.params, at[0]);
  return new Failure(code, { detail: `${line.id}: ${detail}`, fix, place: isThere ? line.placeOf(at) : line.place });
}

/** Params without a reference are values already. */
const literal = (params: PreparedLine['params']): Params => params as Params;

const isList = (value: Expr): value is readonly Expr[] => Array.isArray(value);
const isExprMap = (value: Expr): value is { readonly [name: string]: Expr } => isMap(value);
