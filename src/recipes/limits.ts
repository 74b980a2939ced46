import { isMap } from '../core/json.ts';
import { splitPointer } from '../core/pointer.ts';
import type { Params } from '../ops/bound.ts';
import type { Value } from '../remote/value.ts';

interface Limit {
  readonly at: string;
  readonly max_length: number;
}

/** Texts that are too long for the provider, deep inside a param where the param's type does not reach. */
export function limitProblems(limits: readonly Limit[], params: Params): string[] {
  return limits.flatMap((limit) =>
    textsAt(params, splitPointer(limit.at), '').flatMap(({ text, at }) =>
      text.length > limit.max_length ? [`${at} has ${text.length} characters, but the provider takes at most ${limit.max_length}.`] : [],
    ),
  );
}

function textsAt(value: Value | undefined, parts: readonly string[], at: string): { text: string; at: string }[] {
  const [part, ...rest] = parts;
  if (part === undefined) return typeof value === 'string' ? [{ text: value, at }] : [];
  const inside = Array.isArray(value)
    ? value.map((item: Value, i) => [String(i), item] as const)
    : isMap(value)
      ? Object.entries(value as Params)
      : [];
  return inside.flatMap(([name, item]) => (part === '*' || part === name ? textsAt(item, rest, at === '' ? name : `${at}.${name}`) : []));
}
