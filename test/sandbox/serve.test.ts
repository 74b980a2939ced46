import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { accounts } from 'pilotfish-sandbox/accounts/index';
import { ownAddresses } from 'pilotfish-sandbox/serve/environment';
import { Problem } from 'pilotfish-sandbox/serve/problem';
import { type Sandbox, startSandbox } from 'pilotfish-sandbox/serve/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function open(state: string, version = '1.0.0'): Promise<Sandbox> {
  const sandbox = await startSandbox({ state, port: null, version });
  let isOpen = true;
  const { stop } = sandbox;
  const once = async (): Promise<void> => {
    if (isOpen) await stop();
    isOpen = false;
  };
  onTestFinished(once);
  return { ...sandbox, stop: once };
}

const neonOf = (sandbox: Sandbox) => {
  const { NEON_API_URL = '', NEON_API_KEY = '' } = sandbox.variables.get('neon') ?? {};
  const headers = { authorization: `Bearer ${NEON_API_KEY}`, 'content-type': 'application/json' };
  return {
    names: async (project = 'quiet-river-12345678'): Promise<readonly string[]> => {
      const answer = await fetch(`${NEON_API_URL}/projects/${project}/branches`, { headers });
      const { branches } = (await answer.json()) as { readonly branches: readonly { readonly name: string }[] };
      return branches.map(({ name }) => name).toSorted();
    },
    create: async (name: string): Promise<string> => {
      const body = JSON.stringify({ branch: { name } });
      const answer = await fetch(`${NEON_API_URL}/projects/quiet-river-12345678/branches`, { method: 'POST', headers, body });
      expect(answer.status).toBe(201);
      const { branch } = (await answer.json()) as { readonly branch: { readonly id: string } };
      return branch.id;
    },
  };
};

it('every adapter and every family has an account, and every variable of an own address is known', async () => {
  const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
  expect([...new Set(subjects.map(({ name }) => name))].filter((name) => !Object.hasOwn(accounts, name))).toEqual([]);
  const own = subjects.flatMap(({ name, adapter }): (readonly [string, string])[] =>
    adapter.provider?.base_url_env === undefined ? [] : [[name, adapter.provider.base_url_env]],
  );
  expect(Object.fromEntries(own)).toEqual(ownAddresses);
});

describe('a sandbox that starts again', () => {
  it('has the same address, the same objects, and gives no id twice', async () => {
    const state = await tempFolder('sandbox');
    const first = await open(state);
    const id = await neonOf(first).create('pr-1');
    await first.stop();
    const second = await open(state);
    expect(second.url).toBe(first.url);
    expect(await neonOf(second).names()).toEqual(['main', 'pr-1']);
    expect(await neonOf(second).create('pr-2')).not.toBe(id);
    expect(second.remote('acme/shop')).toBe(first.remote('acme/shop'));
  });

  it('finds each provider in the state in which a kill left it', async () => {
    const state = await tempFolder('sandbox');
    const first = await open(state);
    await neonOf(first).create('pr-1');
    // Nothing is stopped and nothing is flushed: the answer came, so the file is there.
    const kept = await tempFolder('sandbox-killed');
    for (const name of ['sandbox.json', 'providers/neon.json']) {
      await writeFile(join(kept, name === 'sandbox.json' ? name : 'neon.json'), await readFile(join(state, name)));
    }
    expect(await readFile(join(kept, 'neon.json'), 'utf8')).toContain('"pr-1"');
  });

  it('refuses the state of another version, a damaged one, and a folder in which one runs', async () => {
    const state = await tempFolder('sandbox');
    const first = await open(state);
    const inUse: unknown = await startSandbox({ state, port: null, version: '1.0.0' }).catch((error: unknown) => error);
    expect(inUse).toBeInstanceOf(Problem);
    expect(inUse).toMatchObject({ message: `A sandbox runs in ${state}, as process ${process.pid}.` });
    await neonOf(first).create('pr-1');
    await first.stop();
    const other: unknown = await startSandbox({ state, port: null, version: '2.0.0' }).catch((error: unknown) => error);
    expect(other).toMatchObject({
      message: `${state} holds the state of pilotfish-sandbox 1.0.0, and this is 2.0.0. Its simulations may keep other things.`,
      fix: expect.stringContaining('--state'),
    });
    await writeFile(join(state, 'providers/neon.json'), '[{"counts":1');
    const damaged: unknown = await startSandbox({ state, port: null, version: '1.0.0' }).catch((error: unknown) => error);
    expect(damaged).toMatchObject({
      message: expect.stringContaining('neon.json is damaged'),
      fix: expect.stringContaining('Remove the file'),
    });
    await rm(join(state, 'providers/neon.json'));
    expect(await neonOf(await open(state)).names()).toEqual(['main']);
  });

  it('says what is wrong with a folder or a port, and leaves nothing behind', async () => {
    const place = await tempFolder('sandbox');
    const file = join(place, 'file');
    await writeFile(file, 'kept');
    const refused = async (state: string, port: number | null = null): Promise<unknown> => {
      const error: unknown = await startSandbox({ state, port, version: '1.0.0' }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Problem);
      return error;
    };
    const link = join(place, 'link');
    await symlink(place, link);
    for (const [state, why] of [
      [file, /^The sandbox cannot write into .+: EEXIST/],
      [join(file, 'below'), /^The sandbox cannot write into .+: ENOTDIR/],
      [link, /^.+ is a link\.$/],
    ] as const) {
      expect(await refused(state)).toMatchObject({ message: expect.stringMatching(why), fix: expect.stringContaining('--state') });
    }
    expect(await readFile(file, 'utf8')).toBe('kept');
    const first = await open(join(place, 'first'));
    const port = Number(new URL(first.url).port);
    const second = join(place, 'second');
    expect(await refused(second, port)).toMatchObject({
      message: `Port ${port} of this machine is taken.`,
      fix: expect.stringContaining('--port'),
    });
    expect(await readdir(second)).not.toContain('lock');
  });

  it('runs no hook and keeps no configuration that somebody put into the folder', async () => {
    const state = await tempFolder('sandbox');
    await (await open(state)).stop();
    await writeFile(join(state, 'remote.git/config'), '[core]\n\tfsmonitor = touch /tmp/run\n');
    await open(state);
    expect(await readFile(join(state, 'remote.git/config'), 'utf8')).not.toContain('fsmonitor');
    expect(await readdir(join(state, 'remote.git'))).not.toContain('hooks');
  });
});

