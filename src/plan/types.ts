import type { Place } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import type { PlannedReceipts } from '../core/receipts-place.ts';

/** `{ from: <line>.<output> }` */
export class FromRef {
  readonly line: string;
  readonly output: string;
  readonly place: Place;
  constructor(line: string, output: string, place: Place) {
    this.line = line;
    this.output = output;
    this.place = place;
  }
}

/** `{ secret: env://NAME }` */
export class SecretRef {
  readonly reference: string;
  readonly place: Place;
  constructor(reference: string, place: Place) {
    this.reference = reference;
    this.place = place;
  }
}

/** `{ keep: true }` */
export class KeepRef {
  readonly place: Place;
  constructor(place: Place) {
    this.place = place;
  }
}

/** A param as the plan says it, context substituted: JSON with references as leaves. `{ public: text }` is plain text here. */
export type Expr = null | boolean | number | string | FromRef | SecretRef | KeepRef | readonly Expr[] | { readonly [name: string]: Expr };

/** Whether a value holds no reference, no secret and no `{ keep: true }`, so that it is the same wherever it is used. */
export function isLiteral(value: Expr): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof FromRef || value instanceof SecretRef || value instanceof KeepRef) return false;
  if (Array.isArray(value)) return value.every((item: Expr) => isLiteral(item));
  if (!isMap(value)) return true;
  // A list of the names would be most of the cost, and every value of a plan passes here.
  for (const name in value) if (!isLiteral(value[name] as Expr)) return false;
  return true;
}

/** All values of a map that are literal; the map itself where all are. */
export function literalsOf(params: { readonly [name: string]: Expr }): { readonly [name: string]: unknown } {
  if (isLiteral(params)) return params;
  return Object.fromEntries(Object.entries(params).filter(([, value]) => isLiteral(value)));
}

/** Facts of this run that `${ctx.*}` names. */
export interface Context {
  readonly environment: string;
  readonly scope: string | null;
  readonly git: { readonly sha: string | null; readonly branch: string | null };
  readonly pr: { readonly number: number | null };
}

/** What an apply does about what others changed at the provider: writes it back, or tells it and leaves it. */
export type DriftPolicy = 'put-back' | 'report';

/** One entry of `changes`. */
export interface PlanLine {
  readonly id: string;
  readonly place: Place;
  /** As written: `http`, `neon`, `sql_branch_a`. `http` when `recipe` is given. */
  readonly adapter: string;
  /** As written; the part of `recipe` after the dot when a recipe line leaves `op` out. */
  readonly op: string;
  /** `<family>.<op>` as written, `null` for other lines. */
  readonly recipe: string | null;
  readonly api: string | null;
  readonly destroy: 'keep' | 'delete' | 'never' | null;
  /** The plan's own value if the line says none. */
  readonly drift: DriftPolicy;
  readonly credential: FromRef | SecretRef | null;
  readonly dependsOn: readonly { readonly line: string; readonly place: Place }[];
  readonly params: { readonly [name: string]: Expr };
  /** Place of a param's value, or of a part of it: `['fields', '/url']`; falls back to the nearest parent that has one. */
  placeOf(path: readonly (string | number)[]): Place;
  /**
   * A scalar param, or a scalar part of one, as text: a string as it stands in `params`, an unquoted number or boolean as the plan
   * writes it (`7`, `True`). `null` for anything else, a missing one included. It lets a param that wants text take `port: 8080`.
   */
  textOf(path: readonly (string | number)[]): string | null;
  /** Whether the value there was given as `{ public: <text> }`, so that it is no secret although its name looks like one. */
  isPublic(path: readonly (string | number)[]): boolean;
}

/** One entry of `providers`, or of `providers.http`. */
export interface ProviderEntry {
  readonly name: string;
  readonly place: Place;
  readonly values: { readonly [key: string]: Json };
  placeOf(path: readonly (string | number)[]): Place;
}

/** The plan as read: every key checked against the format, references still names, lines of other environments left out. */
export interface Plan {
  /** As shown in messages: relative to the working directory. */
  readonly file: string;
  readonly path: string;
  readonly name: string | null;
  readonly environments: readonly string[];
  readonly receipts: PlannedReceipts;
  /** `sealed`: facts of the ledger that no credential of the run sealed are never acted on. */
  readonly ledger: 'sealed' | null;
  /** `providers.<adapter>` */
  readonly providers: ReadonlyMap<string, ProviderEntry>;
  /** `providers.http.<api>` */
  readonly apis: ReadonlyMap<string, ProviderEntry>;
  readonly lines: readonly PlanLine[];
  /** Lines left out by their `environments`, by id. */
  readonly filtered: ReadonlyMap<string, Place>;
}
