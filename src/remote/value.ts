import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';

/** A param as resolved for a run. In a plan, an output that does not exist yet is `Pending`. */
export type Value = null | boolean | number | string | Sealed | Pending | Kept | readonly Value[] | { readonly [name: string]: Value };

/** An output of a line that does not exist yet: a plan shows it as pending. */
export class Pending {
  readonly line: string;
  readonly output: string;
  constructor(line: string, output: string) {
    this.line = line;
    this.output = output;
  }
}

/** `{ keep: true }`: the live value stays. It is never sent, compared or hashed. */
export class Kept {
  readonly keep = true;
}

/** Thrown by `bind` when a value that decides the key is pending. The engine then shows the line as waiting for its producer. */
export class PendingValue extends Error {
  readonly pending: Pending;
  constructor(pending: Pending) {
    super(`waits for ${pending.line}.${pending.output}`);
    this.pending = pending;
  }
}

/** A composed value without its members that are `{ keep: true }`, as if the plan did not name them. A list cannot have such entries. */
export function withoutKept(value: Value, at: string): Value {
  if (Array.isArray(value)) {
    const items = value as readonly Value[];
    if (items.some((item) => item instanceof Kept))
      throw new Failure('PARAM_INVALID', {
        at: at.split('.'),
        detail: `${at} is a list, and none of its entries can be { keep: true }.`,
        fix: 'Give the entry a value, or write { keep: true } in place of the whole list.',
      });
    return items.map((item) => withoutKept(item, at));
  }
  if (!isMap(value)) return value;
  const members = Object.entries(value as { readonly [name: string]: Value });
  return Object.fromEntries(members.flatMap(([name, item]) => (item instanceof Kept ? [] : [[name, withoutKept(item, `${at}.${name}`)]])));
}

/** The first leaf for which `test` holds, depth first, with its pointer; `null` when there is none. */
export function findLeaf(value: Value | undefined, test: (leaf: Value) => boolean, at = ''): { leaf: Value; at: string } | null {
  if (value === undefined) return null;
  if (test(value)) return { leaf: value, at };
  if (Array.isArray(value)) {
    for (const [i, item] of (value as readonly Value[]).entries()) {
      const hit = findLeaf(item, test, `${at}/${i}`);
      if (hit) return hit;
    }
    return null;
  }
  if (!isMap(value)) return null;
  for (const [name, item] of Object.entries(value as { readonly [name: string]: Value })) {
    const hit = findLeaf(item, test, `${at}/${name}`);
    if (hit) return hit;
  }
  return null;
}

export const hasPending = (value: Value | undefined): boolean => findLeaf(value, (v) => v instanceof Pending) !== null;
export const hasSealed = (value: Value | undefined): boolean => findLeaf(value, (v) => v instanceof Sealed) !== null;

/**
 * A value that becomes part of a key, path, lock name or stored request, as text.
 * Pending throws `PendingValue`; a secret, a kept or a composed value is `PARAM_INVALID`.
 */
export function identityText(value: Value | undefined, param: string): string {
  if (value instanceof Pending) throw new PendingValue(value);
  if (value instanceof Sealed) {
    throw new Failure('PARAM_INVALID', {
      at: param.split('.'),
      detail: `${param} is part of the object's identity. The ledger stores the identity, so this value (${value.origin}) must not be secret.`,
      fix: `Give ${param} a value that is not secret, or { public: <text> } when it only looks secret.`,
    });
  }
  if (value instanceof Kept) {
    throw new Failure('PARAM_INVALID', {
      at: param.split('.'),
      detail: `${param} names the object, so it cannot be { keep: true }.`,
      fix: `Give ${param} a value.`,
    });
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Failure('PARAM_INVALID', {
    at: param.split('.'),
    detail: `${param} is part of the object's identity and must be text, a number or a boolean.`,
  });
}
