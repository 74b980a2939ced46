import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { start } from '../e2e/child.ts';
import { openStage } from '../support/stage.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { byProcess, recordOf } from './planted.ts';

const branch = 'pilotfish-receipts/preview/pr-12';
const mb = 1024 * 1024;

async function stageOf(records: readonly { readonly path: string; readonly text: string }[]) {
  const stage = await openStage({ simulations: [], env: {}, plan: 'version: 1\nchanges: []\n' });
  onTestFinished(() => stage.close());
  await stage.store().append(branch, new Map(records.map(({ path: at, text }) => [at, text])), null, 'planted');
  return stage;
}

describe('a destroy of what somebody pushed ends', () => {
  it('where records of one line begin with the same signs, with a name for each', async () => {
    const identities = ['1', '2', '3'].map((last) => `abcdef${last.repeat(58)}`);
    const named = identities.map((identity, n) => recordOf(n, { identity, line: 'hook' }));
    // What a line of its own is called may be the name that another one would get.
    const stage = await stageOf([...named, recordOf(9, { line: `hook~${identities[2]}` })]);
    const { lines } = await stage.destroy();
    const last = `hook~${identities[2]}`;
    expect(lines.map(({ id }) => id).sort()).toEqual(['hook', 'hook~abcdef', last, `${last}~2`]);
  });

  it('where records come after each other in a circle', async () => {
    const stage = await stageOf([1, 2, 3].map((n) => recordOf(n, { after: [recordOf((n % 3) + 1).identity] })));
    expect((await stage.destroy()).lines).toHaveLength(3);
  });

  it('where two thousand records hold one object, and all come after one', async () => {
    const copies = Array.from({ length: 2_000 }, (_, n) =>
      recordOf(n + 1, { line: 'hook', recordId: 'DELETE /hooks/1', objectId: '1', after: [recordOf(1).identity] }),
    );
    const stage = await stageOf(copies);
    expect((await stage.destroy()).lines).toHaveLength(2_000);
  });
});

describe('a ledger in a folder', () => {
  it('is not read where its file is larger than any', async () => {
    const folder = path.join(await tempFolder('attack'), 'ledger');
    await openLocalStore({ folder }).append(branch, new Map([['lease.json', '{}']]), null, 'begun');
    truncateSync(path.join(folder, 'heads,pilotfish-receipts,preview,pr-12'), 700 * mb);
    const { outcome, mb: memory } = await byProcess('read-ledger.ts', [folder, branch], { PATH: process.env.PATH });
    expect(outcome).toMatch(/LEDGER_CORRUPT: .*pr-12 has 700 MB\. The limit is 256 MB for it\./);
    expect(memory).toBeLessThan(250);
  });

  it('is damage of its own branch alone', async () => {
    const folder = path.join(await tempFolder('attack'), 'ledger');
    const store = openLocalStore({ folder });
    for (const one of ['pr-1', 'pr-2'])
      await store.append(`pilotfish-receipts/preview/${one}`, new Map([['lease.json', '{}']]), null, 'begun');
    const file = path.join(folder, 'heads,pilotfish-receipts,preview,pr-1');
    truncateSync(file, 700 * mb);
    expect((await store.list('pilotfish-receipts/preview/')).map(({ branch: name }) => name)).toHaveLength(2);
    expect((await store.read('pilotfish-receipts/preview/pr-2'))?.files.size).toBe(1);
    await expect(store.read('pilotfish-receipts/preview/pr-1')).rejects.toMatchObject({ code: 'LEDGER_CORRUPT' });
  });

  it('refuses a change that no run could read again', async () => {
    const store = openLocalStore({ folder: path.join(await tempFolder('attack'), 'ledger') });
    const large = new Map([['records/00/a.json', 'x'.repeat(33 * mb)]]);
    await expect(store.append(branch, large, null, 'begun')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('The limit is 32 MB for a file.'),
    });
    expect(await store.read(branch)).toBeNull();
  });

  it('keeps fewer older commits where they are large, so that its file can always be read', async () => {
    const store = openLocalStore({ folder: path.join(await tempFolder('attack'), 'ledger') });
    let head: string | null = null;
    for (let n = 0; n < 12; n += 1)
      head = await store.append(branch, new Map([['records/00/a.json', String(n).repeat(10 * mb)]]), head, 'next');
    expect((await store.history?.(branch))?.length).toBeLessThan(8);
    expect((await store.read(branch))?.head).toBe(head);
  });
});

it('what earlier runs are said to have kept is looked at as far as a run keeps it', async () => {
  const stage = await stageOf([]);
  const folder = path.join(stage.folder, '.pilotfish', 'unpushed');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, '000.json'), '');
  truncateSync(path.join(folder, '000.json'), 700 * mb);
  for (let n = 1; n < 300; n += 1) writeFileSync(path.join(folder, `${String(n).padStart(3, '0')}.json`), '{"v":1}');
  const { warnings, status } = await stage.destroy();
  expect(status).toBe('complete');
  expect(warnings[0]).toBe('pilotfish read 100 of the 300 files in .pilotfish/unpushed.');
  expect(warnings).toHaveLength(101);
  expect(warnings[1]).toContain('000.json cannot be read');
});

it('a process that waits for what never comes says so, and ends with no success', async () => {
  const cwd = await tempFolder('attack');
  mkdirSync(path.join(cwd, 'plugin'));
  writeFileSync(path.join(cwd, 'plugin', 'index.mjs'), 'export const register = () => new Promise(() => {});\n');
  writeFileSync(path.join(cwd, 'release.plan.yaml'), 'version: 1\nchanges: []\n');
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, PILOTFISH_PLUGINS: path.join(cwd, 'plugin', 'index.mjs') };
  const { code, stdout } = await start(['plan', '--scope', 'pr-12', '--json'], { cwd, env }).ended;
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
});
