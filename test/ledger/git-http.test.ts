import { createServer, type RequestListener, type Server } from 'node:http';
import { Agent } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { GitHttpStatus, gitHttp } from '../../src/ledger/stores/git/git-http.ts';
import { RemoteTrouble } from '../../src/ledger/stores/patience.ts';

const dispatcher = new Agent({ allowH2: false });
let server: Server;

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const refs = '/info/refs?service=git-upload-pack';

it('stays at the new address of a renamed repository', async () => {
  const seen: string[] = [];
  const origin = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.url?.startsWith('/old')) response.writeHead(301, { location: `/new.git${refs}` }).end();
    else response.end('ok');
  });
  const http = gitHttp(`${origin}/old.git`, dispatcher);
  await http.request({ url: `${origin}/old.git${refs}`, method: 'GET' });
  await http.request({ url: `${origin}/old.git/git-upload-pack`, method: 'POST' });
  expect(seen).toEqual([`GET /old.git${refs}`, `GET /new.git${refs}`, 'POST /new.git/git-upload-pack']);
});

it('follows no redirect to another host, with the credential', async () => {
  const origin = await serve((_, response) => response.writeHead(302, { location: `http://localhost:1/web.git${refs}` }).end());
  const http = gitHttp(`${origin}/web.git`, dispatcher);
  const thrown = await http
    .request({ url: `${origin}/web.git${refs}`, headers: { authorization: 'Basic x' } })
    .catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(GitHttpStatus);
  expect(thrown).toMatchObject({ status: 302, words: expect.stringContaining('localhost:1') });
});

it('tells what may pass from what will not, and whether a push was sent', async () => {
  const origin = await serve((request, response) => {
    const status = Number(request.url?.split('/')[1]);
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, { 'retry-after': '3' }).end('words');
  });
  const trouble = async (status: number, service: string): Promise<unknown> => {
    const base = `${origin}/${status}`;
    const method = service.startsWith('/info') ? 'GET' : 'POST';
    return gitHttp(base, dispatcher)
      .request({ url: base + service, method })
      .catch((error: unknown) => error);
  };
  for (const status of [0, 500, 502, 503]) {
    expect(await trouble(status, refs)).toMatchObject({ name: 'RemoteTrouble', wasSent: false });
    expect(await trouble(status, '/git-receive-pack')).toMatchObject({ name: 'RemoteTrouble', wasSent: true });
  }
  expect(await trouble(429, '/git-receive-pack')).toMatchObject({ wasSent: false, retryAfterMs: 3_000 });
  expect(await trouble(203, refs)).toMatchObject({ name: 'GitHttpStatus', status: 401 });
  expect(await trouble(404, refs)).toMatchObject({ name: 'GitHttpStatus', status: 404 });
});

it('knows that nothing was sent when there was no connection', async () => {
  const origin = await serve((_, response) => response.end());
  await new Promise((resolve) => server.close(resolve));
  server = createServer().listen(0, '127.0.0.1');
  const thrown = await gitHttp(origin, dispatcher)
    .request({ url: `${origin}/git-receive-pack`, method: 'POST' })
    .catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(RemoteTrouble);
  expect(thrown).toMatchObject({ wasSent: false, message: expect.stringContaining('ECONNREFUSED') });
});
