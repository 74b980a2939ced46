import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import { otherKind, readParent } from './parent.ts';
import type { ParentSpec } from './parent-spec.ts';

const spec: ParentSpec = {
  path: '/flags/7',
  method: 'PUT',
  list_path: '/rules',
  shape: 'array',
  require: { match: { '/setting/type': 'boolean', '/variants': null }, fix: 'Name a boolean flag.' },
};
const of = (raw: unknown, missing = false) => otherKind({ raw, missing }, spec);

describe('a parent of another kind', () => {
  it.each([
    [{ setting: { type: 'string' } }, '/setting/type is "string" and must be "boolean"'],
    [{ setting: {} }, '/setting/type is absent and must be "boolean"'],
    [{ setting: { type: 'boolean' }, variants: ['a', 'b'] }, '/variants is a list of 2 and must be absent'],
  ])('is refused, and the refusal shows the value there: %j', (raw, words) => {
    expect(of(raw)).toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining(words), fix: 'Name a boolean flag.' });
  });

  it('is neither a parent that fits nor a parent that does not exist yet', () => {
    expect(of({ setting: { type: 'boolean' } })).toBeNull();
    expect(of({ setting: { type: 'boolean' }, variants: null, more: 1 })).toBeNull();
    expect(of(null, true)).toBeNull();
  });
});

it('a refused read with the declared words means a missing parent; any other refusal stays a refusal', async () => {
  const said: ParentSpec = { ...spec, missing_match: { '/message': 'no such flag' } };
  const read = (message: string, status: number) =>
    readParent(
      fakeHttp(() => ({ status, body: { message } })),
      said,
      { signal: new AbortController().signal },
    );
  await expect(read('no such flag', 400)).rejects.toMatchObject({
    code: 'PROVIDER_NOT_FOUND',
    detail: expect.stringContaining('is not there'),
  });
  await expect(read('wrong name', 400)).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
  await expect(read('no such flag', 403)).rejects.toMatchObject({ code: 'PROVIDER_AUTH' });
});
