import { Failure } from '../../core/errors.ts';
import { joinTexts, Sealed, type SecretSource, Unrevealed } from '../../core/sealed.ts';
import type { Edge } from '../../ledger/model/facts.ts';
import type { Params } from '../../ops/bound.ts';
import { checkResolved } from '../../ops/params.ts';
import { placedParts } from '../../plan/text.ts';
import { Composed, type ComposedPart, type Expr, FromRef, isLiteral, KeepRef, SecretRef, sourceOf } from '../../plan/types.ts';
import type { Value } from '../../remote/value.ts';
import { Kept, Pending } from '../../remote/value.ts';
import { secretOf } from '../prepare/secret-access.ts';
import type { Vault } from '../prepare/vault.ts';
import type { Session } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import type { Resolved } from './phases.ts';

/**
 * The line's params with references resolved. `judge` leaves sensitive outputs unread (an unchanged edge needs no value);
 * `write` reads them, and throws `OUTPUT_UNAVAILABLE` for one that is gone.
 */
export async function resolveLine(prepared: PreparedLine, how: 'judge' | 'write', session: Session): Promise<Resolved> {
  const { vault } = session;
  const secret = (ref: SecretRef): Promise<Sealed> => secretOf(session, ref, prepared.line.id);
  const resolver = new Resolver({ vault, how, secret });
  const params = isLiteral(prepared.params)
    ? (prepared.params as Params)
    : await resolveAll(prepared.params, (value, param) => resolver.value(value, param));
  mustFit(prepared, params);
  const from = (ref: FromRef, param: string): Promise<Value> => resolver.output(ref, param);
  const credential = prepared.credential ? await credentialOf(prepared.credential, from, secret, how, vault) : null;
  return { params, credential, edges: resolver.edges, gone: resolver.gone, waitingOn: [...resolver.waitingOn] };
}

interface ResolverOptions {
  readonly vault: Vault;
  readonly how: 'judge' | 'write';
  readonly secret: (ref: SecretRef) => Promise<Sealed>;
}

/** Resolves values, and notes the outputs that they came from. */
export class Resolver {
  readonly edges: Edge[] = [];
  readonly waitingOn = new Set<string>();
  gone: Resolved['gone'] = null;
  readonly #o: ResolverOptions;

  constructor(options: ResolverOptions) {
    this.#o = options;
  }

  /** A value with every reference in it resolved. `param`: the top-level name that it stands under. */
  async value(expr: Expr, param: string): Promise<Value> {
    if (isLiteral(expr)) return expr as Value;
    if (expr instanceof FromRef) return await this.output(expr, param);
    if (expr instanceof SecretRef) return await this.#o.secret(expr);
    if (expr instanceof KeepRef) return new Kept();
    if (expr instanceof Composed) return await this.#text(expr, param);
    if (Array.isArray(expr)) return await Promise.all(expr.map((item: Expr) => this.value(item, param)));
    return await resolveAll(expr as { readonly [name: string]: Expr }, (value) => this.value(value, param));
  }

  async output(ref: FromRef, param: string): Promise<Value> {
    const { vault, how } = this.#o;
    const produced = vault.get(ref.line);
    if (!produced) {
      this.waitingOn.add(ref.line);
      return new Pending(ref.line, ref.output);
    }
    const spec = produced.prepared.outputs[ref.output];
    if (!spec?.sensitive) {
      const value = produced.live?.outputs[ref.output];
      return value === undefined || spec?.lazy ? ((await vault.reveal(ref.line, ref.output)) as Value) : (value as Value);
    }
    const edge = vault.edge(ref.line, ref.output, param);
    if (edge) this.edges.push(edge);
    if (how === 'write') return await revealed(vault, ref);
    if (vault.isGone(ref.line, ref.output)) this.gone ??= { line: ref.line, output: ref.output };
    return new Unrevealed([ref], `${ref.line}.${ref.output}`);
  }

  async #text(expr: Composed, param: string): Promise<Value> {
    const values: (string | Sealed)[] = [];
    let pending: Pending | null = null;
    for (const part of expr.parts) {
      const value =
        part instanceof FromRef || part instanceof SecretRef ? await this.value(part, param) : 'isValue' in part ? part.text : part.source;
      if (value instanceof Pending) pending ??= value;
      else values.push(asText(value, part, expr));
    }
    return pending ?? written(expr, this.#o.how === 'judge' ? await readBeside(values, this.#o.vault) : values);
  }
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

/**
 * Reads the sensitive outputs that stand in one text with a secret of the plan. The text has one fingerprint, so an unchanged edge would
 * hide a change of the other secret.
 */
async function readBeside(values: readonly (string | Sealed)[], vault: Vault): Promise<readonly (string | Sealed)[]> {
  if (!values.some((value) => value instanceof Sealed && !(value instanceof Unrevealed))) return values;
  return await Promise.all(
    values.map(async (value) => {
      const [source] = value instanceof Unrevealed ? value.sources : [];
      return source && !vault.isGone(source.line, source.output) ? ((await revealed(vault, source)) as Sealed) : value;
    }),
  );
}

/** A sensitive output under the name that the plan has for it. */
async function revealed(vault: Vault, { line, output }: SecretSource): Promise<Value> {
  const value = (await vault.reveal(line, output)) as Value;
  return value instanceof Sealed ? new Sealed(value.reveal(), value.origin, { source: `${line}.${output}` }) : value;
}

/** A value as it stands in a text. Throws `PARAM_INVALID` for a list, a map and `null`. */
function asText(value: Value, part: ComposedPart, { place }: Composed): string | Sealed {
  if (typeof value === 'string' || value instanceof Sealed) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const source = part instanceof FromRef || part instanceof SecretRef ? sourceOf(part) : '';
  throw new Failure('PARAM_INVALID', {
    detail: `\${${source}} is ${value === null ? 'empty' : Array.isArray(value) ? 'a list' : 'a map'}, and only a text, a number or a boolean can stand in a text.`,
    fix: `Name another output of the line, or give the whole value as { from: ${source} }.`,
    place,
  });
}

/** The parts as one text. A secret is encoded for its place like any other value. */
function written({ parts, spot }: Composed, values: readonly (string | Sealed)[]): string | Sealed {
  const isValue = (i: number): boolean => {
    const part = parts[i];
    return part !== undefined && (!('isValue' in part) || part.isValue);
  };
  const shown = values.map((value, i) => ({
    text: value instanceof Unrevealed ? '' : value instanceof Sealed ? value.reveal() : value,
    isValue: isValue(i),
  }));
  const placed = placedParts(shown, spot);
  const texts = values.map((value, i) => {
    const text = placed[i] ?? '';
    if (!(value instanceof Sealed)) return text;
    return value instanceof Unrevealed ? value : new Sealed(text, value.origin, value);
  });
  return joinTexts(texts, values);
}
