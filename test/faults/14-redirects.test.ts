import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openStage } from '../support/stage.ts';

const env = { ACME_TOKEN: 'acme-token-0123456789' };

interface Thing {
  readonly id: string;
  readonly name: string;
}

/** A provider whose project has another name now: what asks for the old one is sent on, as `sendsOn` says. */
async function open(sendsOn: (request: IncomingMessage, path: string) => { readonly status: number; readonly location?: string } | null) {
  const things: Thing[] = [];
  const requests: { readonly method: string; readonly url: string; readonly authorization: string | undefined; readonly body: string }[] =
    [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Buffer));
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '' } = request;
    requests.push({ method, url, authorization: request.headers.authorization, body });
    const reply = (status: number, answer?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(answer === undefined ? undefined : JSON.stringify(answer));
    };
    const moved = sendsOn(request, url);
    if (moved) {
      response.writeHead(moved.status, moved.location === undefined ? {} : { location: moved.location });
      response.end();
      return;
    }
    if (!url.startsWith('/v1/projects/new/things')) return reply(404, { error: 'no such project' });
    const id = url.split('/')[5];
    if (method === 'GET') return reply(200, things);
    if (method === 'POST') {
      const made = { id: `t${things.length + 1}`, ...(JSON.parse(body) as { name: string }) };
      things.push(made);
      return reply(201, made);
    }
    const at = things.findIndex((thing) => thing.id === id);
    if (at < 0) return reply(404, {});
    things.splice(at, 1);
    return reply(204);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const plan = (project: string) =>
    JSON.stringify({
      version: 1,
      providers: { http: { acme: { base_url: `${origin}/v1`, auth: { bearer_env: 'ACME_TOKEN' } } } },
      changes: [
        {
          id: 'thing',
          adapter: 'http',
          op: 'resource',
          api: 'acme',
          find: { path: `/projects/${project}/things`, list_path: '', match: { '/name': 'pr-12' } },
          create: { path: `/projects/${project}/things` },
          delete: { path: `/projects/${project}/things/{id}` },
          fields: { name: 'pr-12' },
        },
      ],
    });
  const stage = await openStage({ simulations: [], env, plan: plan('old') });
  const { Agent } = await import('undici');
  const dispatcher = new Agent();
  onTestFinished(async () => {
    await dispatcher.close();
    await stage.close();
    server.close();
  });
  const { runApply } = await import('../../src/engine/run.ts');
  const run = (change: Parameters<typeof stage.request>[0] = {}) => {
    const request = stage.request(change);
    return runApply(request, { dispatcher, store: stage.store(), repository: null });
  };
  return { things, requests, origin, stage, run };
}

const isOld = (path: string): boolean => path.startsWith('/v1/projects/old/');
const renamed = (path: string): string => path.replace('/projects/old/', '/projects/new/');

test.each([
  [301, 307],
  [302, 308],
  [307, 307],
  [308, 308],
])('a project that was renamed (%i to reads, %i to writes) is applied and destroyed at its new address', async (read, write) => {
  const { things, requests, stage, run } = await open(({ method }, path) =>
    isOld(path) ? { status: method === 'GET' ? read : write, location: renamed(path) } : null,
  );
  expect(await run()).toMatchObject({ ok: true, stats: { writes: 1 } });
  expect(things).toEqual([{ id: 't1', name: 'pr-12' }]);
  const [record] = (await stage.ledger()).records.values();
  expect(record).toMatchObject({ recordId: 'DELETE /projects/old/things/t1', objectId: 't1' });
  expect(await run({ destroy: true })).toMatchObject({ ok: true });
  expect(things).toEqual([]);
  expect((await stage.ledger()).records.size).toBe(0);
  const posts = requests.filter(({ method }) => method === 'POST');
  expect(posts.map(({ url }) => url)).toEqual(['/v1/projects/old/things', '/v1/projects/new/things']);
  expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
  expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${env.ACME_TOKEN}`]));
});

test.each([301, 302, 303])('a %i to a write is told with the address, and nothing is sent there', async (status) => {
  const { things, requests, run } = await open(({ method }, path) =>
    isOld(path) ? { status: method === 'GET' ? 301 : status, location: renamed(path) } : null,
  );
  expect(await run()).toMatchObject({
    ok: false,
    error: {
      code: 'PROVIDER_RESPONSE',
      detail: expect.stringContaining('/v1/projects/new/things'),
      fix: 'Give /v1/projects/new/things in the plan in place of /v1/projects/old/things, if the API has moved there.',
    },
  });
  expect(things).toEqual([]);
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a redirect to another port, host or scheme carries the credential nowhere', async () => {
  for (const target of [
    'http://127.0.0.1:9/x',
    'http://localhost:1/x',
    'https://127.0.0.1/x',
    'http://user:pass@127.0.0.1/x',
    '//elsewhere.test/x',
  ]) {
    const { requests, run } = await open(() => ({ status: 307, location: target }));
    expect(await run(), target).toMatchObject({
      ok: false,
      error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('pilotfish does not follow it') },
    });
    expect(requests, target).toHaveLength(1);
  }
});

test('a page for people beside the API is no answer of it', async () => {
  const { requests, run } = await open(() => ({ status: 302, location: '/login?next=things' }));
  expect(await run()).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('to /login. ') } });
  expect(requests).toHaveLength(1);
});

test('redirects that lead in a circle, on and on, or nowhere are told after a few', async () => {
  const circle = await open((_, path) => ({ status: 301, location: path.endsWith('a') ? '/v1/b' : '/v1/a' }));
  expect(await circle.run()).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE' } });
  expect(circle.requests).toHaveLength(3);
  let n = 0;
  const endless = await open(() => {
    n += 1;
    return { status: 308, location: `/v1/${n}` };
  });
  expect(await endless.run()).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE' } });
  expect(endless.requests).toHaveLength(4);
  const nowhere = await open(() => ({ status: 301 }));
  expect(await nowhere.run()).toMatchObject({ ok: false, error: { detail: expect.stringContaining('names no address') } });
});

test('a write is followed once, and a redirect of its new address is told', async () => {
  const { things, requests, run } = await open(({ method }, path) => {
    if (method === 'GET') return isOld(path) ? { status: 301, location: renamed(path) } : null;
    return { status: 307, location: `${renamed(path)}/more` };
  });
  expect(await run()).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE' } });
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  expect(things).toEqual([]);
});
