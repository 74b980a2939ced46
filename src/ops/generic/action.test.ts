import { describe, expect, it } from 'vitest';
import { block, fakeHttp } from '../../../test/support/fake-http.ts';
import { Sealed } from '../../core/sealed.ts';
import { Pending, PendingValue } from '../../remote/value.ts';
import type { ActionBound, Params } from '../bound.ts';
import type { BindContext } from '../op.ts';
import { action } from './action.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const sync = { trigger: { revision: '4f2a' }, request: { method: 'PUT', url: 'https://pr-12.example.com/api/sync' } } satisfies Params;

function bind(params: Params, api: string | null = null): ActionBound {
  const bound = action.bind(params, { ...context, api });
  if (bound.kind !== 'action') throw new Error('not an action');
  return bound;
}

const refused = (detail: string) => expect.objectContaining({ code: 'PARAM_INVALID', detail: expect.stringContaining(detail) });
const send = async (bound: ActionBound, body: unknown = {}) => {
  const http = fakeHttp(() => ({ body }));
  const notes: string[] = [];
  const answer = await bound.send({ http, signal: new AbortController().signal, note: (text) => notes.push(text) });
  return { http, notes, ...answer };
};

it('is sent bare when its api has neither an address nor a credential, and only then', async () => {
  const own = { api: 'jobs', base_url: '', auth: null };
  const bindTo = (more: Partial<BindContext['block']>) => action.bind(sync, { ...context, api: 'jobs', block: { ...own, ...more } });
  const bound = bindTo({});
  if (bound.kind !== 'action') throw new Error('not an action');
  expect((await send(bound)).http.sent[0]?.options.bare).toBe(true);
  for (const more of [{ auth: { bearer_env: 'TOKEN' } }, { base_url: 'https://jobs.example' }, { headers: { 'X-Team': 'a' } }])
    expect(() => bindTo(more)).toThrow(refused('belongs to another host'));
});

it('is sent bare when the line names no api', async () => {
  const { http } = await send(bind({ ...sync, request: { ...sync.request, headers: { Bypass: new Sealed('b', 'env://B') } } }));
  expect(http.sent[0]).toMatchObject({
    request: { method: 'PUT', path: 'https://pr-12.example.com/api/sync' },
    options: { purpose: 'write', bare: true },
  });
});

it('carries the credential of its api, and only to the host of that api', async () => {
  const { http } = await send(
    bind({ ...sync, request: { path: '/deploy', body: { env: 'pr-12', key: new Sealed('k', 'env://K') } } }, 'acme'),
  );
  expect(http.sent[0]?.options).not.toHaveProperty('bare');
  expect(http.sent[0]?.request).toMatchObject({ method: 'POST', path: '/deploy', body: { env: 'pr-12' } });
  expect(bind({ ...sync, request: { url: 'https://api.acme.test/x' } }, 'acme').key).toBe('POST https://api.acme.test/x');
  expect(() => bind(sync, 'acme')).toThrow(refused('another host'));
});

it('differs from others with the same request by the triggers that the line names', () => {
  const deploy = (environment: string) =>
    bind({ trigger: { environment, revision: '1' }, identity: ['environment'], request: { path: '/deploy' } }, 'acme');
  expect(deploy('a').key).toBe('POST /deploy[environment=a]');
  expect(deploy('a').key).not.toBe(deploy('b').key);
});

it('is sent again when a trigger changes: those are its fields', () => {
  expect(bind(sync).fields).toEqual({ revision: '4f2a' });
  expect(bind(sync).reach).toEqual({ kind: 'none' });
});

describe('outputs', () => {
  const outputs = { modified: '/modified', token: { path: '/token', sensitive: true }, lost: '/nowhere' };

  it('come from the answer; a missing output leads to a note', async () => {
    const answer = await send(bind({ ...sync, outputs }), { modified: true, token: 't0ken' });
    expect(answer.outputs).toEqual({ modified: true, token: expect.any(Sealed) });
    expect(answer.notes).toEqual(['The answer has nothing at /nowhere, so the output lost is empty.']);
  });

  it('are declared before the first request', () => {
    expect(Object.keys(action.outputsFor?.({ ...sync, outputs }) ?? {})).toEqual(['modified', 'token', 'lost']);
    expect(action.outputsFor?.(sync)).toEqual({});
  });
});

it.each([
  [{ trigger: {} }, 'trigger is empty'],
  [{ request: { method: 'PUT' } }, 'either url or path'],
  [{ request: { url: 'https://a.test', path: '/x' } }, 'either url or path'],
  [{ request: { path: '/x' } }, 'names no api'],
  [{ request: { url: '/x' } }, 'absolute'],
  [{ request: { url: 'https://user:pw@a.test/x' } }, 'without user name'],
  [{ request: { url: 'file:///etc/passwd' } }, 'absolute'],
  [{ identity: ['x'] }, 'not one of the triggers'],
])('%j is refused', (change, words) => {
  expect(() => bind({ ...sync, ...change } as Params)).toThrow(refused(words));
});

it('waits for a URL that does not exist yet, and takes no secret one', () => {
  expect(() => bind({ ...sync, request: { url: new Pending('deploy', 'url') } })).toThrow(PendingValue);
  expect(() => bind({ ...sync, request: { url: new Sealed('https://s.test', 'env://S') } })).toThrow(refused('env://S'));
});
