import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.ts';
import { openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  await pulls.close();
});

const destroy = ['apply', '--destroy', '--scope', 'pr-12'];
/** A scope with two objects. */
async function made(): Promise<void> {
  pulls = await openPulls(planOf(lines.dns, lines.alias));
  pulls.pulls.world.open(12, shaA, 'feature');
  await pulls.onPull('opened');
}
const answered = async (types: string, argv: readonly string[] = destroy, env: { readonly [name: string]: string } = {}) => {
  const ended = await commandLine(pulls, argv, { types, env });
  return { ...ended, stderr: stripVTControlCharacters(ended.stderr) };
};
const question = 'Destroy preview/pr-12 (2 to delete)? Type yes to go on:';

describe('a destroy at a terminal', () => {
  it('shows what it would remove, and removes it after yes', async () => {
    await made();
    const { code, stdout, stderr } = await answered('yes\r');
    expect(code).toBe(0);
    expect(stderr).toMatch(/Plan to destroy preview\/pr-12\n\n {2}- {2}delete {2}dns /);
    expect(stderr).toContain(question);
    expect(stderr).not.toContain('Next:');
    expect(stdout).toMatch(/^Destroy of preview\/pr-12: complete\n/);
    expect(pulls.records()).toEqual([]);
  });

  it.each(['no\r', 'y\r', 'YES\r', '\r'])('removes nothing after %j', async (types) => {
    await made();
    const commits = pulls.remote.commits.length;
    const { code, stdout, stderr } = await answered(types);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('NOT_CONFIRMED  The removal was not confirmed\n  The answer was not `yes`. Nothing was removed.');
    expect([pulls.records().length, pulls.remote.commits.length]).toEqual([2, commits]);
  });

  it('ends with 130 after Ctrl-C at the question', async () => {
    await made();
    const { code, stderr } = await answered('\u0003');
    expect(code).toBe(130);
    expect(stderr).toContain('You pressed Ctrl-C instead of an answer. Nothing was removed.');
    expect(pulls.records()).toHaveLength(2);
  });

  it('refuses to remove anything else than it showed', async () => {
    await made();
    const onQuestion = async (): Promise<void> => {
      await pulls.write(planOf(lines.dns, lines.alias, lines.payments));
      await pulls.apply({ pr: 12 });
    };
    const { code, stderr } = await commandLine(pulls, destroy, { types: 'yes\r', onQuestion });
    expect(code).toBe(2);
    expect(stderr).toContain('DIGEST_MISMATCH');
    expect(pulls.records()).toHaveLength(2);
    expect((await pulls.ledger()).records.size).toBe(3);
  });

  it('asks nothing where nothing is left to remove', async () => {
    await made();
    expect((await answered('yes\r')).code).toBe(0);
    const { code, stderr } = await answered('no\r');
    expect(code).toBe(0);
    expect(stderr).not.toContain('Type yes');
  });

  it.each([
    ['--yes', [...destroy, '--yes'], {}],
    ['--json', [...destroy, '--json'], {}],
    ['--events', [...destroy, '--events'], {}],
    ['CI', destroy, { CI: 'true' }],
  ] as const)('asks nothing with %s', async (_, argv, env) => {
    await made();
    const { code, stderr } = await answered('no\r', argv, env);
    expect(code).toBe(0);
    expect(stderr).not.toContain('Type yes');
    // In CI the pull request decides, and it is open.
    expect(pulls.records()).toHaveLength('CI' in env ? 2 : 0);
  });

  it('asks without a plan where the person restores a commit of the ledger', async () => {
    await made();
    const head = pulls.remote.branches.get('pilotfish-receipts/preview/pr-12')?.head ?? '';
    const argv = [...destroy, '--restore-ledger', head];
    const { code, stderr } = await answered('no\r', argv);
    expect(code).toBe(1);
    expect(stderr).toContain('Destroy preview/pr-12? Type yes to go on:');
    expect((await answered('yes\r', argv)).code).toBe(0);
    expect(pulls.records()).toEqual([]);
  });
});

describe('an apply that prunes, at a terminal', () => {
  const prune = ['apply', '--prune', '--scope', 'pr-12', '--pr', '12'];

  it('asks before it removes what has left the plan', async () => {
    await made();
    await pulls.write(planOf(lines.dns));
    const no = await answered('no\r', prune);
    expect(no.stderr).toContain('Apply preview/pr-12, and prune 1 orphan? Type yes to go on:');
    expect([no.code, pulls.records().length]).toEqual([1, 2]);
    const yes = await answered('yes\r', prune);
    expect(yes.stdout).toMatch(/^Apply of preview\/pr-12: complete\n/);
    expect(pulls.records()).toHaveLength(1);
    const after = await answered('no\r', prune);
    expect(after.stderr).not.toContain('Type yes');
    expect(after.code).toBe(0);
  });
});

describe('a sweep at a terminal', () => {
  const sweep = ['apply', '--destroy', '--closed'];

  it('asks with the scopes that it would end, and ends no other', async () => {
    await made();
    pulls.pulls.world.open(13, shaA, 'other');
    await pulls.apply(pulls.asked(await pulls.pullEvent('opened', {}, 13), { pr: 13 }));
    pulls.pulls.world.close(12);
    const no = await answered('no\r', sweep);
    expect(no.stderr).toContain('Destroy 1 scope in preview? Type yes to go on:');
    expect([no.code, pulls.records().length]).toEqual([1, 4]);
    const onQuestion = async (): Promise<void> => void pulls.pulls.world.close(13);
    const yes = await commandLine(pulls, sweep, { types: 'yes\r', onQuestion, env: {} });
    expect(yes.code).toBe(0);
    expect(pulls.records().map(({ name }) => name)).toEqual(['pr-13.acme.example', 'www.pr-13.acme.example']);
    expect((await answered('yes\r', sweep)).code).toBe(0);
    expect(pulls.records()).toEqual([]);
    expect((await answered('no\r', sweep)).stderr).not.toContain('Type yes');
  });
});

describe('a destroy without a terminal', () => {
  it('asks nothing', async () => {
    await made();
    const { code, stderr } = await commandLine(pulls, destroy);
    expect(code).toBe(0);
    expect(stderr).not.toContain('Type yes');
    expect(pulls.records()).toEqual([]);
  });
});
