import { expect, it } from 'vitest';
import { Sealed } from '../core/sealed.ts';
import type { Collection } from './collection.ts';
import { comparableEntry } from './hidden.ts';
import { unreadable } from './live-object.ts';
import { applyEntries, hasEntry } from './parent.ts';
import type { ParentSpec } from './parent-spec.ts';

const spec: ParentSpec = {
  path: '/project',
  method: 'PATCH',
  list_path: '/preview/vars',
  shape: 'map',
  echo: ['/preview/hash', '/name'],
  hidden: { match: { '/type': 'secret' }, at: '/value' },
};
const secret = { type: 'secret', value: new Sealed('hunter2-hunter2', 'env://DB') };
const plain = { type: 'plain', value: 'a' };

function holding(vars: { readonly [name: string]: { readonly type: string; readonly value?: string } }, preview = {}): Collection {
  const entries = Object.entries(vars).map(([name, value]) => ({ name, value }));
  return { raw: { name: null, preview: { vars, ...preview } }, entries, missing: false };
}

it('a hidden value stands when its entry does, whatever the provider shows of it', () => {
  for (const shown of [{}, { value: '' }, { value: '******' }, { value: 'hunter2-hunter2' }]) {
    const live = holding({ A: { type: 'secret', ...shown } });
    expect(hasEntry(live, spec, 'A', secret)).toBe(true);
    expect(hasEntry(live, spec, 'B', secret)).toBe(false);
    expect(comparableEntry(spec, live.entries[0]?.value ?? null, secret)).toBe(unreadable);
    // Nobody knows its value, so it is written all the same.
    expect(applyEntries(live, spec, [{ item: 'A', entry: secret }])).toMatchObject({
      changed: true,
      body: { preview: { vars: { A: secret } } },
    });
  }
});

it('a plain entry that should be hidden differs, and so does a hidden entry that should be plain', () => {
  const live = holding({ A: plain, B: { type: 'secret', value: '******' } });
  expect(hasEntry(live, spec, 'A', secret)).toBe(false);
  expect(comparableEntry(spec, plain, secret)).toEqual(plain);
  expect(hasEntry(live, spec, 'B', plain)).toBe(false);
  expect(comparableEntry(spec, { type: 'secret', value: '******' }, plain)).toEqual({ type: 'secret' });
});

it('plain entries are compared even beside hidden ones', () => {
  const live = holding({ A: plain });
  expect(comparableEntry(spec, plain, plain)).toEqual(plain);
  expect(applyEntries(live, spec, [{ item: 'A', entry: plain }]).changed).toBe(false);
  expect(hasEntry(live, spec, 'A', { ...plain, value: 'b' })).toBe(false);
});

it('a write takes along the values that the parent showed at the named places, and nothing where the parent showed nothing', () => {
  const body = (preview: object) => applyEntries(holding({ B: plain }, preview), spec, [{ item: 'B', entry: null }]).body;
  expect(body({ hash: 'abc' })).toEqual({ preview: { vars: { B: null }, hash: 'abc' } });
  expect(body({})).toEqual({ preview: { vars: { B: null } } });
});
