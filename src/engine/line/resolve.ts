import { Failure } from '../../core/errors.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { Edge } from '../../ledger/model/facts.ts';
import type { Params } from '../../ops/bound.ts';
import { checkResolved } from '../../ops/params.ts';
import { type Expr, FromRef, isLiteral, KeepRef, SecretRef } from '../../plan/types.ts';
import type { Value } from '../../remote/value.ts';
import { Kept, Pending } from '../../remote/value.ts';
import { secretOf } from '../prepare/secret-access.ts';
import { Unrevealed, type Vault } from '../prepare/vault.ts';
import type { Session } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import type { Resolved } from './phases.ts';

/**
 * The line's params with references resolved. `judge` leaves sensitive outputs unread (an unchanged edge needs no value);
 * `write` reads them, and throws `OUTPUT_UNAVAILABLE` for one that is gone.
 */
export async function resolveLine(prepared: PreparedLine, how: 'judge' | 'write', session: Session): Promise<Resolved> {
  const { vault } = session;
  const edges: Edge[] = [];
  const waitingOn = new Set<string>();
  let gone: Resolved['gone'] = null;

  const from = async (ref: FromRef, param: string): Promise<Value> => {
    const produced = vault.get(ref.line);
    if (!produced) {
      waitingOn.add(ref.line);
      return new Pending(ref.line, ref.output);
    }
    const spec = produced.prepared.outputs[ref.output];
    if (!spec?.sensitive) {
      const value = produced.live?.outputs[ref.output];
      return value === undefined || spec?.lazy ? ((await vault.reveal(ref.line, ref.output)) as Value) : (value as Value);
    }
    const edge = vault.edge(ref.line, ref.output, param);
    if (edge) edges.push(edge);
    if (how === 'write') return (await vault.reveal(ref.line, ref.output)) as Value;
    if (vault.isGone(ref.line, ref.output)) gone ??= { line: ref.line, output: ref.output };
    return new Unrevealed(ref.line, ref.output);
  };

  const walk = async (expr: Expr, param: string): Promise<Value> => {
    if (isLiteral(expr)) return expr as Value;
    if (expr instanceof FromRef) return await from(expr, param);
    if (expr instanceof SecretRef) return await secretOf(session, expr, prepared.line.id);
    if (expr instanceof KeepRef) return new Kept();
    if (Array.isArray(expr)) return await Promise.all(expr.map((item: Expr) => walk(item, param)));
    return await resolveAll(expr as { readonly [name: string]: Expr }, (value) => walk(value, param));
  };

  const params = isLiteral(prepared.params) ? (prepared.params as Params) : await resolveAll(prepared.params, walk);
  mustFit(prepared, params);
  const secret = (ref: SecretRef): Promise<Sealed> => secretOf(session, ref, prepared.line.id);
  const credential = prepared.credential ? await credentialOf(prepared.credential, from, secret, how, vault) : null;
  return { params, credential, edges, gone, waitingOn: [...waitingOn] };
}

/** Checks values that came by reference by the same rules as written ones. Throws `PARAM_INVALID` with the place of the reference. */
function mustFit({ op, line, params: written }: PreparedLine, params: Params): void {
  const given = Object.entries(params).filter(([name, value]) => !isLiteral(written[name] as Expr) && !(value instanceof Unrevealed));
  const [wrong] = checkResolved(op, Object.fromEntries(given));
  if (wrong) throw new Failure(wrong.failure.code, { detail: wrong.failure.detail, place: line.placeOf([wrong.param]) });
}

/** One after the other, in the order of the plan. */
async function resolveAll(
  map: { readonly [name: string]: Expr },
  walk: (expr: Expr, name: string) => Promise<Value>,
): Promise<{ [name: string]: Value }> {
  const out: [string, Value][] = [];
  for (const [name, expr] of Object.entries(map)) out.push([name, isLiteral(expr) ? (expr as Value) : await walk(expr, name)]);
  return Object.fromEntries(out);
}

/** A credential is needed for every request, reads included, so it is read even for a judgement. */
async function credentialOf(
  ref: FromRef | SecretRef,
  from: (ref: FromRef, param: string) => Promise<Value>,
  secret: (ref: SecretRef) => Promise<Sealed>,
  how: 'judge' | 'write',
  vault: Vault,
): Promise<Sealed | Pending | null> {
  if (ref instanceof SecretRef) return await secret(ref);
  const value = await from(ref, 'credential');
  if (value instanceof Pending) return value;
  if (value instanceof Unrevealed && how === 'judge') return (await vault.reveal(ref.line, ref.output)) as Sealed;
  return value as Sealed;
}
