import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appFolders } from '../../src/ledger/stores/git/git-app-folders.ts';
import { gitCredentials } from '../../src/ledger/stores/git/git-credentials.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { openStore } from '../../src/ledger/stores/open-store.ts';
import { isAncestor } from '../../src/platform/ancestry.ts';
import { repositoryFacts } from '../../src/platform/checkout.ts';
import { openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const branch = 'pilotfish-receipts/preview/pr-1';
const change = new Map([['a.json', '1']]);

/** The home of a person, a checkout of theirs whose configuration somebody else wrote, and a folder where each program leaves its name. */
async function poisoned() {
  const home = await tempFolder('home');
  const marks = await tempFolder('marks');
  const cwd = join(home, 'checkout');
  const env = cleanGitEnv(home);
  const git = async (...args: readonly string[]): Promise<string> => (await run('git', [...args], { cwd, env })).stdout.trim();
  await mkdir(cwd);
  await git('init', '--quiet', '--initial-branch=main');
  await mkdir(join(cwd, 'app'));
  await writeFile(join(cwd, 'app/package.json'), '{}');
  await git('add', '.');
  await git('commit', '--quiet', '--message=first');
  const mark = (name: string): string => `touch '${join(marks, name)}'`;
  return {
    home,
    cwd,
    env,
    git,
    mark,
    /** The programs of the checkout that ran. */
    ran: () => readdir(marks),
    set: async (key: string, name = key): Promise<void> => void (await git('config', '--add', key, `${mark(name)};:`)),
    /** Every key of git's configuration that names a program, and every hook. */
    poison: async (): Promise<void> => {
      const keys = [
        'core.fsmonitor',
        'core.sshCommand',
        'core.gitProxy',
        'core.askPass',
        'core.pager',
        'core.editor',
        'core.alternateRefsCommand',
        'diff.external',
        'filter.x.clean',
        'filter.x.smudge',
        'filter.x.process',
        'gpg.program',
        'gc.recentObjectsHook',
        'uploadpack.packObjectsHook',
        'remote.origin.uploadpack',
        'remote.origin.receivepack',
        'pager.config',
        'pager.remote',
        'alias.rev-parse',
      ];
      for (const key of keys) await git('config', key, `${mark(key)};:`);
      await git('config', 'credential.helper', `!${mark('credential.helper')};:`);
      await git('config', 'credential.https://example.org.helper', `!${mark('credential.url.helper')};:`);
      await git('config', 'push.gpgSign', 'if-asked');
      await writeFile(join(cwd, '.gitattributes'), '* filter=x diff=x\n');
      await git('config', 'extensions.worktreeConfig', 'true');
      await writeFile(join(cwd, '.git/config.worktree'), `[credential]\n\thelper = "!${mark('worktree.helper')};:"\n`);
      const hooks = 'pre-push reference-transaction post-index-change post-checkout pre-auto-gc fsmonitor-watchman push-to-checkout';
      for (const name of hooks.split(' ')) {
        await writeFile(join(cwd, '.git/hooks', name), `#!/bin/sh\n${mark(`hook.${name}`)}\n`, { mode: 0o755 });
      }
    },
  };
}

describe('the configuration of a checkout starts no program', () => {
  it('while the checkout is looked at', async () => {
    const { cwd, env, git, poison, ran } = await poisoned();
    const first = await git('rev-parse', 'HEAD');
    await git('commit', '--quiet', '--allow-empty', '--message=second');
    const second = await git('rev-parse', 'HEAD');
    await git('remote', 'add', 'origin', 'https://example.org/o/r.git');
    await poison();
    const facts = await repositoryFacts(cwd, env);
    expect(facts).toMatchObject({ sha: second, slug: 'o/r', branch: 'main' });
    expect(await isAncestor({ cwd, env, facts }, first, second)).toBe(true);
    expect(await appFolders(cwd, env)).toEqual(['app']);
    expect(await ran()).toEqual([]);
  });

  it('where an object is missing that a partial clone would fetch', async () => {
    const { home, cwd, env, git, set, ran } = await poisoned();
    await git('config', 'extensions.partialClone', 'origin');
    await git('config', 'core.repositoryFormatVersion', '1');
    await git('config', 'remote.origin.promisor', 'true');
    for (const url of [join(home, 'other.git'), 'ext::sh -c true', 'ssh://example.org/o/r']) {
      await git('config', 'remote.origin.url', url);
      await set('remote.origin.uploadpack');
      await set('core.sshCommand');
      const facts = await repositoryFacts(cwd, env);
      expect(await isAncestor({ cwd, env, facts }, await git('rev-parse', 'HEAD'), 'f'.repeat(40))).toBe(false);
    }
    expect(await ran()).toEqual([]);
  });

  it('in a folder of the checkout that looks like a bare repository', async () => {
    const { cwd, env, git, mark, ran } = await poisoned();
    await git('remote', 'add', 'origin', 'https://example.org/o/r.git');
    const inner = join(cwd, 'vendor');
    await run('git', ['init', '--quiet', '--bare', inner], { env });
    await writeFile(join(inner, 'config'), `[core]\n\tbare = false\n\tworktree = "."\n\tfsmonitor = "${mark('bare')};:"\n`);
    await expect(repositoryFacts(inner, env)).rejects.toMatchObject({ code: 'USAGE' });
    expect(await appFolders(inner, env)).toEqual([]);
    expect(await ran()).toEqual([]);
  });

  it('while a ledger in a folder is read and written', async () => {
    const { home, cwd, env, git, poison, ran } = await poisoned();
    await run('git', ['init', '--quiet', '--bare', join(home, 'remote.git')], { env });
    await git('remote', 'add', 'origin', join(home, 'remote.git'));
    await poison();
    const store = await openStore({ receipts: null, facts: await repositoryFacts(cwd, env), cwd, env, isForWriting: true });
    onTestFinished(() => store.close());
    await store.append(branch, change, null, 'first');
    expect((await store.read(branch))?.files.get('a.json')).toBe('1');
    expect(await ran()).toEqual([]);
  });

  it('while a ledger is reached over ssh, by the ssh command of the person', async () => {
    const { home, cwd, env, git, poison, ran } = await poisoned();
    await run('git', ['init', '--quiet', '--bare', join(home, 'remote.git')], { env });
    await git('remote', 'add', 'origin', `git@example.org:${join(home, 'remote.git')}`);
    await writeFile(join(home, 'ssh'), `#!/bin/sh\necho "$0" >> ${home}/calls\nfor last; do :; done\nexec sh -c "$last"\n`, {
      mode: 0o755,
    });
    // What a person includes for the folders of one employer holds here as well.
    await writeFile(join(home, '.gitconfig'), `[includeIf "gitdir:${cwd}/"]\n\tpath = work\n[ssh]\n\tvariant = ssh\n`);
    await writeFile(join(home, 'work'), `[core]\n\tsshCommand = ${join(home, 'ssh')}\n`);
    await poison();
    const store = await openStore({ receipts: null, facts: await repositoryFacts(cwd, env), cwd, env });
    onTestFinished(() => store.close());
    await store.append(branch, change, null, 'first');
    expect((await store.read(branch))?.files.get('a.json')).toBe('1');
    expect(await ran()).toEqual([]);
  });

  it('and a refusal over ssh says that the ssh command of the checkout was left out', async () => {
    const { home, cwd, env, git, poison, ran } = await poisoned();
    await git('remote', 'add', 'origin', 'git@example.org:o/r.git');
    const program = join(home, 'ssh');
    await writeFile(program, '#!/bin/sh\necho "git@example.org: Permission denied (publickey)." >&2\nexit 255\n', { mode: 0o755 });
    await poison();
    const own = { ...env, GIT_SSH_COMMAND: program, GIT_SSH_VARIANT: 'ssh' };
    const store = await openStore({ receipts: null, facts: await repositoryFacts(cwd, own), cwd, env: own });
    onTestFinished(() => store.close());
    await expect(store.head(branch)).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('pilotfish did not use the `core.sshCommand` of this checkout'),
      fix: expect.stringContaining('GIT_SSH_COMMAND'),
    });
    expect(await ran()).toEqual([]);
  });

  it('while a credential is looked for: the helpers of the person are asked, those of the checkout are not', async () => {
    const { home, cwd, env, poison, ran } = await poisoned();
    await poison();
    const told = async (url: string): Promise<readonly unknown[]> => {
      const credentials = gitCredentials({ url, cwd, env, onSecret: () => undefined });
      const first = await credentials.current();
      const isMore = await credentials.refused(401, first);
      return [first, isMore ? await credentials.current() : null];
    };
    expect(await told('https://example.org/o/r.git')).toEqual([{}, null]);
    await writeFile(join(home, '.gitconfig'), `[includeIf "gitdir:${cwd}/"]\n\tpath = work\n`);
    const helper = '!f() { echo username=me; echo password=right-password; }; f';
    await writeFile(join(home, 'work'), `[credential "https://example.org"]\n\thelper = "${helper}"\n`);
    const authorization = `Basic ${Buffer.from('me:right-password').toString('base64')}`;
    expect(await told('https://example.org/o/r.git')).toEqual([{}, { authorization }]);
    expect(await told('https://other.test/o/r.git')).toEqual([{}, null]);
    expect(await ran()).toEqual([]);
  });

  it('and a header that a job configured signs in, as before', async () => {
    const place = await openGitPlace({ user: 'bot', password: 'right-password' });
    onTestFinished(() => place.close());
    const { cwd, git, poison, ran } = await poisoned();
    const header = `AUTHORIZATION: basic ${Buffer.from('bot:right-password').toString('base64')}`;
    await git('config', `http.${new URL(place.remote.url).origin}/.extraheader`, header);
    await poison();
    const store = await place.open({ url: place.remote.url, cwd });
    await store.append(branch, change, null, 'first');
    expect((await store.read(branch))?.files.get('a.json')).toBe('1');
    expect(await ran()).toEqual([]);
  });

  it('nor names a folder of the person as the top of the checkout, where a run would keep its files', async () => {
    const { home, cwd, env, git } = await poisoned();
    await mkdir(join(home, 'documents'));
    await git('config', 'core.worktree', join(home, 'documents'));
    await expect(repositoryFacts(cwd, env)).rejects.toMatchObject({ code: 'USAGE', fix: expect.stringContaining('core.worktree') });
  });
});

