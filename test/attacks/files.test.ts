import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { openStore } from '../../src/ledger/stores/open-store.ts';
import { machineSources } from '../../src/machines/sources.ts';
import { cacheFolder } from '../../src/platform/cache-folder.ts';
import { groundOf, makeFolder, openNew, replaceFile, truePath, writeNew } from '../../src/platform/safe-files.ts';
import { traceParent } from '../../src/report/telemetry/parent.ts';
import { keepRun } from '../../src/report/trace/kept-run.ts';
import { openTrace } from '../../src/report/trace/trace.ts';
import { cloneOf, pilotfish } from '../onboard/command.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { tempFolder } from '../support/temp-folder.ts';

const plan = 'version: 1\n\nchanges:\n  - id: site\n    adapter: vercel\n    op: deploy\n    project: shop\n';
const event = { type: 'note', line: 'db', text: 'kept', at: 1 } as const;
const noted = async (path: string): Promise<string> => readFile(path, 'utf8');

/** A checkout, and a folder of the person that whoever commits wants to write to. */
async function victim() {
  const cwd = await cloneOf('nextjs-vercel');
  const home = await tempFolder('victim');
  await writeFile(join(home, 'profile'), 'mine\n');
  const link = async (to: string, ...at: readonly string[]): Promise<string> => {
    const path = join(cwd, ...at);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    await symlink(to, path);
    return path;
  };
  /** Nothing was made, changed or taken away there. */
  const untouched = async (): Promise<void> => {
    expect(await readdir(home)).toEqual(['profile']);
    expect(await noted(join(home, 'profile'))).toBe('mine\n');
  };
  return { cwd, home, link, untouched };
}

