import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { main } from './main.ts';
import { createOutput } from './output.ts';

/** Runs the command line in a folder whose plan cannot be read. Any use of the runner is a mistake here. */
async function run(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const text = { out: '', error: '' };
  const screen = (name: keyof typeof text): Writable =>
    new Writable({
      write: (part: Buffer, _, done) => {
        text[name] += part.toString();
        done();
      },
    });
  const world = {
    cwd: '/nowhere',
    env,
    stdout: screen('out'),
    stderr: screen('error'),
    signals: { on: () => undefined, off: () => undefined },
    now: () => 0,
    exit: null,
    loadRunner: () => Promise.reject(new Error('nothing may run')),
  };
  return { code: await main(argv, world, createOutput(world, argv)), ...text };
}

const gitlab = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_MERGE_REQUEST_IID: '12',
  CI_COMMIT_SHA: 'a'.repeat(40),
  CI_MERGE_REQUEST_PROJECT_ID: '42',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '77',
};

function github(repo: unknown, name = 'pull_request_target'): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'event.json');
  const pull = { number: 12, head: { sha: 'a'.repeat(40), ref: 'x', repo }, base: { repo: { full_name: 'acme/shop' } } };
  writeFileSync(file, JSON.stringify({ action: 'opened', pull_request: pull }));
  return { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file };
}

const commands = [['plan'], ['apply'], ['apply', '--destroy'], ['apply', '--pr=7', '--plan=elsewhere.yaml']];
const forks = [
  ['GitLab', () => gitlab, 'merge request 12'],
  ['GitHub', () => github({ full_name: 'mallory/shop' }), 'pull request 12'],
  ['GitHub, where it was deleted', () => github(null, 'pull_request'), 'pull request 12'],
] as const;

it.each(commands.flatMap((argv) => forks.map(([where, env, what]) => [argv.join(' '), where, argv, env, what] as const)))(
  '%s in the job of a fork on %s reads nothing, says why and exits with 0',
  async (_, _where, argv, env, what) => {
    const { code, out, error } = await run(argv, env());
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain(`The ${what} comes from another repository.`);
    const json: unknown = JSON.parse((await run([...argv, '--json'], env())).out);
    expect(json).toMatchObject({ schema: 1, ok: true, command: argv[0], status: 'skipped', why: expect.stringContaining(what) });
  },
);

it('a job that is not of a fork goes on', async () => {
  for (const env of [{ ...gitlab, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' }, github({ full_name: 'acme/shop' }), {}])
    expect(await run(['apply', '--json'], env)).toMatchObject({ code: 1, out: expect.stringContaining('"ok": false') });
});
