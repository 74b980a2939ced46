import { describe, expect, it } from 'vitest';
import { block, fakeHttp } from '../../../test/support/fake-http.ts';
import { problemsOf } from '../../../test/support/problems-of.ts';
import type { Live } from '../../remote/live-object.ts';
import type { Io, ObjectBound, Params } from '../bound.ts';
import type { BindContext } from '../op.ts';
import { resource } from './resource.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const line = (ready: Params): Params => ({
  read: { path: '/databases/{id}' },
  chosen_id: 'shop',
  item_path: '/data',
  create: { path: '/databases' },
  delete: { path: '/databases/{id}' },
  fields: { name: 'shop' },
  ready,
});
function bind(ready: Params): ObjectBound {
  const bound = resource.bind(line(ready), context);
  if (bound.kind !== 'object') throw new Error('not an object');
  return bound;
}
const io = (http: Io['http']): Io => ({ http, signal: new AbortController().signal, note: () => {} });
const made: Live = { id: 'shop', values: {}, outputs: {} };
const showing = (data: unknown) => fakeHttp(() => (data === null ? { status: 404 } : { body: { data } }));
const status = { path: '/status', values: ['ready', 'idle'], failed: ['failure'] };

describe('an object that is ready later', () => {
  it.each([
    ['ready', 'ready'],
    ['idle', 'ready'],
    ['provisioning', 'wait'],
    ['failure', 'failed'],
  ])('%s is %s', async (state, what) => {
    const http = showing({ id: 'shop', name: 'shop', status: state });
    expect(await bind(status).ready?.(io(http), made)).toMatchObject({ state: what });
    // A shared read would show the state of the first look for ever.
    expect(http.sent).toMatchObject([{ options: { share: false } }]);
  });

  it('is shown as it is when it is ready, and shows its state until then', async () => {
    const live = { values: { name: 'shop' } };
    expect(await bind(status).ready?.(io(showing({ id: 'shop', name: 'shop', status: 'ready' })), made)).toMatchObject({ live });
    expect(await bind(status).ready?.(io(showing({ id: 'shop' })), made)).toMatchObject({ detail: '/databases/shop has null at /status.' });
    expect(await bind(status).ready?.(io(showing(null)), made)).toMatchObject({ state: 'wait', detail: expect.stringContaining('yet') });
  });

  it('is not ready while the value is not shown, and is ready by a word in any case of letters', async () => {
    const waiting = { state: 'wait' };
    for (const value of [false, null, '']) {
      for (const shown of [{}, { building: 'yes' }])
        expect(await bind({ path: '/building', value }).ready?.(io(showing({ id: 'shop', ...shown })), made)).toMatchObject(waiting);
    }
    expect(await bind({ path: '/building', value: false }).ready?.(io(showing({ building: false })), made)).toMatchObject({
      state: 'ready',
    });
    expect(await bind(status).ready?.(io(showing({ status: 'READY' })), made)).toMatchObject({ state: 'ready' });
    expect(await bind(status).ready?.(io(showing({ status: ['ready'] })), made)).toMatchObject(waiting);
  });

  it('may be ready by any kind of value, and the wait may have a time limit of its own', () => {
    expect(bind({ path: '/verified', value: true, seconds: 60 }).timeout).toBe(60);
    expect(bind(status).timeout).toBeUndefined();
    expect(() => bind({ ...status, seconds: 'soon' })).toThrow('ready.seconds');
  });

  it.each([
    ['no value', { path: '/status' }, 'ready needs either value or values'],
    ['both', { path: '/status', value: 'a', values: ['b'] }, 'ready needs either value or values'],
    [
      'one value for both',
      { path: '/status', value: 'a', failed: ['a'] },
      'ready.failed names "a", which also means that the object is ready.',
    ],
    ['no place', { value: 'a' }, 'ready.path is missing.'],
    ['a slip', { path: '/status', value: 'a', fail: ['b'] }, 'Did you mean "failed"?'],
  ])('is refused with %s', (_, ready, sentence) => {
    expect(problemsOf(resource, line(ready))).toEqual(expect.arrayContaining([expect.stringContaining(sentence)]));
  });
});
