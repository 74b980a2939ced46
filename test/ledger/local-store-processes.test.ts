import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-local-'));
  folder = path.join(root, 'ledger');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const start = (name: string, times: number) =>
  spawn(process.execPath, [path.join(import.meta.dirname, 'append-loop.ts'), folder, name, String(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

it('loses no append of processes that race', async () => {
  const racers = ['a', 'b', 'c'].map((name) => start(name, 20));
  const ends = await Promise.all(racers.map((racer) => once(racer, 'exit')));
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
  const files = (await openLocalStore({ folder }).read('race'))?.files;
  expect(files?.get('sum')).toBe('60');
  expect(files?.size).toBe(61);
});

it('goes on after a process was killed while it wrote', async () => {
  for (let round = 1; round <= 3; round += 1) {
    const writer = start(`killed-${round}`, 100_000);
    let told = 0;
    for await (const chunk of writer.stdout) {
      told = Number(String(chunk).trim().split('\n').at(-1));
      if (told >= 5) break;
    }
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const store = openLocalStore({ folder });
    const tree = await store.read('race');
    const mine = [...(tree?.files.keys() ?? [])].filter((file) => file.startsWith(`by/killed-${round}/`));
    expect(mine.length).toBeGreaterThanOrEqual(told);
    expect(Number(tree?.files.get('sum'))).toBe((tree?.files.size ?? 0) - 1);
    await store.append(
      'race',
      new Map([
        ['sum', String(Number(tree?.files.get('sum')) + 1)],
        [`by/after/${round}`, 'x'],
      ]),
      tree?.head ?? null,
      'after',
    );
  }
  expect((await readdir(folder)).sort()).toEqual(['heads,race', 'heads,race~before']);
});

it('does not take the place of a commit that was removed because it is old', async () => {
  const store = openLocalStore({ folder });
  const first = await store.append('race', new Map([['a', '0']]), null, 'first');
  let head = first;
  for (let i = 1; i < 40; i += 1) head = await store.append('race', new Map([['a', String(i)]]), head, 'next');
  for (const stale of [null, first]) {
    await expect(store.append('race', new Map([['a', 'stale']]), stale, 'late')).rejects.toMatchObject({ name: 'HeadMoved' });
  }
  expect((await store.read('race'))?.files.get('a')).toBe('39');
});
