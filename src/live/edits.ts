import { isMap, type Json, type JsonMap } from '../core/json.ts';
import type { ParamSpec } from '../ops/op.ts';
import type { LiveLine } from './live-line.ts';

/** A value of the line that somebody could change at the service. */
export interface Edit {
  /** The path of the value in the line: `parameters.rollout`. */
  readonly what: string;
  readonly line: JsonMap;
}

/** Keys of a line that are no value of its object. */
const notValues = new Set(['api', 'destroy', 'drift', 'credential', 'depends_on', 'environments', 'timeout']);

/** Lines with one value changed, the likeliest to be changed in place first. The plan decides which of them changes the object in place. */
export function* editsOf({ op, line }: Pick<LiveLine, 'op' | 'line'>): Generator<Edit> {
  // A line of the generic adapter names the values of its object in one of these.
  const inside = op.open ? ['fields', 'value'] : null;
  const defaults = Object.entries(op.params).flatMap(([name, spec]) =>
    spec.default === undefined || Object.hasOwn(line, name) ? [] : [[name, spec.default] as const],
  );
  const given = Object.entries(line).filter(([name]) => !notValues.has(name) && (inside?.includes(name) ?? true));
  // A kind or a type is often fixed once another one was chosen, so it comes last.
  const isChoice = ([name]: readonly [string, Json]): boolean => op.params[name]?.enum !== undefined;
  for (const [name, value] of [...given, ...defaults].sort((a, b) => Number(isChoice(a)) - Number(isChoice(b)))) {
    const spec = op.params[name];
    if (spec?.secret) continue;
    for (const { path, value: other } of others(value, spec, [name])) yield { what: path.join('.'), line: { ...line, [name]: other } };
  }
}

type Other = { readonly path: readonly string[]; readonly value: Json };

function* others(value: Json, spec: ParamSpec | undefined, path: readonly string[]): Generator<Other> {
  if (spec?.enum) for (const one of spec.enum) if (one !== value) yield { path, value: one };
  if (spec?.enum) return;
  if (typeof value === 'boolean') yield { path, value: !value };
  if (typeof value === 'number') for (const next of [value + 1, value - 1]) if (isWithin(next, spec)) yield { path, value: next };
  if (typeof value === 'string') yield* otherTexts(value, spec, path);
  if (Array.isArray(value)) yield* otherLists(value as readonly Json[], path);
  else if (isMap(value) && !isReference(value)) {
    const map = value as JsonMap;
    for (const [name, member] of Object.entries(map)) {
      for (const { path: at, value: other } of others(member, undefined, [...path, name])) {
        yield { path: at, value: { ...map, [name]: other } };
      }
    }
  }
}

const isReference = (value: Record<string, unknown>): boolean =>
  ['from', 'secret', 'keep', 'join', 'public'].some((name) => Object.hasOwn(value, name));

const isWithin = (value: number, { minimum = -Infinity, maximum = Infinity }: Partial<ParamSpec> = {}): boolean =>
  value >= minimum && value <= maximum;

function* otherTexts(value: string, spec: ParamSpec | undefined, path: readonly string[]): Generator<Other> {
  if (/^\d+$/.test(value)) {
    yield { path, value: String(Number(value) === 100 ? 99 : Number(value) + 1) };
    return;
  }
  if (/^https?:\/\//.test(value)) yield { path, value: `${value.replace(/\/$/, '')}/edited` };
  if (spec?.format === 'hostname' || /^[a-z0-9$-][^\s/]*\.[a-z]{2,}\.?$/i.test(value)) yield { path, value: `edited.${value}` };
  yield { path, value: `${value} edited` };
  yield { path, value: `${value}-edited` };
}

function* otherLists(value: readonly Json[], path: readonly string[]): Generator<Other> {
  if (value.length > 1) yield { path, value: value.slice(0, -1) };
  for (const [i, one] of value.entries()) {
    for (const { path: at, value: other } of others(one, undefined, [...path, String(i)])) yield { path: at, value: value.with(i, other) };
  }
}
