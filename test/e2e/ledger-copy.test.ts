import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld, seed } from 'pilotfish-sandbox/all';
import { serve } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { pilotfish } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const plan = (receipts: string): string => `version: 1
${receipts}changes:
  - { id: database, adapter: neon, op: branch, project_id: ${seed.neonProject}, name: "shop-\${ctx.scope}" }
`;

it('an object is made with the ledger at one place and destroyed, without the plan, with the ledger at another', async () => {
  const world = createWorld();
  const served = await serve(world.simulations);
  onTestFinished(() => served.stop());
  const [folder, remote] = [await tempFolder('move'), await tempFolder('move-remote')];
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', [...args], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
  await git('init', '--quiet', '--bare', remote);
  await git('init', '--quiet');
  await git('remote', 'add', 'origin', remote);
  const file = join(folder, 'release.plan.yaml');
  await writeFile(file, plan(''));
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    pilotfish(line.split(' '), { cwd: folder, env: { ...served.env, NEON_API_KEY: world.neon.tokens.full, ...env } });
  const branches = () =>
    world.neon.world.branches().flatMap(({ name, deleted_at }) => (name === 'shop-pr-12' && !deleted_at ? [name] : []));

  expect(await run('apply --scope pr-12')).toMatchObject({ code: 0 });
  // A pull request that changes `receipts:` makes no second object, and its destroy does not say that there is none.
  await writeFile(file, plan('receipts: postgres://db.example.com/ledger\n'));
  for (const line of ['apply --scope pr-12', 'apply --destroy --scope pr-12']) {
    const refused = await run(line, { PILOTFISH_RECEIPTS: 'postgres://ci:w0rd-of-ci@db.example.com/ledger' });
    expect([refused.code, refused.stderr.includes('ledger copy git-branch postgres://db.example.com/ledger')], refused.stderr).toEqual([
      1,
      true,
    ]);
  }
  await writeFile(file, plan(''));

  const dry = await run('ledger copy git-branch local --dry-run');
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('Would move 1 branch')]);
  const moved = await run('ledger copy git-branch local');
  expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('Moved 1 branch')]);
  const old = await run('plan --scope pr-12');
  expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('is at local')]);

  const there = { PILOTFISH_RECEIPTS: 'local' };
  const unchanged = await run('apply --scope pr-12 --json', there);
  expect(JSON.parse(unchanged.stdout).lines).toMatchObject([{ id: 'database', verdict: 'none' }]);
  await rm(file);
  expect(await run('apply --destroy --scope pr-12', there)).toMatchObject({ code: 0 });
  expect(branches()).toEqual([]);

  const back = JSON.parse((await run('ledger copy local git-branch --json')).stdout);
  expect(back).toMatchObject({ ok: true, command: 'ledger', ledger: 'git-branch', branches: [{ scope: 'pr-12', state: 'copied' }] });
  expect((await run('show pr-12')).code).toBe(0);
});
