import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../cli/program.ts';
import { openProject } from './project.ts';

const script = join(root, 'examples/ci/shell/pilotfish.sh');

/** A checkout in a CI that nobody has heard of: it sets CI, and hands over what the script asks for. */
async function open() {
  const project = await openProject((end) => onTestFinished(async () => void (await end())));
  // Its code host is a server of its own, which the remote alone does not tell.
  const server = { CI_SERVER_URL: new URL(project.remote.url).origin, CI_API_V4_URL: project.apiUrl };
  const pilotfish = async (word: string, o: { readonly at: string; readonly env?: Readonly<Record<string, string>> }) =>
    await project.shell([`sh "${script}" ${word}`], { cwd: o.at, env: { ...project.stored, ...server, ...o.env }, shell: ['sh'] });
  return { project, pilotfish };
}

/** What such a CI hands over for the merge request 12. */
const pull = (commit: string, more: Readonly<Record<string, string>> = {}) => ({
  PULL_REQUEST: '12',
  COMMIT: commit,
  BRANCH: 'feature',
  REPOSITORY: 'acme/shop',
  HEAD_REPOSITORY: 'acme/shop',
  ...more,
});

it('the script follows a pull request from any CI, whatever comes late', async () => {
  const { project, pilotfish } = await open();
  const { host } = project;
  const before = project.standing();
  const first = await project.push('feature', 'one');
  host.world.open(12, first, { branch: 'feature' });
  expect(await pilotfish('apply', { at: await project.checkout(first), env: pull(first) })).toMatchObject({ code: 0 });
  expect(project.standing()).toMatchObject({ 'neon branches': expect.arrayContaining(['shop-pr-12']) });
  expect((await project.ledger('pr-12')).history).toMatchObject([{ pr: 12, commit: first, outcome: 'complete' }]);

  const second = await project.push('feature', 'two', 'feature');
  host.world.push(12, second);
  expect(await pilotfish('apply', { at: await project.checkout(second), env: pull(second) })).toMatchObject({ code: 0 });
  const late = await pilotfish('apply', { at: await project.checkout(first), env: pull(first) });
  expect(late).toMatchObject({ code: 0, stdout: expect.stringContaining('stale') });
  expect(await pilotfish('destroy', { at: await project.checkout(second), env: pull(second) })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is open'),
  });

  host.world.set(12, 'closed');
  expect(await pilotfish('destroy', { at: await project.checkout(second), env: { PULL_REQUEST: '12' } })).toMatchObject({ code: 0 });
  expect(project.standing()).toEqual(before);
  expect(await pilotfish('apply', { at: await project.checkout(second), env: pull(second) })).toMatchObject({ code: 0 });
  expect(project.standing()).toEqual(before);

  host.world.set(12, 'opened');
  expect(await pilotfish('apply', { at: await project.checkout(second), env: pull(second) })).toMatchObject({ code: 0 });
  host.world.set(12, 'merged');
  expect(await pilotfish('sweep', { at: await project.checkout(second) })).toMatchObject({ code: 0 });
  expect(project.standing()).toEqual(before);
  expect(host.world.notes(12)).toMatchObject([{ author: host.world.accounts.bot }]);
  expect(await project.locksLeft()).toEqual([]);
  project.verify();
});

it('the script names who approved production', async () => {
  const { project, pilotfish } = await open();
  const at = await project.checkout(await project.remote.git('rev-parse', 'main'));
  expect(await pilotfish('production', { at, env: { APPROVED_BY: 'ann' } })).toMatchObject({ code: 0 });
  expect((await project.ledger('production', 'production')).receipt).toMatchObject({ approvedBy: 'ann' });
});

describe('the script refuses before anything is asked', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['', {}, 'say what to do: apply, destroy, sweep or production'],
    ['applly', {}, 'say what to do'],
    ['apply', pull('a', { BRANCH: '', COMMIT: '' }), 'not set: COMMIT BRANCH'],
    ['apply', { PULL_REQUEST: '12' }, 'not set: COMMIT BRANCH REPOSITORY HEAD_REPOSITORY'],
    ['apply', pull('a', { GITLAB_TOKEN: '' }), 'not set: GITHUB_TOKEN or GITLAB_TOKEN'],
    ['destroy', {}, 'not set: PULL_REQUEST'],
    ['destroy', { PULL_REQUEST: '12', GITLAB_TOKEN: '' }, 'GITLAB_TOKEN'],
    ['sweep', { GITLAB_TOKEN: '' }, 'GITLAB_TOKEN'],
    ['production', {}, 'not set: APPROVED_BY'],
  ])('%j with %j: %s', async (word, env, words) => {
    const { project, pilotfish } = await open();
    const at = await project.checkout(await project.remote.git('rev-parse', 'main'));
    const ended = await pilotfish(word, { at, env });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    expect([project.requests(), project.host.log.length]).toEqual([0, 0]);
  });

  it('a checkout without its history', async () => {
    const { project, pilotfish } = await open();
    const commit = await project.push('feature', 'one');
    const at = await project.checkout(null);
    await project.git(at, 'clone', '--quiet', '--depth', '1', '--branch', 'feature', `file://${project.remote.dir}`, '.');
    expect(await pilotfish('apply', { at, env: pull(commit) })).toMatchObject({ code: 2, stderr: expect.stringContaining('shallow') });
  });

  it('and explains to a fork that it gets nothing', async () => {
    const { project, pilotfish } = await open();
    const commit = await project.push('feature', 'one');
    const env = pull(commit, { HEAD_REPOSITORY: 'mallory/shop' });
    const ended = await pilotfish('apply', { at: await project.checkout(commit), env });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('comes from mallory/shop') });
    expect([project.requests(), project.host.log.length]).toEqual([0, 0]);
  });
});
