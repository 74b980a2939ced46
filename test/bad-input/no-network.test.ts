import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { openCompany, recordPlan } from '../checkouts/company.ts';
import { failing, tells } from './refusals.ts';

// Two worlds side by side: what takes time here is how long a run tries to reach somebody.
describe.concurrent('without a network', () => {
  it('a provider that cannot be reached is PROVIDER_TRANSIENT, and the next apply goes on from there', async (test) => {
    const { company, cwd, nobody } = await openRepository(test);
    await company.git(cwd, 'remote', 'add', 'origin', company.remote.urlWithAuth);
    const args = ['apply', '--scope', 'pr-12'];
    const { text, document } = await failing<ApplyDoc>(company, { cwd, args, exit: 1, env: { CLOUDFLARE_API_URL: nobody } });
    const [line] = document.lines;
    expect(line).toMatchObject({ id: 'dns', error: { code: 'PROVIDER_TRANSIENT' } });
    if (line?.error) tells(text, line.error);
    expect(text).toContain(new URL(nobody).host);
    expect(document).toMatchObject({ status: 'failed', stats: { writes: 0 } });
    const files = await company.remote.git('ls-tree', '-r', '--name-only', 'pilotfish-receipts/preview/pr-12');
    expect(files.split('\n').filter((file) => file.startsWith('records/'))).toEqual([]);

    const { code, stdout } = await company.run(cwd, [...args, '--json']);
    expect([code, JSON.parse(stdout).stats.writes]).toEqual([0, 1]);
  });

  it('a git host that cannot be reached is LEDGER_REFUSED, and no provider hears of it', async (test) => {
    const { company, cwd, nobody } = await openRepository(test);
    await company.git(cwd, 'remote', 'add', 'origin', `${nobody}/acme/shop.git`);
    for (const command of ['plan', 'apply']) {
      const { text, document } = await failing(company, { cwd, args: [command, '--scope', 'pr-12'], exit: 1 });
      expect(document.error.code).toBe('LEDGER_REFUSED');
      expect(text).toContain(new URL(nobody).host);
      tells(text, document.error);
    }
    expect(company.requests()).toEqual({ provider: 0, git: 0 });
  });
});

/** A repository with a plan, and an address at which nobody answers. */
async function openRepository(test: TestContext) {
  const company = await openCompany();
  test.onTestFinished(() => company.close());
  const cwd = await company.folder('work');
  await company.git(cwd, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(cwd, 'release.plan.yaml'), recordPlan);
  return { company, cwd, nobody: `http://127.0.0.1:${await closedPort()}` };
}

/** A port on which nobody listens: one that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
