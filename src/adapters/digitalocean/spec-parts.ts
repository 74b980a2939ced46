import { isMap } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Body } from '../../http/types.ts';
import { asBody } from '../../remote/stored-json.ts';
import { Kept, type Value } from '../../remote/value.ts';

export type SpecValue = { readonly [name: string]: Value };

/** One value that the provider never shows again. */
export interface Hidden {
  /** Its name in reports: `services/web/envs/DATABASE_URL`. */
  readonly place: string;
  readonly path: readonly string[];
  readonly value: Value;
}

export interface Parted {
  /** The compared part: without hidden values, and without `{ keep: true }`. */
  readonly shown: SpecValue;
  readonly hidden: readonly Hidden[];
  readonly problems: readonly string[];
}

/**
 * Takes the plan's spec apart. Values of variables of the type SECRET come back encrypted, so they are fields of their own, which
 * nobody compares with the live ones. Every other secret of the plan is such a field, too.
 */
export function partSpec(spec: SpecValue): Parted {
  const hidden: Hidden[] = [];
  const problems: string[] = [];
  const hide = (path: readonly string[], value: Value): undefined => {
    hidden.push({ place: path.join('/'), path, value });
    return undefined;
  };
  const walk = (value: Value, path: readonly string[]): Value | undefined => {
    if (value instanceof Kept) return undefined;
    if (value instanceof Sealed) return hide(path, value);
    if (isList(value)) return value.flatMap((item, i) => walk(item, [...path, nameAt(item, i)]) ?? []);
    if (!isValueMap(value)) return value;
    if (isVariable(value) && value.type === 'SECRET' && value.value !== undefined) {
      const { value: text, ...rest } = value;
      if (!(text instanceof Kept)) hide(path, text);
      return rest;
    }
    if (isVariable(value) && value.value instanceof Sealed) {
      problems.push(
        `spec gives ${path.join('/')} a secret (${value.value.origin}) as plain text, and everybody who may see the app can read it. Add \`type: SECRET\` to the variable.`,
      );
    }
    return members(value, path);
  };
  const members = (map: SpecValue, path: readonly string[]): SpecValue =>
    Object.fromEntries(
      Object.entries(map).flatMap(([name, value]) => {
        const now = walk(value, [...path, name]);
        return now === undefined ? [] : [[name, now] as const];
      }),
    );
  return { shown: members(spec, []), hidden, problems };
}

/** The sent spec: everything of the plan except kept values. */
export function sentSpec(spec: SpecValue): { readonly [name: string]: Body } {
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]) => (value instanceof Kept ? [] : [[name, asBody(withoutKept(value))] as const])),
  );
}

function withoutKept(value: Value): Value {
  if (isList(value)) return value.filter((item) => !(item instanceof Kept)).map(withoutKept);
  if (!isValueMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one instanceof Kept ? [] : [[name, withoutKept(one)] as const])),
  );
}

/** Whether the provider's spec has any value at the place of a hidden value. */
export function standsAt(live: unknown, path: readonly string[]): boolean {
  const found = path.reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return (value as readonly unknown[]).find((item, i) => nameAt(item, i) === name);
    return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, live);
  const text = isMap(found) ? found.value : found;
  return text !== undefined && text !== null && text !== '';
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isValueMap = (value: Value): value is SpecValue => isMap(value);

/** The name of an entry in a list of a spec: components have a name, variables a key, domains their own text. */
export function ownName(item: unknown): string | null {
  if (!isMap(item)) return null;
  const name = item.name ?? item.key ?? item.domain;
  return typeof name === 'string' ? name : null;
}

export const nameAt = (item: unknown, index: number): string => ownName(item) ?? String(index);

/** A variable of a component or of the whole app. */
export const isVariable = (map: { readonly [name: string]: unknown }): boolean => typeof map.key === 'string' && map.name === undefined;

/** Components that have an address. */
export const webKinds: readonly string[] = ['services', 'static_sites', 'functions'];
export const componentKinds: readonly string[] = [...webKinds, 'jobs', 'workers', 'databases'];
