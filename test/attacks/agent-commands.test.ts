import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, connect, type Revision, revisions } from '../mcp/connect.ts';
import { thing } from '../specification/lines.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const scope = 'pr-12';
const yes = { action: 'accept', content: { approve: true } } as const;

/** An API on loopback with its objects, and what it was sent. */
async function openApi() {
  const things = new Map<string, object>();
  const asked: string[] = [];
  const serve = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    asked.push(`${request.method} ${request.headers.authorization}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const id = request.url?.split('/')[2]?.split('?')[0];
    const text = Buffer.concat(chunks).toString();
    const say = (status: number, body?: unknown): void => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
    };
    if (id === undefined && request.method === 'GET') return say(200, { items: [...things.values()] });
    if (id === undefined) {
      const made = { id: `t${things.size + 1}`, ...JSON.parse(text) };
      things.set(made.id, made);
      return say(201, made);
    }
    if (request.method === 'DELETE') return say(things.delete(id) ? 204 : 404);
    return things.has(id) ? say(200, things.get(id)) : say(404, {});
  };
  const server = createServer((request, reply) => void serve(request, reply));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { things, asked, host: `127.0.0.1:${address.port}` };
}

interface Options {
  readonly revision?: Revision;
  /** What the person at the client says; left out, the client asks nobody. */
  readonly person?: (
    message: string,
    folder: string,
  ) => { readonly action: 'accept' | 'decline'; readonly content?: Record<string, boolean | string> };
  readonly env?: Record<string, string>;
}

/** A tool server in a folder whose plan has an API that asks a program for its token, and a secret that another one prints. */
async function open(o: Options = {}) {
  const folder = await tempFolder('agent');
  const programs = await openPrograms();
  onTestFinished(() => programs.close());
  await programs.add('token', "out('token-that-was-printed');");
  await programs.add('op', "out('secret-that-was-printed');");
  const api = await openApi();
  const planWith = (host: string, line: object = thing(), command: readonly string[] = ['token', 'of', 'acme']): string => {
    const providers = { http: { acme: { base_url: `http://${host}`, auth: { command } } } };
    return `version: 1\nreceipts: local\nproviders: ${JSON.stringify(providers)}\nchanges:\n  - ${JSON.stringify(line)}\n`;
  };
  const file = join(folder, 'release.plan.yaml');
  await writeFile(file, planWith(api.host));
  const asked: string[] = [];
  const { person } = o;
  const server: Connection = await connect({
    cwd: folder,
    env: { HOME: folder, ...o.env, PATH: `${programs.PATH}${delimiter}${process.env.PATH}` },
    ...(o.revision && { revision: o.revision }),
    ...(person && {
      person: (message: string) => {
        asked.push(message);
        return person(message, folder);
      },
    }),
  });
  onTestFinished(() => server.close());
  return { folder, file, planWith, api, server, asked, starts: async () => (await programs.starts()).map(({ name }) => name) };
}

const refused = { ok: false, error: { code: 'COMMAND_NOT_APPROVED', fix: expect.stringContaining('PILOTFISH_AGENT_COMMANDS=1') } };

