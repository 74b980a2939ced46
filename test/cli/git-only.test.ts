import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanGitEnv } from '../support/git-remote.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { binary, execute } from './program.ts';

const plan = `version: 1
providers: { http: { things: { base_url: http://127.0.0.1:9, auth: null } } }
changes:
  - id: one
    adapter: http
    op: resource
    provider: things
    create: { method: POST, path: /things, body: { name: one } }
`;

/** A repository with a plan and its remote in a folder, and git there. */
async function shop() {
  const folder = await tempFolder('git-only');
  const env = { ...cleanGitEnv(folder), GIT_ALLOW_PROTOCOL: 'file' };
  const git = (cwd: string, ...args: readonly string[]): string => execFileSync('git', args, { cwd, env, encoding: 'utf8' });
  const [remote, checkout] = [join(folder, 'shop-remote'), join(folder, 'shop')];
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'clone', '--quiet', remote, checkout);
  writeFileSync(join(checkout, 'release.plan.yaml'), plan);
  writeFileSync(join(checkout, 'package.json'), '{ "name": "shop", "dependencies": { "next": "15.0.0" } }');
  git(checkout, 'add', '.');
  git(checkout, 'commit', '--quiet', '--message', 'the first');
  git(checkout, 'commit', '--quiet', '--allow-empty', '--message', 'the second');
  git(checkout, 'push', '--quiet', 'origin', 'HEAD:main');
  return { folder, remote, checkout, env, git };
}

type Shop = Awaited<ReturnType<typeof shop>>;
type Seen = { readonly cwd: string; readonly env?: NodeJS.ProcessEnv };

/** The forms of a checkout: where the program starts, and the environment that leads git there. */
const forms: { readonly [form: string]: (at: Shop) => Seen } = {
  'a clone': ({ checkout }) => ({ cwd: checkout }),
  'a linked worktree': ({ checkout, folder, git }) => {
    const cwd = join(folder, 'fix');
    git(checkout, 'worktree', 'add', '--quiet', '-b', 'fix', cwd);
    return { cwd };
  },
  'a submodule': ({ remote, folder, git }) => {
    const whole = join(folder, 'whole');
    git(folder, 'init', '--quiet', whole);
    git(whole, 'submodule', '--quiet', 'add', remote, 'parts/shop');
    return { cwd: join(whole, 'parts/shop') };
  },
  'a shallow clone': ({ remote, folder, git }) => {
    const cwd = join(folder, 'shallow');
    git(folder, 'clone', '--quiet', '--depth=1', `file://${remote}`, cwd);
    return { cwd };
  },
  'a repository elsewhere': ({ remote, folder, git }) => {
    const [cwd, dir] = [join(folder, 'tree'), join(folder, 'elsewhere', '.git')];
    mkdirSync(cwd);
    git(folder, 'clone', '--quiet', '--bare', remote, dir);
    const env = { GIT_DIR: dir, GIT_WORK_TREE: cwd };
    execFileSync('git', ['config', 'core.bare', 'false'], { cwd, env: { ...cleanGitEnv(folder), GIT_DIR: dir } });
    execFileSync('git', ['checkout', '--quiet', 'main'], { cwd, env: { ...cleanGitEnv(folder), ...env } });
    return { cwd, env };
  },
};

const commands = [['plan', '--scope', 'pr-1'], ['init'], ['apply', '--scope', 'pr-1', '--destroy']] as const;
const isInside = (path: string): boolean => /(^|\/)\.git\//.test(path);

/** Notes each path that Node opens or lists, in a file. */
const hook = `
const fs = require('node:fs');
const note = (path) => fs.writeSync(fd, String(path) + '\\n');
const { openSync } = fs;
const fd = openSync(process.env.OPENED, 'a');
for (const [on, names] of [[fs, ['open', 'openSync', 'readFile', 'readFileSync', 'readdir', 'readdirSync', 'opendir', 'opendirSync', 'createReadStream']], [fs.promises, ['open', 'readFile', 'readdir', 'opendir']]])
  for (const name of names) {
    const own = on[name];
    on[name] = function (path, ...rest) { note(path); return own.call(this, path, ...rest); };
  }
require('node:module').syncBuiltinESMExports();
`;

describe.each(Object.keys(forms))('in %s', (form) => {
  it('opens nothing below .git itself', async () => {
    const at = await shop();
    const { cwd, env } = forms[form]?.(at) ?? { cwd: at.checkout };
    const [opened, preload] = [join(at.folder, 'opened'), join(at.folder, 'hook.cjs')];
    writeFileSync(preload, hook);
    for (const args of commands) {
      writeFileSync(opened, '');
      const told = await execute(process.execPath, ['--require', preload, binary, ...args], {
        cwd,
        env: { ...at.env, ...env, OPENED: opened },
      });
      const paths = readFileSync(opened, 'utf8').split('\n');
      expect(paths.length, `${args.join(' ')}: ${told.stderr}`).toBeGreaterThan(3);
      expect(paths.filter(isInside), args.join(' ')).toEqual([]);
    }
  });
});

const hasStrace = spawnSync('strace', ['--version']).status === 0;
if (!hasStrace) console.log('the look from outside is skipped: strace is not installed');

it.skipIf(!hasStrace)('opens nothing below .git as the system sees it, whichever thread does it', async () => {
  const at = await shop();
  const traces = join(at.folder, 'traces');
  mkdirSync(traces);
  const strace = ['-f', '-ff', '-o', join(traces, 't'), '-e', 'trace=execve,open,openat,openat2'];
  await execute('strace', [...strace, process.execPath, binary, 'plan', '--scope', 'pr-1'], { cwd: at.checkout, env: at.env });
  // A file a thread. The threads of the program start no other program. Git is one, in a file of its own.
  const files = readdirSync(traces).map((name) => readFileSync(join(traces, name), 'utf8'));
  const ofGit = files.filter((text) => /execve\("[^"]*\/git"/.test(text));
  const own = files.filter((text) => !ofGit.includes(text));
  const inside = (texts: readonly string[]) => texts.flatMap((text) => text.match(/open\w*\([^"]*"[^"]*\.git\/[^"]*"/g) ?? []);
  expect([inside(ofGit).length > 0, own.length > 1]).toEqual([true, true]);
  expect(inside(own)).toEqual([]);
});