describe('init writes nothing through a link of the checkout', () => {
  it.each([
    ['.pilotfish', '', 'a folder of links'],
    ['.pilotfish', 'new', 'to nowhere'],
    ['.pilotfish/release.plan.schema.json', 'profile', 'the schema'],
    ['.pilotfish/release.plan.schema.json', 'new', 'the schema, to nowhere'],
    ['.gitignore', 'profile', 'the list of ignored files'],
    ['.gitignore', 'new', 'the list of ignored files, to nowhere'],
  ])('%s -> home/%s (%s)', async (at, to) => {
    const { cwd, home, link, untouched } = await victim();
    const place = await link(join(home, to), at);
    const { code, stderr } = await pilotfish(['init'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`${place} is a link to ${join(home, to)}`);
    expect(stderr).toContain(`Remove the link ${place}`);
    await untouched();
    expect((await lstat(place)).isSymbolicLink()).toBe(true);
    expect(existsSync(join(cwd, 'release.plan.yaml'))).toBe(false);
  });

  it('nor a first plan, to nowhere', async () => {
    const { cwd, home, link, untouched } = await victim();
    await link(join(home, 'new'), 'release.plan.yaml');
    expect((await pilotfish(['init'], { cwd })).code).toBe(2);
    await untouched();
  });

  it('nor a line into a plan that is a link', async () => {
    const { cwd, home, link } = await victim();
    await writeFile(join(home, 'profile'), plan);
    const place = await link(join(home, 'profile'), 'release.plan.yaml');
    const { code, stderr } = await pilotfish(['init', '--add', 'sign-in'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`${place} is a link to ${join(home, 'profile')}`);
    expect(await noted(join(home, 'profile'))).toBe(plan);
    expect(await readdir(home)).toEqual(['profile']);
  });

  it('also where the link leads to another place of the same checkout', async () => {
    const { cwd, link } = await victim();
    await writeFile(join(cwd, 'notes'), 'notes\n');
    await link('notes', '.gitignore');
    expect((await pilotfish(['init'], { cwd })).code).toBe(2);
    expect(await noted(join(cwd, 'notes'))).toBe('notes\n');
  });

  it('and needs none: a linked .gitignore that has the entry is read', async () => {
    const { cwd, home, link } = await victim();
    await writeFile(join(home, 'profile'), '.pilotfish/\n');
    await link(join(home, 'profile'), '.gitignore');
    expect(await pilotfish(['init'], { cwd })).toMatchObject({ code: 0 });
  });
});

describe('a trace', () => {
  const telemetry = { ...traceParent({}), redact: <T>(value: T): T => value };
  const about = { title: 'plan preview', version: '1.2.3', machines: machineSources, telemetry };

  it.each(['deep', 'deep/trace'])('is not written through the link %s of the checkout', async (at) => {
    const { cwd, home, link, untouched } = await victim();
    const place = await link(home, at);
    for (const shown of ['deep/trace', join(cwd, 'deep/trace'), './x/../deep/trace']) {
      expect(() => openTrace(shown, cwd, about)).toThrow(`${place} is a link to ${home}`);
    }
    await untouched();
  });

  it.each(['trace.html', 'events.jsonl'])('is not written over %s where that is a link', async (name) => {
    const { cwd, home, link, untouched } = await victim();
    await link(join(home, 'profile'), 'trace', name);
    expect(() => openTrace('trace', cwd, about)).toThrow('is a link to');
    await untouched();
  });

  it('is not written through a link that came while the run went on', async () => {
    const { cwd, home, link, untouched } = await victim();
    const trace = openTrace('trace', cwd, about);
    trace.listen(event);
    await link(join(home, 'profile'), 'trace', 'trace.json');
    expect(trace.write()).toContain('trace.json is a link to');
    await untouched();
  });

  it('is written to a folder of the person, along the links of the person', async () => {
    const { cwd, home, link } = await victim();
    await symlink(cwd, join(home, 'way'));
    await mkdir(join(home, 'traces'));
    await symlink(join(home, 'traces'), join(home, 'short'));
    const trace = openTrace(join(home, 'short'), cwd, about);
    expect(trace.write()).toBeNull();
    expect(await readdir(join(home, 'traces'))).toContain('trace.html');
    // Their own link leads into the checkout, where links are the checkout's again.
    await link(join(home, 'traces'), 'out');
    expect(() => openTrace(join(home, 'way', 'out'), cwd, about)).toThrow('is a link to');
  });
});

describe('the events of the last run', () => {
  it.each(['.pilotfish', '.pilotfish/last-run'])('are not kept through the link %s', async (at) => {
    const { cwd, home, link, untouched } = await victim();
    await link(home, at);
    const keeper = keepRun(cwd, { title: 'apply', version: '1' });
    keeper.listen(event);
    keeper.end();
    await untouched();
  });

  it('leave what a link among earlier runs leads to', async () => {
    const { cwd, home, link, untouched } = await victim();
    await link(join(home, 'profile'), '.pilotfish/last-run/000000000000001-7.jsonl');
    await link(join(home, 'new'), '.pilotfish/last-run/.gitignore');
    const keeper = keepRun(cwd, { title: 'apply', version: '1' });
    keeper.listen(event);
    keeper.end();
    await untouched();
  });
});

describe('the ledger of this machine', () => {
  const branch = 'pilotfish-receipts/preview/pr-1';
  const name = 'heads,pilotfish-receipts,preview,pr-1';
  const change = new Map([['a.json', '1']]);
  const open = (cwd: string) => openStore({ receipts: 'local', facts: null, cwd, env: {} });

  it.each(['.pilotfish', '.pilotfish/ledger'])('is neither read nor written through the link %s', async (at) => {
    const { cwd, home, link, untouched } = await victim();
    const place = await link(home, at);
    const store = await open(cwd);
    await expect(store.append(branch, change, null, 'x')).rejects.toMatchObject({ detail: expect.stringContaining(`${place} is a link`) });
    await expect(store.read(branch)).rejects.toThrow('is a link');
    await untouched();
  });

  it.each([
    ['.pilotfish/last', ''],
    [`.pilotfish/last/refs,${name}`, 'profile'],
    [`.pilotfish/last/refs,${name}`, 'new'],
    [`.pilotfish/ledger/${name}~before`, 'profile'],
    [`.pilotfish/ledger/refs,${name}`, ''],
  ])('leaves what %s leads to (home/%s)', async (at, to) => {
    const { cwd, home, link, untouched } = await victim();
    await link(join(home, to), at);
    const store = await open(cwd);
    const head = await store.append(branch, change, null, 'x');
    await store.append(branch, new Map([['a.json', '2']]), head, 'y');
    expect((await store.read(branch))?.files.get('a.json')).toBe('2');
    await untouched();
  });

  it('removes nothing that the text of a committed lock names', async () => {
    const { cwd, home, untouched } = await victim();
    const file = join(cwd, '.pilotfish/ledger', name);
    await mkdir(`${file}~`, { recursive: true });
    const up = `/${'../'.repeat(30)}${home}`;
    await writeFile(`${file}~lock`, `999999999 ${up} ${(await import('node:os')).hostname()}`);
    await (await open(cwd)).append(branch, change, null, 'x');
    await untouched();
  });
});

describe('a cache below the checkout', () => {
  it('is not used: whoever commits could have filled it, or made a link of it', async () => {
    const { cwd, home, link, untouched } = await victim();
    await link(home, '.cache');
    for (const folder of [join(cwd, '.cache/pilotfish'), '.cache/pilotfish', join(cwd, 'cache')]) {
      expect(cacheFolder({ PILOTFISH_CACHE_DIR: folder }, cwd)).toBeNull();
    }
    expect(cacheFolder({ HOME: home }, cwd)).toBe(join(home, '.cache/pilotfish'));
    const env = { ...cleanGitEnv(cwd), PILOTFISH_CACHE_DIR: join(cwd, '.cache/pilotfish') };
    const store = openGitStore({ url: join(home, 'no-remote.git'), cwd, env });
    await store.read('pilotfish-receipts/preview/pr-1').catch(() => null);
    await store.close();
    await untouched();
  });
});

describe('the one way in which files are written', () => {
  it('opens nothing where a folder became a link between the look and the open', async () => {
    const { cwd, home, untouched } = await victim();
    const ground = groundOf(cwd);
    const folder = makeFolder(join(cwd, 'out'), ground);
    await rename(folder, join(cwd, 'aside'));
    await symlink(home, folder);
    for (const write of [
      () => writeNew(join(folder, 'a'), 'x', ground),
      () => replaceFile(join(folder, 'a'), 'x', ground),
      () => openNew(join(folder, 'a'), ground),
    ]) {
      expect(write).toThrow('is a link to');
    }
    await untouched();
  });

  it('writes whole files, and takes no link for a missing one', async () => {
    const { cwd, home, link } = await victim();
    const ground = groundOf(cwd);
    replaceFile(join(cwd, 'a'), 'one', ground);
    replaceFile(join(cwd, 'a'), 'two', ground);
    expect(await noted(join(cwd, 'a'))).toBe('two');
    expect(() => writeNew(join(cwd, 'a'), 'three', ground)).toThrow('EEXIST');
    const place = await link(join(home, 'new'), 'b');
    expect(() => writeNew(place, 'x', ground)).toThrow('is a link to');
    expect(await readlink(place)).toBe(join(home, 'new'));
    expect(existsSync(join(home, 'new'))).toBe(false);
    expect(truePath(join(cwd, 'x/y/z'), ground)).toBe(join(ground, 'x/y/z'));
  });
});
