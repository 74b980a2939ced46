import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const permissions = z.record(z.string(), z.enum(['read', 'write']));
const stepSchema = z.looseObject({ name: z.string().optional(), run: z.string().optional(), uses: z.string().optional() });
const workflowSchema = z.looseObject({
  on: z.record(z.string(), z.looseObject({ tags: z.array(z.string()).optional(), branches: z.array(z.string()).optional() }).nullable()),
  permissions,
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: permissions.optional(),
      environment: z.string().optional(),
      needs: z.string().optional(),
      steps: z.array(stepSchema),
    }),
  ),
});

const folder = join(root, '.github/workflows');
const names = (await readdir(folder)).sort();
const read = async (name: string): Promise<string> => await readFile(join(folder, name), 'utf8');
const workflow = async (name: string): Promise<z.infer<typeof workflowSchema>> => workflowSchema.parse(parse(await read(name)));

it('the workflows of this repository are these', () => {
  expect(names).toEqual(['ci.yml', 'release.yml']);
});

describe.each(names)('the workflow %s', (name) => {
  it('uses actions by their commit, with the version beside it', async () => {
    const uses = (await read(name)).split('\n').filter((line) => /\buses:/.test(line));
    expect(uses.length).toBeGreaterThan(1);
    expect(uses.filter((line) => !/^ +- uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('uses one commit of an action everywhere', async () => {
    const all = (await Promise.all(names.map(read))).join('\n').matchAll(/uses: ([^@\s]+)@(\w+)/g);
    const commits = Map.groupBy(all, ([, action]) => action);
    expect([...commits].filter(([, uses]) => new Set(uses.map(([, , commit]) => commit)).size > 1).map(([action]) => action)).toEqual([]);
  });

  it('puts nothing of an event into a script', async () => {
    const { jobs } = await workflow(name);
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('has no secret, and runs nothing of a pull request with the rights of the repository', async () => {
    const text = await read(name);
    expect(text).not.toMatch(/\bsecrets\b|pull_request_target|workflow_run/);
  });

  it('names no registry: npm knows its own', async () => {
    expect(await read(name)).not.toMatch(/registry-url|https?:\/\//);
  });

  it('leaves no credential in a checkout whose job writes nothing to the repository', async () => {
    const { jobs } = await workflow(name);
    const keeping = Object.entries(jobs).filter(([, { steps }]) =>
      steps.some((step) => step.uses?.startsWith('actions/checkout@') && !JSON.stringify(step).includes('"persist-credentials":false')),
    );
    expect(keeping.map(([job]) => job)).toEqual(name === 'release.yml' ? ['announce'] : []);
  });
});

describe('permissions', () => {
  it('what a pull request starts may read', async () => {
    const { on, permissions: all, jobs } = await workflow('ci.yml');
    expect(Object.keys(on)).toEqual(['pull_request', 'push']);
    expect(on.push?.branches).toEqual(['main']);
    expect(all).toEqual({ contents: 'read' });
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual(Object.values(jobs).map(() => undefined));
  });

  it('a release has those of each job and no others', async () => {
    const { on, permissions: all, jobs } = await workflow('release.yml');
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
    expect(all).toEqual({});
    expect(
      Object.fromEntries(Object.entries(jobs).map(([job, { permissions: own, needs, environment }]) => [job, { own, needs, environment }])),
    ).toEqual({
      test: { own: { contents: 'read' } },
      publish: { own: { contents: 'read', 'id-token': 'write' }, needs: 'test', environment: 'release' },
      announce: { own: { contents: 'write' }, needs: 'publish' },
      downloads: { own: { contents: 'write' }, needs: 'announce' },
    });
  });

  it('what is published is a release, with provenance', async () => {
    const { jobs } = await workflow('release.yml');
    const publish = jobs.publish?.steps.find(({ run }) => run?.startsWith('npm publish'));
    expect(publish).toEqual({
      run: 'npm publish --provenance --access public',
      env: { PILOTFISH_RELEASE: '${{ github.repository }}' },
    });
  });
});

describe('what a release tells', () => {
  it('moves the major tag to the newest version only, and takes the notes from the changelog', async () => {
    const repository = await openRepository();
    await repository.release('1.2.0', 'first');
    await repository.release('1.10.0', 'second');
    expect(repository.major()).toBe('v1.10.0');
    // An older line is mended: numbers are compared, and 1.2.1 is no news for those who follow v1.
    await repository.release('1.2.1', 'mended');
    expect(repository.major()).toBe('v1.10.0');
    expect(await repository.told()).toEqual([
      { args: 'release create v1.2.0 --verify-tag --title v1.2.0', notes: 'first' },
      { args: 'release create v1.10.0 --verify-tag --title v1.10.0', notes: 'second' },
      { args: 'release create v1.2.1 --verify-tag --title v1.2.1', notes: 'mended' },
    ]);
  });
});

/** A clone beside its remote, where the scripts of the job that announces are run as a runner runs them. */
async function openRepository() {
  const [remote, clone, temp] = await Promise.all([tempFolder('remote'), tempFolder('clone'), tempFolder('runner')]);
  const { jobs } = await workflow('release.yml');
  const scripts = jobs.announce?.steps.flatMap(({ run }) => run ?? []) ?? [];
  const env = { PATH: `${temp}:${process.env.PATH}`, HOME: temp, GIT_CONFIG_NOSYSTEM: '1', RUNNER_TEMP: temp };
  const inFolder =
    (cwd: string, more: Readonly<Record<string, string>> = {}) =>
    (command: string, args: readonly string[]) =>
      execFileSync(command, args, { cwd, env: { ...env, ...more }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const git = (...args: readonly string[]): string => inFolder(clone)('git', args);
  await writeFile(join(temp, '.gitconfig'), '[user]\nname = Dev\nemail = dev@example.com\n');
  // Keeps what it was asked for, with the file of notes in its place.
  await writeFile(join(temp, 'gh'), `#!/bin/sh\n{ echo "$@"; cat "$RUNNER_TEMP/notes.md"; echo ======; } >> "$RUNNER_TEMP/told"\n`);
  await chmod(join(temp, 'gh'), 0o755);
  inFolder(remote)('git', ['init', '--quiet', '--bare']);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', remote);
  let changelog = '';
  return {
    async release(version: string, news: string): Promise<void> {
      changelog = `## ${version}\n\n### Minor Changes\n\n- ${news}\n\n${changelog}`;
      await writeFile(join(clone, 'CHANGELOG.md'), `# pilotfish\n\n${changelog}`);
      git('add', '.');
      git('commit', '--quiet', '--message', version);
      git('tag', '--annotate', `v${version}`, '--message', version);
      git('push', '--quiet', 'origin', 'main', `v${version}`);
      for (const script of scripts)
        inFolder(clone, { TAG: `v${version}` })('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]);
    },
    /** The version that the remote's major tag points at. */
    major: (): string => inFolder(remote)('git', ['describe', '--tags', '--match', 'v*.*.*', 'v1^{commit}']),
    async told() {
      const parts = (await readFile(join(temp, 'told'), 'utf8')).split('======\n').filter((part) => part !== '');
      return parts.map((part) => ({
        args: part.split(' --notes-file')[0],
        notes: part
          .slice(part.indexOf('\n'))
          .replace(/^### .*$/m, '')
          .replace('- ', '')
          .trim(),
      }));
    },
  };
}