describe('the orders of the page', () => {
  it('are taken from the page of this sandbox alone', async () => {
    const sandbox = await open(await tempFolder('sandbox'));
    const token = /name="sandbox-token" content="([^"]+)"/.exec(await (await fetch(sandbox.url)).text())?.[1] ?? '';
    const order = JSON.stringify({ do: 'fault', place: '*', fault: 'lose', on: true });
    const good = { 'content-type': 'application/json', 'x-sandbox-token': token };
    const statusOf = async (path: string, headers: Readonly<Record<string, string>>, body = order): Promise<number> =>
      await new Promise((resolve, reject) => {
        const asked = send(`${sandbox.url}${path}`, { method: 'POST', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        asked.on('error', reject);
        asked.end(body);
      });
    const { port } = new URL(sandbox.url);
    expect(await statusOf('/~/control', { ...good, host: `evil.example:${port}` })).toBe(403);
    expect(await statusOf('/~/control', { ...good, origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf('/~/control', { ...good, origin: 'null' })).toBe(403);
    expect(await statusOf('/~/control', { ...good, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await statusOf('/~/control', { ...good, 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await statusOf('/~/control', { 'content-type': 'application/json' })).toBe(403);
    expect(await statusOf('/~/control', { ...good, 'x-sandbox-token': token.replace(/.$/, '') })).toBe(403);
    expect(await statusOf('/~/control', { ...good, 'content-type': 'text/plain' })).toBe(415);
    for (const body of [
      '{',
      '[]',
      '{"do":"fault","place":"*","fault":"constructor","on":true}',
      '{"do":"remove","provider":"neon","path":[]}',
    ]) {
      expect(await statusOf('/~/control', good, body)).toBe(400);
    }
    expect(await statusOf('/~/control', good, order.replace('*', 'nobody'))).toBe(404);
    expect(await statusOf('/~/control', good, '{"do":"change","provider":"neon","path":["projects"],"field":"__proto__","value":1}')).toBe(
      404,
    );
    // Whatever was refused left no trace.
    expect(await neonOf(sandbox).create('before')).toMatch(/^br-/);
    expect(await statusOf('/~/control', good)).toBe(200);
    await expect(neonOf(sandbox).create('lost')).rejects.toThrow('fetch failed');
    expect(await neonOf(sandbox).names()).toEqual(['before', 'lost', 'main']);
  });

  it('answers no request with another Host, whatever it asks for', async () => {
    const sandbox = await open(await tempFolder('sandbox'));
    for (const path of ['/', '/~/events', '/neon/api/v2/projects', '/acme/shop.git/info/refs?service=git-upload-pack']) {
      const status = await new Promise((resolve) => {
        send(`${sandbox.url}${path}`, { headers: { host: 'rebound.example' } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).end();
      });
      expect(status, path).toBe(403);
    }
  });
});

it('a project that nobody made is there when a request names it', async () => {
  const sandbox = await open(await tempFolder('sandbox'));
  expect(await neonOf(sandbox).names('wild-forest-00000001')).toEqual(['main']);
});

it('a preview that a plan asks by its own address answers here', async () => {
  const sandbox = await open(await tempFolder('sandbox'));
  const { url = '' } = sandbox.providers.find(({ name }) => name === 'inngest')?.values ?? {};
  expect(url).toBe(`${sandbox.url}/inngest`);
  expect((await fetch(`${url}/api/inngest`, { method: 'PUT' })).status).toBe(200);
});
