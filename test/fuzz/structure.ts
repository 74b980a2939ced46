import fc from 'fast-check';
import { isMap } from '../../src/core/json.ts';
import type { Random } from './random.ts';

type Path = readonly (string | number)[];

/** Names that objects have without being given them, that pointers and templates read otherwise, or that are hard to show. */
const oddName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'toJSON',
    'length',
    '',
    ' ',
    '0',
    '-1',
    '/a~b',
    'a/b',
    '{id}',
    '${ctx.scope}',
    '<<',
    'from',
    'secret',
    'keep',
    'public',
    'param',
    'join',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    'null',
    'true',
    '\u0000',
    '\ud800',
    '\u202egnp',
    '\u001b[31m',
    '../../x',
    '//evil.example/x',
    'https://evil.example',
    'file:///etc/passwd',
    '%00',
    '{id}',
    '{a}{b}',
    '${ctx.scope}',
    '${ctx.git.nope}',
    'env://NOTHING_HERE',
    '9'.repeat(400),
    'x'.repeat(70_000),
    '9999-99-99T99:99:99Z',
    '+275760-09-13T00:00:00.001Z',
    '(a+)+$',
    '[',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.webUrl(),
);

const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324, 999_999_999_999, 8_640_000_000_000_001),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: null }),
  oddText,
  oddNumber,
  fc.jsonValue({ maxDepth: 2 }),
  fc.tuple(oddName, oddText).map(([name, text]) => Object.fromEntries([[name, text]])),
  fc.integer({ min: 10, max: 600 }).map((depth) => nested(depth)),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

type Mutator = (value: unknown, random: Random, others: readonly unknown[]) => unknown;

const mutators: readonly [Mutator, ...Mutator[]] = [
  function replace(value, random) {
    return at(value, somewhere(value, random), () => random.sample(oddValue));
  },
  function retype(value, random) {
    return at(value, somewhere(value, random), (old) => retyped(old, random));
  },
  function drop(value, random) {
    const path = somewhere(value, random);
    return path.length === 0 ? value : without(value, path);
  },
  function addKey(value, random) {
    return at(value, somewhere(value, random, isMap), (old) =>
      isMap(old) ? Object.fromEntries([...Object.entries(old), [random.sample(oddName), random.sample(oddValue)]]) : old,
    );
  },
  function renameKey(value, random) {
    return at(value, somewhere(value, random, isMap), (old) => {
      if (!isMap(old)) return old;
      const chosen = random.int(Object.keys(old).length);
      return Object.fromEntries(Object.entries(old).map(([key, one], i) => [i === chosen ? renamed(key, random) : key, one]));
    });
  },
  function duplicate(value, random) {
    return at(value, somewhere(value, random, Array.isArray), (old) => {
      if (!Array.isArray(old)) return old;
      const copy: unknown[] = [...old];
      const times = random.chance(0.1) ? 300 : 1;
      for (let i = 0; i < times; i += 1) copy.push(random.any(old));
      return copy;
    });
  },
  function swap(value, random) {
    const [a, b] = [somewhere(value, random), somewhere(value, random)];
    const [first, second] = [read(value, a), read(value, b)];
    return at(
      at(value, a, () => second),
      b,
      () => first,
    );
  },
  function graft(value, random, others) {
    const other = random.any(others) ?? value;
    return at(value, somewhere(value, random), () => read(other, somewhere(other, random)));
  },
  function wrap(value, random) {
    return at(value, somewhere(value, random), (old) => (random.chance(0.5) ? [old] : Object.fromEntries([[random.sample(oddName), old]])));
  },
  function tweak(value, random) {
    return at(value, somewhere(value, random, isLeaf), (old) => tweaked(old, random));
  },
];

/** The value with one to three things wrong with it. `others` are values to take parts from. */
export function mutateJson(value: unknown, random: Random, others: readonly unknown[] = []): unknown {
  let mutated = value;
  const times = 1 + (random.chance(0.3) ? random.int(3) : 0);
  for (let i = 0; i < times; i += 1) mutated = random.pick(mutators)(mutated, random, others);
  return mutated;
}

/** The value with some part of it replaced. */
export const replaced = (value: unknown, random: Random, by: unknown): unknown => at(value, somewhere(value, random), () => by);

const isLeaf = (value: unknown): boolean => typeof value !== 'object' || value === null;

function retyped(old: unknown, random: Random): unknown {
  const others: readonly [unknown, ...unknown[]] = [
    isLeaf(old) ? String(old) : 'an object',
    isLeaf(old) ? Number(old) || 0 : 1,
    [old],
    { value: old },
    null,
    old === null,
    Array.isArray(old) ? Object.fromEntries(old.entries()) : isMap(old) ? Object.values(old) : [],
  ];
  return random.pick(others);
}

function renamed(key: string, random: Random): string {
  return random.pick([
    random.sample(oddName),
    key.toUpperCase(),
    `${key} `,
    `${key}s`,
    key.slice(1),
    [...key].reverse().join(''),
    key.replaceAll('_', '-'),
  ]);
}

function tweaked(old: unknown, random: Random): unknown {
  if (typeof old === 'number') return random.pick([old + 1, old - 1, -old, old * 1e6, old / 7, String(old), old + 0.5]);
  if (typeof old === 'boolean') return !old;
  if (typeof old !== 'string') return random.sample(oddValue);
  const spot = random.int(old.length + 1);
  return random.pick([
    `${old.slice(0, spot)}${random.sample(oddText)}${old.slice(spot)}`,
    old.slice(0, spot),
    `${old.slice(0, spot)}${old.slice(spot + 1)}`,
    old.toUpperCase(),
    `${old} `,
    old.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    old.replace(/[a-f]/, 'f'),
    random.sample(oddText),
  ]);
}

/** A path to some part; one that `fits`, where there is one. */
function somewhere(value: unknown, random: Random, fits: (part: unknown) => boolean = () => true): Path {
  const paths: Path[] = [];
  const walk = (part: unknown, path: Path): void => {
    if (paths.length > 2_000 || path.length > 40) return;
    if (fits(part)) paths.push(path);
    if (Array.isArray(part)) for (const [i, item] of part.entries()) walk(item, [...path, i]);
    else if (isMap(part)) for (const [key, item] of Object.entries(part)) walk(item, [...path, key]);
  };
  walk(value, []);
  return random.any(paths) ?? [];
}

function read(value: unknown, path: Path): unknown {
  let part = value;
  for (const step of path) {
    if (Array.isArray(part)) part = part[Number(step)];
    else if (isMap(part) && Object.hasOwn(part, step)) part = part[step];
    else return null;
  }
  return part ?? null;
}

/** A copy with another part. Names such as `__proto__` become own members of it, never its prototype. */
function at(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item: unknown, i) => (i === step ? at(item, rest, change) : item));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === step ? at(item, rest, change) : item]));
}

function without(value: unknown, path: Path): unknown {
  const last = path.at(-1);
  return at(value, path.slice(0, -1), (parent) => {
    if (Array.isArray(parent)) return parent.filter((_, i) => i !== last);
    return isMap(parent) ? Object.fromEntries(Object.entries(parent).filter(([key]) => key !== last)) : parent;
  });
}
