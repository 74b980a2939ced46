import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';

const branch = receiptsBranch('preview', 'pr-1');
let root: string;
let remote: GitRemoteServer;
let dispatcher: Agent;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-known-'));
  remote = await startGitRemote({ user: 'ci', password: 'w0rd-of-the-remote' });
  dispatcher = new Agent({ allowH2: false });
});
afterEach(async () => {
  await dispatcher.destroy();
  await remote.stop();
  await rm(root, { recursive: true, force: true });
});

/** One run on the machine of that name. */
async function run<T>(machine: string, work: (store: Store) => Promise<T>): Promise<T> {
  const cacheDir = path.join(root, machine);
  const store = openGitStore({ url: remote.urlWithAuth, cwd: root, env: cleanGitEnv(root), dispatcher, clock: quickClock, cacheDir });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const files = (count: number, text: string): ReadonlyMap<string, string> =>
  new Map(Array.from({ length: count }, (_, i) => [`records/${(i % 16).toString(16)}/${i}.json`, `${text} ${i} ü🐟`] as const));
const read = (machine: string) => run(machine, async (store) => (await store.read(branch))?.files);
const copies = async (machine: string): Promise<readonly string[]> => {
  const found = await readdir(path.join(root, machine), { recursive: true });
  return found.filter((name) => name.endsWith('.json')).map((name) => path.join(root, machine, name));
};

it('what this machine wrote last is not fetched again, and a change is built on it', async () => {
  const head = await run('here', (store) => store.append(branch, files(40, 'first'), null, 'first'));
  const { wants } = remote.count;
  const next = await run('here', async (store) => {
    expect(await store.read(branch)).toMatchObject({ head, files: new Map([...files(40, 'first')].sort(([a], [b]) => (a < b ? -1 : 1))) });
    return store.append(branch, new Map([['records/1/1.json', 'changed']]), head, 'second');
  });
  expect(remote.count.wants).toBe(wants);
  expect(await remote.git('rev-parse', branch)).toBe(next);
  expect(await remote.git('fsck', '--strict', '--full')).toBe('');
  expect((await read('there'))?.get('records/1/1.json')).toBe('changed');
  expect(remote.count.wants).toBe(wants + 1);
});

it('what another machine wrote since is fetched', async () => {
  const head = await run('here', (store) => store.append(branch, files(10, 'first'), null, 'first'));
  await run('there', (store) => store.append(branch, files(5, 'second'), head, 'second'));
  expect((await read('here'))?.get('records/1/1.json')).toBe('second 1 ü🐟');
  expect((await read('here'))?.get('records/9/9.json')).toBe('first 9 ü🐟');
});

it.each([
  ['a text', (text: string) => text.replace('first 3', 'other 3')],
  ['a path', (text: string) => text.replace('records/3/3.json', 'records/3/4444.json')],
  ['a mode', (text: string) => text.replace('"100644"', '"100755"')],
  ['the commit', (text: string) => text.replace('pilotfish <', 'somebody <')],
  ['a file beside the ledger', (text: string) => text.replace(/("README.md","100644",")[0-9a-f]{4}/, '$10000')],
  ['its end', (text: string) => text.slice(0, -20)],
])('a copy on disk with another thing as %s is not believed', async (_, change) => {
  await run('here', (store) => store.append(branch, files(10, 'first'), null, 'first'));
  const [copy = ''] = await copies('here');
  const text = await readFile(copy, 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(copy, change(text));
  const { wants } = remote.count;
  expect(await read('here')).toEqual(new Map([...files(10, 'first')].sort(([a], [b]) => (a < b ? -1 : 1))));
  expect(remote.count.wants).toBe(wants + 1);
});
