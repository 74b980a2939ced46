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
    [{ setting: { type: 'string' } }, '/setting/type is "string" and has to be "boolean"'],
    [{ setting: {} }, '/setting/type is absent and has to be "boolean"'],
    [{ setting: { type: 'boolean' }, variants: ['a', 'b'] }, '/variants is a list of 2 and has to be absent'],
  ])('is refused, and the refusal says what stands there: %j', (raw, words) => {
    expect(of(raw)).toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining(words), fix: 'Name a boolean flag.' });
  });

  it('is none that fits, and none that is not there yet', () => {
    expect(of({ setting: { type: 'boolean' } })).toBeNull();
    expect(of({ setting: { type: 'boolean' }, variants: null, more: 1 })).toBeNull();
    expect(of(null, true)).toBeNull();
  });
});

it('a refused read that says so is a parent that is not there; any other refusal stays what it is', async () => {
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
