import { isMap } from './json.ts';

/** What is wrong with one body, as a path below it and a reason. */
export interface Flaw {
  readonly at: string;
  readonly problem: 'unknown' | 'missing' | 'type';
  readonly expected: string;
}

/** A write body's form: what a field may hold. `closed` maps refuse names they do not list. */
export type Shape =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'any'
  | { readonly oneOf: readonly (string | number)[] }
  | { readonly list: Shape }
  | { readonly values: Shape }
  | { readonly nullable: Shape }
  | { readonly fields: { readonly [name: string]: Shape }; readonly required?: readonly string[]; readonly open?: boolean };

/** Every flaw of `value` against `shape`. Each provider words them in its own way. */
export function flawsOf(value: unknown, shape: Shape, at = ''): readonly Flaw[] {
  const wrong = (expected: string): readonly Flaw[] => [{ at, problem: 'type', expected }];
  if (shape === 'any') return [];
  if (shape === 'integer') return Number.isInteger(value) ? [] : wrong('integer');
  if (typeof shape === 'string') return typeof value === shape ? [] : wrong(shape);
  if ('oneOf' in shape) return shape.oneOf.some((one) => one === value) ? [] : wrong(`one of ${shape.oneOf.join(', ')}`);
  if ('nullable' in shape) return value === null ? [] : flawsOf(value, shape.nullable, at);
  if ('list' in shape) return Array.isArray(value) ? value.flatMap((item, i) => flawsOf(item, shape.list, `${at}/${i}`)) : wrong('array');
  if (!isMap(value)) return wrong('object');
  if ('values' in shape) return Object.entries(value).flatMap(([name, item]) => flawsOf(item, shape.values, `${at}/${name}`));
  const missing = (shape.required ?? []).filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => ({ at: `${at}/${name}`, problem: 'missing' as const, expected: name })),
    ...Object.entries(value).flatMap(([name, item]) => {
      const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      if (field !== undefined) return flawsOf(item, field, `${at}/${name}`);
      return shape.open ? [] : [{ at: `${at}/${name}`, problem: 'unknown' as const, expected: name }];
    }),
  ];
}
