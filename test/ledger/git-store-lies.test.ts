import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiptsBranch, receiptsOf } from '../../src/ledger/model/names.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

const branch = receiptsBranch('preview', 'pr-1');
const advertised = 'application/x-git-upload-pack-advertisement';
const result = 'application/x-git-upload-pack-result';
const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const hello = `${packet('# service=git-upload-pack\n')}0000`;
const version2 = `${hello}${packet('version 2\n')}${packet('ls-refs\n')}${packet('fetch=shallow\n')}0000`;
const capabilities = 'multi_ack_detailed side-band-64k ofs-delta shallow no-done agent=git/2.40';
const oid = '0123456789abcdef0123456789abcdef01234567';
const page = '<!doctype html><title>Sign in</title><form action="/session">';

interface Lie {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A host that answers every request with what is given for its method. */
async function hostOf(get: Lie, post: Lie | undefined) {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { status = 200, headers = {}, body = '' } = request.method === 'GET' ? get : (post ?? get);
    request.resume();
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const dispatcher = new Agent({ allowH2: false });
  const home = await tempFolder('lies');
  const url = `http://ci:word@127.0.0.1:${port}/shop/web.git`;
  const store = openGitStore({ url, cwd: home, env: cleanGitEnv(home), dispatcher, clock: quickClock });
  onTestFinished(async () => {
    await store.close();
    await dispatcher.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return store;
}

const html = { 'content-type': 'text/html' };
const git = { 'content-type': advertised };
const answer = { 'content-type': result };
const cut = (text: string): string => text.slice(0, -12);

const lies: readonly (readonly [string, Lie, Lie?])[] = [
  ['a sign-in page with status 200', { headers: html, body: page }],
  ['a sign-in page that says it is git', { headers: git, body: page }],
  ['a redirect to a sign-in page', { status: 302, headers: { location: 'https://sso.example.org/login' } }],
  ['a redirect to a sign-in page of its own', { status: 302, headers: { location: '/login?next=/shop/web.git' } }],
  ['404 where permission is missing', { status: 404, body: 'Not Found' }],
  ['403', { status: 403, body: 'Forbidden' }],
  ['203', { status: 203, headers: html, body: page }],
  ['204', { status: 204 }],
  ['an empty answer', { headers: git }],
  ['an answer that is cut off', { headers: git, body: cut(version2) }],
  ['bytes that are nothing', { headers: git, body: '\u0000\u0001\u0002 garbage \u00ff' }],
  ['an error of the host', { headers: git, body: `${hello}${packet('ERR repository is being moved\n')}` }],
  ['only the greeting', { headers: git, body: hello }],
  ['refs that are an empty answer', { headers: git, body: version2 }, { headers: answer }],
  ['refs that are a page', { headers: git, body: version2 }, { headers: html, body: page }],
  ['refs that are cut off', { headers: git, body: version2 }, { headers: answer, body: cut(packet(`${oid} refs/heads/${branch}\n`)) }],
  ['refs without an end', { headers: git, body: version2 }, { headers: answer, body: packet(`${oid} refs/heads/main\n`) }],
  ['refs that are an error', { headers: git, body: version2 }, { headers: answer, body: packet('ERR access denied\n') }],
  ['an older host that is cut off', { headers: git, body: `${hello}${packet(`${oid} refs/heads/main\0${capabilities}\n`)}` }],
];

describe('a remote that lies is never taken for one without a ledger', () => {
  it.each(lies.map(([name, get, post]) => ({ name, get, post })))('$name', async ({ get, post }) => {
    const store = await hostOf(get, post);
    for (const look of [
      () => store.read(branch),
      () => store.head(branch),
      () => store.list(receiptsOf('preview')),
      () => store.readAt(branch, oid),
    ]) {
      const seen = await look().then(
        (value) => ({ value }),
        (error: unknown) => error,
      );
      expect(seen).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('/shop/web.git') });
    }
    await expect(store.append(branch, new Map([['a', '1']]), null, 'first')).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    await expect(store.remove(branch, oid)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
  });
});
