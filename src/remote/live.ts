import { isMap, type Json, mapValues } from '../core/json.ts';
import { getAt, joinPointer, splitPointer } from '../core/pointer.ts';
import { Sealed } from '../core/sealed.ts';
import { type AlikeRules, alike } from './alike.ts';
import { isAsPlanned, isSameScalar } from './compare.ts';
import { type Live, type LiveValue, unreadable } from './live-object.ts';
import type { FindSpec } from './reach.ts';
import { signsOf } from './signs.ts';
import { asJson, mapOf, storedJson } from './stored-json.ts';
import { typedLike } from './typed.ts';
import type { Value } from './value.ts';
import { hasPending, hasSealed, Kept } from './value.ts';

export interface FieldRule {
  readonly unordered?: boolean;
  readonly whole?: boolean;
  readonly hidden?: 'always' | 'masked' | 'null';
  readonly default?: Json;
  readonly alike?: AlikeRules;
  readonly sent?: boolean;
}

export interface OutputRule {
  readonly path: string;
  readonly sensitive: boolean;
  readonly once: boolean;
}

/** How to read an object of this line, once its params are resolved. */
export interface ObjectShape extends Pick<FindSpec, 'created_at' | 'uid' | 'mark'> {
  readonly key: string;
  readonly fields: { readonly [field: string]: Value };
  readonly rules: { readonly [field: string]: FieldRule };
  readonly outputs: { readonly [name: string]: OutputRule };
}

/** An object as answered, reduced to the fields and outputs that the line declares. */
export function toLive(shape: ObjectShape, id: string, item: unknown, fromXml = false): Live {
  return {
    id,
    values: valuesOf(shape, item, fromXml),
    outputs: outputsOf(shape, id, item),
    ...signsOf(shape, item),
    raw: item,
  };
}

function valuesOf(shape: ObjectShape, item: unknown, fromXml: boolean): { readonly [field: string]: LiveValue } {
  return Object.fromEntries(
    Object.entries(shape.fields).flatMap(([field, planned]) => {
      const read = getAt(item, field);
      const live = fromXml ? typedField(planned, read) : read;
      const value = liveValue(planned, live, shape.rules[field] ?? {}, `${shape.key} ${field}`);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** In XML an empty list has no element, so an absent field counts as a planned empty list. */
const typedField = (planned: Value, live: unknown): unknown =>
  live === undefined ? (Array.isArray(planned) && planned.length === 0 ? [] : undefined) : typedLike(planned, asJson(live));

function liveValue(planned: Value, live: unknown, rule: FieldRule, origin: string): LiveValue {
  if (rule.hidden === 'always') return unreadable;
  if (rule.hidden === 'masked') return live === undefined || live === null || live === '' ? undefined : unreadable;
  if (rule.hidden === 'null' && live === null) return unreadable;
  if (live === undefined || live === null) return rule.default ?? (live === null ? null : undefined);
  if (planned instanceof Sealed) return new Sealed(typeof live === 'string' ? live : JSON.stringify(live), origin);
  // The map or list holds a secret, so its live value must not be shown either. Only our own record can tell a change.
  if (hasSealed(planned)) return unreadable;
  if (planned instanceof Kept || hasPending(planned)) return asJson(live);
  const wanted = storedJson(withoutKept(planned), origin);
  const meant = alike(wanted, live, rule.alike);
  return seenAs(wanted, rule.unordered === true ? inOrderOf(wanted, meant) : meant, rule.whole === true);
}

/**
 * The live value with only the members that the plan names, so that additions of the provider (a default, an id) are no drift,
 * and with the plan's spelling of a number where text and number are equal.
 */
function seenAs(planned: Json, live: unknown, whole: boolean): Json {
  if (Array.isArray(planned) && Array.isArray(live) && planned.length === live.length) {
    return planned.map((item: Json, i) => seenAs(item, live[i], whole));
  }
  if (!whole && isMap(planned) && isMap(live)) {
    const members: { readonly [name: string]: Json } = planned;
    return Object.fromEntries(
      Object.entries(members).flatMap(([name, value]) => (Object.hasOwn(live, name) ? [[name, seenAs(value, live[name], whole)]] : [])),
    );
  }
  if (planned !== null && typeof planned !== 'object' && isSameScalar(planned, live)) return planned;
  return asJson(live);
}

/** A live list in the plan's order, where both hold the same items; otherwise the list as it is. */
function inOrderOf(planned: Json, live: unknown): unknown {
  if (!Array.isArray(planned) || !Array.isArray(live) || planned.length !== live.length) return live;
  const left: unknown[] = [...live];
  const ordered: unknown[] = [];
  for (const item of planned) {
    const at = left.findIndex((one) => isAsPlanned(item, one));
    if (at === -1) return live;
    ordered.push(...left.splice(at, 1));
  }
  return ordered;
}

function withoutKept(value: Value): Value {
  if (Array.isArray(value)) return value.filter((item: Value) => !(item instanceof Kept)).map(withoutKept);
  if (!isMap(value)) return value;
  return mapValues(Object.fromEntries(Object.entries(mapOf(value)).filter(([, item]) => !(item instanceof Kept))), withoutKept);
}

function outputsOf(shape: ObjectShape, id: string, item: unknown): { readonly [name: string]: Json | Sealed } {
  const outputs: { [name: string]: Json | Sealed } = { id };
  for (const [name, output] of Object.entries(shape.outputs)) {
    const value = getAt(item, output.path);
    if (value === undefined || value === null) continue;
    outputs[name] = output.sensitive
      ? new Sealed(typeof value === 'string' ? value : JSON.stringify(value), `${shape.key} ${name}`)
      : asJson(value);
  }
  return outputs;
}

/** One spelling per field: `url` for `/url`, and `/config/url` for a deeper field. */
export function fieldName(nameOrPointer: string): string {
  const parts = splitPointer(nameOrPointer);
  const [only] = parts;
  return parts.length === 1 && only !== undefined && only !== '' && !only.startsWith('/') ? only : joinPointer(parts);
}
