import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readerOf, refused } from './schema-reader.ts';

const inner = z.strictObject({ path: z.string(), once: z.boolean().exactOptional(), kind: z.enum(['a', 'b']).default('a') });

/** Every kind of schema that the program has, and some that are left to the schema itself. */
const shape = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z]/, { error: 'no name' })
      .min(2),
    size: z.int().min(0).max(9).exactOptional(),
    ratio: z.number().positive().optional(),
    on: z.boolean().nullable().optional(),
    version: z.literal(1).optional(),
    tags: z.array(z.string()).min(1).exactOptional(),
    any: z.unknown().optional(),
    leaf: z.custom<string>((value) => value !== undefined, 'a value').exactOptional(),
    outputs: z.record(z.string(), z.union([z.string(), inner])).exactOptional(),
    fixed: z.record(z.enum(['x', 'y']), z.string()).exactOptional(),
    items: z.array(inner).default([]),
    paging: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('page'), param: z.string(), first: z.int().exactOptional() }),
        z.strictObject({ kind: z.literal('link') }),
      ])
      .exactOptional(),
    loose: z.looseObject({ a: z.string().optional() }).optional(),
    plain: z.object({ a: z.string().optional() }).optional(),
    rest: z.object({ a: z.string() }).catchall(z.number()).optional(),
    trimmed: z.string().trim().optional(),
    size2: z
      .string()
      .transform((text) => text.length)
      .optional(),
    pair: z.tuple([z.string(), z.number()]).optional(),
    lazy: z.lazy(() => z.array(inner)).optional(),
    nothing: z.null().optional(),
    filled: z.string().default('x').optional(),
    coerced: z.coerce.number().optional(),
    address: z.url().optional(),
  })
  .superRefine((value, ctx) => {
    if (value.tags?.includes(value.id)) ctx.addIssue({ code: 'custom', message: 'the id is a tag' });
  });

const word = fc.constantFrom('a', 'ab', 'b', 'x', '', ' ab ', '9', 'page', 'link', 'https://a.b');
const leaf = fc.oneof(word, fc.constantFrom(0, 1, -1, 3.5, 10, Number.NaN, true, false, null, undefined), fc.constant(new Date(0)));
const member = fc.record(
  { path: fc.oneof(word, leaf), once: leaf, kind: fc.oneof(fc.constantFrom('a', 'b'), leaf), other: leaf },
  { requiredKeys: [] },
);
const page = fc.record({ kind: fc.constantFrom('page', 'link', 'else'), param: word, first: leaf }, { requiredKeys: ['kind'] });
const anything = fc.oneof(
  leaf,
  fc.array(fc.oneof(leaf, member), { maxLength: 2 }),
  fc.dictionary(word, fc.oneof(leaf, member)),
  member,
  page,
);
const fitting = {
  id: fc.constantFrom('ab', 'cd', 'x', '9a'),
  size: fc.constantFrom(0, 9, 10, 1.5),
  ratio: fc.constantFrom(0, 0.5),
  on: fc.constantFrom(true, null, undefined),
  version: fc.constantFrom(1, 2),
  tags: fc.array(word, { maxLength: 2 }),
  any: anything,
  leaf,
  outputs: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.oneof(word, member), { maxKeys: 3 }),
  fixed: fc.record({ x: word, y: word, z: word }, { requiredKeys: ['x'] }),
  items: fc.array(member, { maxLength: 2 }),
  paging: page,
  loose: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), leaf),
  plain: fc.dictionary(fc.constantFrom('a', 'b'), word),
  rest: fc.dictionary(fc.constantFrom('a', 'b'), leaf),
  trimmed: word,
  size2: word,
  pair: fc.constantFrom(['a', 1], ['a'], ['a', 'b']),
  lazy: fc.array(member, { maxLength: 2 }),
  nothing: leaf,
  filled: fc.constantFrom('y', undefined, 1),
  coerced: leaf,
  address: word,
};
const values = fc
  .tuple(fc.record(fitting, { requiredKeys: [] }), fc.option(fc.constantFrom(...Object.keys(fitting))), anything, fc.nat({ max: 9 }))
  .map(([value, key, other, dice]) => (dice === 0 && key !== null ? { ...value, [key]: other } : dice === 1 ? other : value));

/** `toStrictEqual` takes a member of the name `constructor` for the type of the value. */
function mustEqual(mine: unknown, theirs: unknown): void {
  expect(isDeepStrictEqual(mine, theirs), inspect({ mine, theirs }, { depth: 9 })).toBe(true);
}

describe('a reader made of a schema', () => {
  it.each(Object.entries(shape.shape))('reads %s as the schema does', (key, schema) => {
    const read = readerOf(schema as z.ZodType);
    fc.assert(
      fc.property(fc.oneof(fitting[key as keyof typeof fitting], anything), (value) => {
        const result = (schema as z.ZodType).safeParse(value);
        mustEqual(read(value), result.success ? result.data : refused);
      }),
      { numRuns: 150 },
    );
  });

  it('takes what the schema takes, refuses what it refuses, and makes the same of it, in the same order', () => {
    const read = readerOf(shape);
    fc.assert(
      fc.property(values, (value) => {
        const result = shape.safeParse(value);
        const mine = read(value);
        mustEqual(mine, result.success ? result.data : refused);
        expect(JSON.stringify(mine)).toBe(JSON.stringify(result.success ? result.data : undefined));
      }),
      { numRuns: 2000 },
    );
  });

  it('never asks the schema about a value that is right', () => {
    let asked = 0;
    const counted = z.strictObject({ id: z.string(), fields: z.record(z.string(), z.unknown()), find: inner.exactOptional() });
    const { run } = counted._zod;
    counted._zod.run = (payload, context) => {
      asked += 1;
      return run(payload, context);
    };
    for (let n = 0; n < 100; n += 1) readerOf(counted)({ id: `a${n}`, fields: { n }, find: { path: '/' } });
    expect(asked).toBe(0);
    expect(counted.safeParse({ id: 1 }).success).toBe(false);
    expect(asked).toBe(1);
  });

  it('gives the value itself where there is nothing to change, and the part of it that stays', () => {
    const read = readerOf(z.strictObject({ id: z.string(), tags: z.array(z.string()), parts: z.record(z.string(), inner) }));
    const value = { id: 'ab', tags: ['a'], parts: { a: { path: '/', kind: 'b' } } };
    expect(read(value)).toBe(value);
    const short = { ...value, parts: { ...value.parts, b: { path: '/' } } };
    const filled = read(short);
    expect(filled).toEqual({ ...short, parts: { a: { path: '/', kind: 'b' }, b: { path: '/', kind: 'a' } } });
    expect(Reflect.get(Object(filled), 'tags')).toBe(short.tags);
    const { id, ...rest } = value;
    expect(JSON.stringify(read({ ...rest, id }))).toBe(JSON.stringify(value));
  });

  it('leaves a value as it is and gives a copy', () => {
    const value = { id: 'ab', items: [{ path: 'a' }] };
    const copy = readerOf(shape)(value);
    expect(value).toEqual({ id: 'ab', items: [{ path: 'a' }] });
    expect(copy).toEqual({ id: 'ab', items: [{ path: 'a', kind: 'a' }], filled: 'x' });
  });
});
