import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import { bytesOf, type Company, openCompany, recordPlan } from './company.ts';

let company: Company;

/** A checkout to run in: `whole` is everything that belongs to it, the repository that a worktree or submodule hangs on included. */
interface Checkout {
  readonly cwd: string;
  readonly whole: string;
}

beforeAll(async () => {
  company = await openCompany();
  const seedling = await company.folder('seed');
  await company.git(seedling, 'init', '--quiet', '--initial-branch=main');
  await mkdir(join(seedling, 'apps/web'), { recursive: true });
  await mkdir(join(seedling, 'docs'));
  await writeFile(join(seedling, 'apps/web/index.html'), '<h1>shop</h1>\n');
  await writeFile(join(seedling, 'docs/notes.md'), 'notes\n');
  await company.git(seedling, 'add', '.');
  await company.git(seedling, 'commit', '--quiet', '-m', 'A shop');
  await writeFile(join(seedling, 'release.plan.yaml'), recordPlan);
  await company.git(seedling, 'add', '.');
  await company.git(seedling, 'commit', '--quiet', '-m', 'A plan');
  await company.git(seedling, 'push', '--quiet', company.remote.urlWithAuth, 'main');
  await company.remote.git('config', 'uploadpack.allowFilter', 'true');
});

afterAll(() => company.close());

const clone = async (...flags: readonly string[]): Promise<Checkout> => {
  const whole = await company.folder('clone');
  await company.git(whole, 'clone', '--quiet', ...flags, company.remote.urlWithAuth, 'shop');
  return { cwd: join(whole, 'shop'), whole };
};

const checkouts: { readonly [name: string]: () => Promise<Checkout> } = {
  'a subfolder': async () => {
    const { cwd, whole } = await clone();
    // Work that is staged, changed and not yet known to git: none of it may be touched either.
    await writeFile(join(cwd, 'docs/staged.md'), 'staged\n');
    await company.git(cwd, 'add', 'docs/staged.md');
    await writeFile(join(cwd, 'docs/notes.md'), 'changed\n');
    await writeFile(join(cwd, 'docs/new.md'), 'new\n');
    return { cwd: join(cwd, 'apps/web'), whole };
  },
  'a linked worktree': async () => {
    const { cwd, whole } = await clone();
    await company.git(cwd, 'worktree', 'add', '--quiet', '-b', 'feature', join(whole, 'feature'));
    return { cwd: join(whole, 'feature'), whole };
  },
  'a submodule': async () => {
    const whole = await company.folder('super');
    await company.git(whole, 'init', '--quiet', '--initial-branch=main');
    await company.git(whole, 'submodule', '--quiet', 'add', company.remote.urlWithAuth, 'parts/shop');
    await company.git(whole, 'commit', '--quiet', '-m', 'A shop among others');
    return { cwd: join(whole, 'parts/shop'), whole };
  },
  'a shallow checkout': async () => {
    const shallow = await clone('--depth=1');
    expect(await company.git(shallow.cwd, 'rev-list', '--count', 'HEAD')).toBe('1');
    return shallow;
  },
  'a sparse checkout of a partial clone': async () => {
    const sparse = await clone('--filter=blob:none', '--sparse');
    await company.git(sparse.cwd, 'sparse-checkout', 'set', 'apps/web');
    expect((await readdir(sparse.cwd)).includes('docs')).toBe(false);
    return { ...sparse, cwd: join(sparse.cwd, 'apps/web') };
  },
  'a checkout of no branch': async () => {
    const detached = await clone();
    await company.git(detached.cwd, 'checkout', '--quiet', '--detach', 'HEAD');
    return detached;
  },
};

const ended = <T>({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): T => {
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout);
};

/** Plan, apply, apply again, destroy, each a process of its own; the record comes, stays and goes. */
async function walk(cwd: string, scope: string): Promise<ApplyDoc> {
  const name = `${scope}.${seed.zone.name}`;
  const run = async <T>(...args: readonly string[]): Promise<T> => ended<T>(await company.run(cwd, [...args, '--scope', scope, '--json']));

  const pushes = company.remote.count.pushes;
  const plan = await run<PlanDoc>('plan');
  expect(plan.lines).toMatchObject([{ id: 'dns', verdict: 'create' }]);
  expect(company.records()).not.toContain(name);
  expect(company.remote.count.pushes).toBe(pushes);

  const first = await run<ApplyDoc>('apply');
  expect(first).toMatchObject({ status: 'complete', stats: { writes: 1 } });
  expect(company.records()).toContain(name);

  const writes = company.writes();
  const second = await run<ApplyDoc>('apply');
  expect(second).toMatchObject({ status: 'complete', stats: { writes: 0 } });
  expect(company.writes()).toBe(writes);

  const destroyed = await run<ApplyDoc>('apply', '--destroy');
  expect(destroyed).toMatchObject({ status: 'complete', stats: { writes: 1 } });
  expect(company.records()).not.toContain(name);
  return destroyed;
}

describe('plan, apply, apply again and destroy', () => {
  it.each(Object.entries(checkouts))('in %s keep the ledger on the remote and leave the checkout as it was', async (title, make) => {
    const { cwd, whole } = await make();
    const scope = title.replaceAll(' ', '-');
    const before = await bytesOf(whole);
    const status = await company.git(cwd, 'status', '--porcelain');
    const pushed = company.remote.count.pushes;

    const last = await walk(cwd, scope);

    const branch = `pilotfish-receipts/preview/${scope}`;
    expect(await company.remote.git('rev-parse', branch)).toBe(last.receipt.commit);
    // Intent and receipt, the unchanged apply's receipt, and the destroy's two.
    expect(company.remote.count.pushes - pushed).toBe(Number(await company.remote.git('rev-list', '--count', branch)));
    expect(await bytesOf(whole)).toEqual(before);
    expect(await company.git(cwd, 'status', '--porcelain')).toBe(status);
    company.verify();
  });

  it('in a repository without a remote keep the ledger at its root, wherever they run, and change nothing else', async () => {
    const whole = await company.folder('alone');
    await company.git(whole, 'init', '--quiet', '--initial-branch=main');
    await mkdir(join(whole, 'apps/web'), { recursive: true });
    await writeFile(join(whole, 'release.plan.yaml'), recordPlan);
    await writeFile(join(whole, 'apps/web/index.html'), '<h1>shop</h1>\n');
    await company.git(whole, 'add', '.');
    await company.git(whole, 'commit', '--quiet', '-m', 'A shop alone');
    const isLedger = (path: string): boolean => path === '.pilotfish' || path.startsWith(`.pilotfish${sep}`);
    const before = await bytesOf(whole, isLedger);
    const asked = company.remote.count.requests;

    await walk(join(whole, 'apps/web'), 'alone');

    expect(await readdir(join(whole, '.pilotfish'))).toContain('ledger');
    expect(await readdir(join(whole, 'apps/web'))).toEqual(['index.html']);
    expect(await bytesOf(whole, isLedger)).toEqual(before);
    expect(company.remote.count.requests).toBe(asked);
    company.verify();
  });

  it('before the first commit of a repository work as well', async () => {
    const whole = await company.folder('unborn');
    await company.git(whole, 'init', '--quiet', '--initial-branch=main');
    await company.git(whole, 'remote', 'add', 'origin', company.remote.urlWithAuth);
    await writeFile(join(whole, 'release.plan.yaml'), recordPlan);
    const before = await bytesOf(whole);

    await walk(whole, 'unborn');

    expect(await bytesOf(whole)).toEqual(before);
    company.verify();
  });
});
