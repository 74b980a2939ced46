import { randomUUID } from 'node:crypto';
import { Failure } from '../../core/errors.ts';
import { isMap, mapValues } from '../../core/json.ts';
import { joinTexts, Sealed } from '../../core/sealed.ts';
import type { Bound, Params } from '../../ops/bound.ts';
import type { BindContext, OutputSpec } from '../../ops/op.ts';
import { asPart } from '../../ops/problem.ts';
import { identityOf } from '../../ops/provider.ts';
import { Composed, type Expr, FromRef, isLiteral, KeepRef, SecretRef } from '../../plan/types.ts';
import type { Value } from '../../remote/value.ts';
import { Kept, Pending, PendingValue } from '../../remote/value.ts';
import type { PreparedLine, WholeBinding } from '../types.ts';

/** The findings of a binding whose references are still open, before any request. */
export interface TrialBinding {
  readonly failures: readonly Failure[];
  /** `null` while a producer decides it. */
  readonly identity: string | null;
  readonly key: string | null;
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
  context: Omit<BindContext, 'block'>,
  outputsOf: (line: string) => PreparedLine['outputs'] | null,
): TrialBinding {
  const isWhole = isLiteral(line.params);
  const params: Params = isWhole ? literal(line.params) : mapValues(line.params, (expr) => toValue(expr, outputsOf));
  const { op } = line;
  const writesProduction = op.writesProduction?.(params) ?? false;
  const known = { identity: null, key: null, writesProduction, sends: null, whole: null };
  let bound: Bound;
  let block = line.block;
  try {
    block = op.providerFor?.(line.block, params) ?? line.block;
    bound = op.bind(params, { ...context, block });
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
  return { failures, identity, key: bound.key, writesProduction, sends, whole: isWhole ? { bound, block, identity } : null };
}

/** This text stands in for secrets: a secret would turn up wherever this text does. */
const mark = `stand-in-${randomUUID()}`;

function toValue(expr: Expr, outputsOf: (line: string) => PreparedLine['outputs'] | null): Value {
  if (expr instanceof SecretRef) return new Sealed(mark, expr.reference);
  if (expr instanceof KeepRef) return new Kept();
  if (expr instanceof FromRef) {
    const spec: OutputSpec | undefined = outputsOf(expr.line)?.[expr.output];
    return spec?.sensitive ? new Sealed(mark, `${expr.line}.${expr.output}`) : new Pending(expr.line, expr.output);
  }
  if (expr instanceof Composed) {
    const parts = expr.parts.flatMap((part) => (part instanceof FromRef || part instanceof SecretRef ? toValue(part, outputsOf) : []));
    const secrets = parts.filter((part) => part instanceof Sealed);
    return secrets.length > 0 ? joinTexts(secrets) : (parts[0] ?? '');
  }
  if (isList(expr)) return expr.map((item) => toValue(item, outputsOf));
  if (isExprMap(expr)) return mapValues(expr, (item) => toValue(item, outputsOf));
  return expr;
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
