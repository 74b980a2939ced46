import type { Place } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import type { PlannedReceipts } from '../core/receipts-place.ts';
import type { Spot, WrittenPart } from './text.ts';

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

/** A `${…}` of a text that is no value of the run. The params of its operation decide what it is: a reference, or text of the provider. */
export class Mention {
  /** With its braces. */
  readonly source: string;
  /** The text between the braces. */
  readonly name: string;
  readonly isClosed: boolean;
  readonly place: Place;
  constructor({ source, name, isClosed }: Pick<Mention, 'source' | 'name' | 'isClosed'>, place: Place) {
    this.source = source;
    this.name = name;
    this.isClosed = isClosed;
    this.place = place;
  }
}

export type ComposedPart = WrittenPart | FromRef | SecretRef | Mention;

/** A text with values of other lines in it, `https://${preview.hostname}/hooks`, and `{ join: [ … ] }`. */
export class Composed {
  readonly parts: readonly ComposedPart[];
  readonly spot: Spot;
  readonly place: Place;
  constructor(parts: readonly ComposedPart[], spot: Spot, place: Place) {
    this.parts = parts;
    this.spot = spot;
    this.place = place;
  }
}

/** A reference as a plan can write it: `database.url`, `https://${preview.hostname}/hooks`. A secret shows where it is kept. */
export function sourceOf(value: FromRef | SecretRef | Composed): string {
  if (value instanceof FromRef) return `${value.line}.${value.output}`;
  if (value instanceof SecretRef) return value.reference;
  return value.parts
    .map((part) => {
      if (part instanceof FromRef || part instanceof SecretRef) return `\${${sourceOf(part)}}`;
      return part instanceof Mention ? part.source : part.text.replaceAll('${', '$${');
    })
    .join('');
}

/** A leaf of a param that stands for a value. */
export type Reference = FromRef | SecretRef | KeepRef | Composed;

export const isReference = (value: unknown): value is Reference =>
  value instanceof FromRef || value instanceof SecretRef || value instanceof KeepRef || value instanceof Composed;

/** A param as the plan says it, context substituted: JSON with references as leaves. `{ public: text }` is plain text here. */
export type Expr = null | boolean | number | string | Reference | readonly Expr[] | { readonly [name: string]: Expr };

/** Whether a value holds no reference, no secret and no `{ keep: true }`, so that it is the same wherever it is used. */
export function isLiteral(value: Expr): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isReference(value)) return false;
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

/** How long scopes stay without an apply. */
export interface Lifetime {
  /** Milliseconds that the scope of a pull request stays after its last apply; `null` where it stays until the pull request is closed. */
  readonly idleMs: number | null;
  /** The label of a pull request that keeps its scope. */
  readonly label: string | null;
  /** Milliseconds that a scope without a pull request stays after its last apply; `null` where it stays for good. */
  readonly othersMs: number | null;
}

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

/** An entry of `recipes`: a path or a pattern, from the folder of the plan. */
export interface FamilyPattern {
  readonly text: string;
  readonly place: Place;
}

/** One entry of `exports`: a variable that `pilotfish run` gives to its command. */
export interface PlanExport {
  readonly name: string;
  readonly value: Expr;
  readonly place: Place;
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
  /** `null` where nothing expires. */
  readonly lifetime: Lifetime | null;
  /** `providers.<adapter>` */
  readonly providers: ReadonlyMap<string, ProviderEntry>;
  /** `providers.http.<api>` */
  readonly apis: ReadonlyMap<string, ProviderEntry>;
  /** The files with recipe families of its own. */
  readonly recipes: readonly FamilyPattern[];
  /** The API blocks of these families, once their files are read. They count like blocks of the plan. */
  readonly familyBlocks: readonly ProviderEntry[];
  /** The variables of `pilotfish run`; `null` where the plan leaves them to the variables of its host. */
  readonly exports: readonly PlanExport[] | null;
  readonly lines: readonly PlanLine[];
  /** The ids of all lines that the file has: lines of other environments and broken ones, too. */
  readonly ids: ReadonlySet<string>;
  /** Lines left out by their `environments`, by id. */
  readonly filtered: ReadonlyMap<string, Place>;
}
