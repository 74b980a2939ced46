import { describe, expect, it } from 'vitest';
import { failuresOf, readText } from '../../test/support/read-plan.ts';
import { work } from '../../test/support/work.ts';
import { Failures } from '../core/errors.ts';
import { fromRefs, orderLines, refsOf } from './graph.ts';
import { FromRef, KeepRef, SecretRef } from './types.ts';

/** `a: ['b']` is a line a whose param takes an output of b. */
const planOf = (lines: { readonly [id: string]: readonly string[] }, extra = ''): string =>
  [
    'changes:',
    ...Object.entries(lines).map(
      ([id, needs]) => `  - { id: ${id}, adapter: n, op: o, v: [${needs.map((n) => `{ from: ${n}.x }`).join(', ')}] }`,
    ),
    extra,
  ].join('\n');

const orderOf = (text: string): readonly string[] => orderLines(readText(text).plan).order.map((line) => line.id);

describe('the order', () => {
  it('is that of the file where no line needs another order', () => {
    expect(orderOf(planOf({ c: [], a: [], b: [] }))).toEqual(['c', 'a', 'b']);
  });

  it('puts every producer first', () => {
    expect(orderOf(planOf({ a: ['c', 'b'], b: ['d'], c: ['d'], d: [] }))).toEqual(['d', 'c', 'b', 'a']);
  });

  it('counts params, the credential and depends_on, each line once', () => {
    const text = planOf(
      { a: [], b: [], c: [] },
      '  - { id: d, adapter: n, op: o, depends_on: [c, a], credential: { from: b.x }, v: { w: [{ from: a.y }] } }',
    );
    const { after } = orderLines(readText(text).plan);
    expect(after.get('d')).toEqual(['a', 'b', 'c']);
    expect(after.get('a')).toEqual([]);
  });

  it.each(['forward', 'backward'])('of a %s chain of 10,000 lines is found at the price of its length', async (direction) => {
    const size = 10_000;
    const ids = Array.from({ length: size }, (_, i) => i);
    const lines = Object.fromEntries(
      ids.map((i) => [`l${i}`, direction === 'forward' ? (i > 0 ? [`l${i - 1}`] : []) : i < size - 1 ? [`l${i + 1}`] : []]),
    );
    const { plan } = readText(planOf(lines));
    let order: ReturnType<typeof orderLines>['order'] = [];
    const ms = await work(() => {
      order = orderLines(plan).order;
    });
    expect(ms).toBeLessThan(2_000);
    expect(order).toHaveLength(size);
    expect(order[0]?.id).toBe(direction === 'forward' ? 'l0' : `l${size - 1}`);
  });
});

describe('wrong references', () => {
  it('are reported together, in the order of the file', () => {
    const text = planOf({ db: [], web: ['dbb'], a: ['b'], b: ['a'], self: ['self'], last: ['nothing'] });
    expect(failuresOf(text).map((f) => `${f.code} ${f.place?.line}`)).toEqual([
      'REF_UNKNOWN 3',
      'REF_CYCLE 5',
      'REF_CYCLE 6',
      'REF_UNKNOWN 7',
    ]);
    expect(failuresOf(text)[0]?.detail).toContain('Did you mean "db"?');
    expect(() => orderLines(readText(text).plan)).toThrow(Failures);
  });

  it('a cycle is shown as a path that ends where it begins', () => {
    const [failure, ...rest] = failuresOf(planOf({ x: ['a'], a: ['b'], b: ['c'], c: ['a'] }));
    expect(rest).toEqual([]);
    expect(failure?.detail).toContain('a → b → c → a');
    expect(failure?.place).toMatchObject({ line: 5 });
  });

  it('a line that refers to itself gets an error that says so', () => {
    expect(failuresOf(planOf({ a: ['a'] }))[0]?.detail).toContain('refers to itself');
  });

  it('a cycle of 10,000 lines is one short message', () => {
    const lines = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`l${i}`, [`l${(i + 1) % 10_000}`]]));
    const failures = failuresOf(planOf(lines));
    expect(failures).toHaveLength(1);
    expect(failures[0]?.detail.length).toBeLessThan(300);
  });

  it('two cycles are two mistakes, and a cycle between depends_on and from is one', () => {
    expect(failuresOf(planOf({ a: ['b'], b: ['a'], c: ['d'], d: ['c'] }))).toHaveLength(2);
    const text = planOf({ a: ['b'] }, '  - { id: b, adapter: n, op: o, depends_on: [a] }');
    expect(failuresOf(text).map((f) => f.code)).toEqual(['REF_CYCLE']);
  });

  it('10,000 unknown lines are found without comparing each with each', () => {
    const lines = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`l${i}`, [`zz${i}`]]));
    expect(failuresOf(planOf(lines))).toHaveLength(10_000);
  });

  it('a line that another environment has is told from one that does not exist', () => {
    const text = planOf({ a: ['p'] }, '  - { id: p, adapter: n, op: o, environments: [production], v: { from: q.x } }');
    const failures = failuresOf(text);
    expect(failures.map((f) => f.code)).toEqual(['REF_FILTERED']);
    expect(failures[0]?.detail).toContain('line 3');
  });
});

it('fromRefs finds every reference with its path', () => {
  const place = { file: 'p', line: 1, column: 1 };
  const ref = new FromRef('a', 'x', place);
  const found = fromRefs({ u: ref, v: [1, { w: ref }], s: new SecretRef('env://X', place), k: new KeepRef(place), n: null });
  expect(found.map(({ path }) => path)).toEqual([['u'], ['v', 1, 'w']]);
  expect(fromRefs(undefined)).toEqual([]);
  expect(fromRefs(ref)).toEqual([{ ref, path: [] }]);
});

it('a line is searched for its references once', () => {
  let looks = 0;
  const params = new Proxy<{ [name: string]: FromRef }>(
    { a: new FromRef('db', 'url', { file: 'p.yaml', line: 1, column: 1 }) },
    {
      ownKeys(target) {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  for (let n = 0; n < 5; n += 1) expect(refsOf({ params })).toHaveLength(1);
  expect(looks).toBe(1);
});