describe('a remote that runs a program', () => {
  it.each([
    'ext::sh -c "touch MARK"',
    'fd::17',
    'fd::0',
    'git://example.org/o/r.git',
    'ftp://example.org/o/r.git',
    'transport::https://example.org/o/r.git',
    '--upload-pack=touch MARK',
    '-c core.sshCommand=x',
    'ssh://-oProxyCommand=touch MARK/o/r',
    '-oProxyCommand=touch:o/r',
    'https://a%0ahost=example.org@127.0.0.1:9/o/r.git',
  ])('is refused before anything is started: %s', async (url) => {
    const { cwd, env, git, mark, ran } = await poisoned();
    await git('config', 'remote.origin.url', url.replace('touch MARK', mark('remote')));
    await git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    await git('config', 'protocol.allow', 'always');
    const facts = await repositoryFacts(cwd, env);
    await expect(openStore({ receipts: null, facts, cwd, env })).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringMatching(/^The git remote ".+" uses a transport that pilotfish refuses\./),
      fix: expect.stringContaining('git remote set-url'),
    });
    // Two repositories may share their locks through another remote.
    expect(() => openGitStore({ url, cwd, env })).toThrow('pilotfish refuses');
    expect(await ran()).toEqual([]);
  });

  it('is refused where the checkout rewrites a good address to it', async () => {
    const { cwd, env, git, mark } = await poisoned();
    await git('remote', 'add', 'origin', 'https://example.org/o/r.git');
    await git('config', `url.ext::sh -c "${mark('rewritten')}" .insteadOf`, 'https://example.org/');
    await expect(openStore({ receipts: null, facts: await repositoryFacts(cwd, env), cwd, env })).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
    });
  });

  it.each(['vendor/remote.git', './vendor/remote.git', 'file'])(
    'is refused where it is a folder of the checkout itself: %s',
    async (named) => {
      const { cwd, env, git, mark, ran } = await poisoned();
      const remote = join(cwd, 'vendor/remote.git');
      await run('git', ['init', '--quiet', '--bare', remote], { env });
      for (const name of ['pre-receive', 'post-receive', 'update']) {
        await writeFile(join(remote, 'hooks', name), `#!/bin/sh\n${mark(name)}\n`, { mode: 0o755 });
      }
      await git('remote', 'add', 'origin', named === 'file' ? `file://${remote}` : named);
      await expect(openStore({ receipts: null, facts: await repositoryFacts(cwd, env), cwd, env })).rejects.toMatchObject({
        code: 'LEDGER_REFUSED',
        detail: expect.stringContaining('inside this checkout'),
      });
      expect(await ran()).toEqual([]);
    },
  );
});