describe('a command that a plan names', () => {
  it.for(revisions)('is not started for an agent where nobody can be asked (%s)', async (revision) => {
    const { server, api, starts } = await open({ revision });
    for (const tool of ['plan', 'apply']) {
      const { document } = await server.call(tool, { scope });
      expect(document, tool).toMatchObject(refused);
      expect(document.error?.detail, tool).toContain('`token of acme`');
    }
    expect(await starts()).toEqual([]);
    expect(api.asked).toEqual([]);
  });

  it('nor one that prints a secret, wherever in a line the reference stands', async () => {
    const { server, file, api, planWith, starts } = await open();
    for (const line of [
      thing({ fields: { name: 'one', note: { secret: 'op://vault/item/field' } } }),
      thing({ credential: { secret: 'op://vault/item/field' } }),
    ]) {
      await writeFile(file, planWith(api.host, line));
      expect((await server.call('plan', { scope })).document).toMatchObject(refused);
      expect((await server.call('apply', { scope })).document.error?.detail).toContain('op read');
    }
    expect(await starts()).toEqual([]);
    expect(api.asked).toEqual([]);
  });

  it.for(revisions)('is started when a person says so, for that call alone (%s)', async (revision) => {
    const { server, api, asked, starts } = await open({ revision, person: () => yes, env: ledgerKey });
    expect((await server.call('plan', { scope })).document).toMatchObject({ ok: true, command: 'plan' });
    expect(asked).toEqual([expect.stringContaining('- token of acme')]);
    expect(asked[0]).toContain(`Requests of the run go to ${api.host}.`);
    expect((await server.call('apply', { scope })).document).toMatchObject({ ok: true, status: 'complete' });
    expect((await server.call('destroy', { scope })).document).toMatchObject({ ok: true, status: 'complete' });
    expect(asked).toHaveLength(3);
    expect(await starts()).toEqual(['token', 'token', 'token']);
    expect(api.things.size).toBe(0);
  });

  it.for(revisions)('is not started when the person says no (%s)', async (revision) => {
    const { server, api, starts } = await open({ revision, person: () => ({ action: 'decline' }) });
    for (const tool of ['plan', 'apply']) expect((await server.call(tool, { scope })).document).toMatchObject(refused);
    expect(await starts()).toEqual([]);
    expect(api.asked).toEqual([]);
  });

  it.each(['another host', 'another command', 'another request'])(
    'is not started where the plan has %s by the time of the answer',
    async (what) => {
      const thief = await openApi();
      let turn = 0;
      const { server, file, planWith, api, asked, starts } = await open({
        person: () => {
          turn += 1;
          if (turn > 1) return { action: 'decline' };
          if (what === 'another host') writeFileSync(file, planWith(thief.host));
          if (what === 'another command') writeFileSync(file, planWith(api.host, thing(), ['token', 'of', 'everybody']));
          if (what === 'another request')
            writeFileSync(file, planWith(api.host, thing({ find: { path: '/things/x', list_path: '/items', match: { name: 'one' } } })));
          return yes;
        },
      });
      for (const tool of ['plan', 'apply'] as const) {
        turn = 0;
        await writeFile(file, planWith(api.host));
        expect((await server.call(tool, { scope })).document, tool).toMatchObject(refused);
      }
      expect(asked).toHaveLength(4);
      if (what === 'another host') expect(asked[1]).toContain(thief.host);
      expect(await starts()).toEqual([]);
      expect([...thief.asked, ...api.asked]).toEqual([]);
    },
  );

  it('is not started by an apply that goes on from the approval of a plan', async () => {
    const { server } = await open({ revision: '2026-07-28', person: () => ({ action: 'decline' }) });
    const call = async (name: string, more: object): Promise<unknown> =>
      await server.client.request({ method: 'tools/call', params: { name, arguments: { scope }, ...more } }, { allowInputRequired: true });
    const answered = { inputResponses: { commands: yes } };
    const { requestState } = (await call('plan', {})) as { requestState: string };
    expect(await call('apply', { requestState, ...answered })).toHaveProperty('inputRequests');
    expect(await call('plan', { requestState, ...answered })).toHaveProperty('inputRequests');
    expect(await call('plan', answered)).toHaveProperty('inputRequests');
  });

  it('that stands in the ledger alone is asked about before a destroy', async () => {
    let says: 'accept' | 'decline' = 'accept';
    const { server, file, asked, starts } = await open({ person: () => (says === 'accept' ? yes : { action: 'decline' }) });
    expect((await server.call('apply', { scope })).document).toMatchObject({ status: 'complete' });
    await writeFile(file, 'version: 1\nreceipts: local\nchanges: []\n');
    says = 'decline';
    const before = (await starts()).length;
    for (const [tool, params] of [
      ['destroy', {}],
      ['plan', { destroy: true }],
    ] as const) {
      expect((await server.call(tool, { scope, ...params })).document).toMatchObject(refused);
    }
    expect(asked.at(-1)).toContain('- token of acme');
    expect(await starts()).toHaveLength(before);
  });

  it.for(revisions)('of production is asked about before production is (%s)', async (revision) => {
    const { server, api, asked } = await open({
      revision,
      person: (message) =>
        message.includes('writes production') ? { action: 'accept', content: { name: 'Sam Lee', approve: true } } : yes,
    });
    expect((await server.call('apply', { environment: 'production' })).document).toMatchObject({ ok: true, status: 'complete' });
    expect(asked).toEqual([expect.stringContaining('- token of acme'), expect.stringContaining('writes production')]);
    expect(api.things.size).toBe(1);
  });

  it('is started without a question where the person who started the server said so', async () => {
    const { server, starts } = await open({ env: { PILOTFISH_AGENT_COMMANDS: '1' } });
    expect((await server.call('plan', { scope })).document).toMatchObject({ ok: true });
    expect(await starts()).toEqual(['token']);
  });

  it('is no matter for a tool that runs no plan', async () => {
    const { server, starts } = await open();
    for (const [name, params] of [
      ['receipt', { scope }],
      ['receipt', {}],
      ['list', {}],
      ['explain', {}],
      ['catalogue', {}],
    ] as const)
      await server.call(name, params);
    const { tools: listed } = await server.client.listTools();
    expect(listed.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'plan',
      'list',
      'receipt',
      'explain',
      'catalogue',
    ]);
    expect(await starts()).toEqual([]);
  });
});
