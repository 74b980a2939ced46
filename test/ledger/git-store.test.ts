import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { HeadMoved } from '../../src/ledger/stores/store.ts';
import { type GitPlace, openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';

const run = promisify(execFile);
const branch = receiptsBranch('preview', 'pr-1');
const secret = 'w0rd-of-the-remote';

let place: GitPlace;
let root: string;
let remote: GitRemoteServer;
const open: GitPlace['open'] = (change) => place.open(change);

beforeEach(async () => {
  place = await openGitPlace({ user: 'ci', password: secret });
  ({ root, remote } = place);
});
afterEach(() => place.close());

const one = (text: string): ReadonlyMap<string, string> => new Map([['records/ab/1.json', text]]);

describe('a commit of the ledger', () => {
  it('is an orphan beside the code, sound, by pilotfish, and skipped by CI', async () => {
    const store = await open();
    const first = await store.append(branch, one('1'), null, 'intents of 1 line');
    const second = await store.append(branch, one('2'), first, 'receipt');
    expect(await remote.git('rev-parse', branch)).toBe(second);
    expect((await remote.git('log', '--format=%H %an <%ae> %ci', branch)).split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${second} pilotfish <pilotfish@localhost> .* \\+0000$`)),
      expect.stringMatching(new RegExp(`^${first} pilotfish <pilotfish@localhost> .* \\+0000$`)),
    ]);
    expect(await remote.git('log', '-1', '--format=%s', branch)).toBe('receipt');
    expect(await remote.git('log', '-1', '--format=%B', branch)).toMatch(/\[skip ci\]$/);
    expect(await remote.git('fsck', '--strict', '--full')).toBe('');
  });

  it('leaves what people put beside the ledger where it is', async () => {
    const store = await open();
    await store.append(branch, one('1'), null, 'first');
    const work = path.join(root, 'work');
    const git = (...args: string[]) => run('git', args, { cwd: work, env: cleanGitEnv(root) });
    await run('git', ['clone', '--quiet', '--branch', branch, remote.urlWithAuth, work], { env: cleanGitEnv(root) });
    await writeFile(path.join(work, 'README.md'), 'Ours.');
    await writeFile(path.join(work, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'by hand');
    await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    const tree = await store.read(branch);
    await store.append(branch, one('2'), tree?.head ?? null, 'after');
    expect(await remote.git('show', `${branch}:README.md`)).toBe('Ours.');
    expect(await remote.git('ls-tree', branch, 'run.sh')).toMatch(/^100755 /);
    expect((await store.read(branch))?.files).toEqual(one('2'));
  });
});

describe('a push', () => {
  it('carries only what changed', async () => {
    const many = new Map(
      Array.from({ length: 600 }, (_, i) => [`records/${(i % 256).toString(16).padStart(2, '0')}/${i}.json`, `{"i":${i}}`]),
    );
    const store = await open();
    const first = await store.append(branch, many, null, 'all');
    const before = remote.count.bytesReceived;
    await store.append(branch, new Map([['records/07/7.json', '{"i":"new"}']]), first, 'one');
    expect(remote.count.bytesReceived - before).toBeLessThan(9_000);
    const other = await open({ env: cleanGitEnv(path.join(root, 'other')) });
    const tree = await other.read(branch);
    const again = remote.count.bytesReceived;
    await other.append(branch, new Map([['records/08/8.json', '{"i":"new"}']]), tree?.head ?? null, 'one');
    expect(remote.count.bytesReceived - again).toBeLessThan(9_000);
  });

  it('costs no fetch after one of our own, and a read then none of objects', async () => {
    const store = await open();
    let head = await store.append(branch, one('0'), null, 'first');
    const fetched = remote.count.fetches;
    for (let i = 1; i < 4; i += 1) head = await store.append(branch, one(String(i)), head, 'next');
    expect(remote.count.fetches).toBe(fetched);
    expect((await store.read(branch))?.head).toBe(head);
    expect(remote.count.fetches - fetched).toBe(1);
  });

  it('does not make a branch anew that was deleted meanwhile', async () => {
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    await remote.git('update-ref', '-d', `refs/heads/${branch}`);
    await expect(store.append(branch, one('2'), head, 'second')).rejects.toBeInstanceOf(HeadMoved);
    expect(await remote.git('for-each-ref')).toBe('');
    expect(await store.read(branch)).toBeNull();
  });

  it('never overwrites a branch that was moved back', async () => {
    const store = await open();
    const first = await store.append(branch, one('1'), null, 'first');
    const second = await store.append(branch, one('2'), first, 'second');
    await remote.git('update-ref', `refs/heads/${branch}`, first);
    await expect(store.append(branch, one('3'), second, 'third')).rejects.toBeInstanceOf(HeadMoved);
    expect((await store.read(branch))?.files).toEqual(one('1'));
  });

  it('is repeated when it was answered with 503, after the wait that the remote asks for', async () => {
    const waits: number[] = [];
    const clock: Clock = { ...quickClock, sleep: async (ms) => void waits.push(ms) };
    const store = await open({ clock });
    remote.answerNextPush(503, { 'retry-after': '7' });
    const head = await store.append(branch, one('1'), null, 'first');
    remote.answerNextPush(429);
    await store.append(branch, one('2'), head, 'second');
    expect(waits).toEqual([7_000, 1_000]);
    expect(store.stats.pushes).toBe(2);
    expect((await store.read(branch))?.files).toEqual(one('2'));
  });

  it('names the rule and the exemption when a branch rule refuses it', async () => {
    const store = await open();
    await remote.rejectPushes(`error: GH013: Repository rule violations found for refs/heads/${branch}. see http://u:p@docs.example/x`);
    const thrown = await store.append(branch, one('1'), null, 'first').catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('pilotfish-receipts/**') });
    expect(String(thrown)).toContain('GH013: Repository rule violations found');
    expect(String(thrown)).toContain('http://docs.example/x');
    expect(String(thrown)).not.toContain('u:p');
    expect(remote.count.pushes).toBe(1);
    await remote.rejectPushes(null);
    await store.append(branch, one('1'), null, 'first');
  });

  it('names the permission when the answer is 403', async () => {
    const store = await open();
    remote.answerNextPush(403);
    await expect(store.append(branch, one('1'), null, 'first')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      status: 403,
      detail: expect.stringContaining('does not let this credential write'),
      fix: expect.stringContaining('pilotfish-receipts/**'),
    });
  });

  it('says that its fate is not known when the remote stays away after the push was sent', async () => {
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    remote.cutNextPushAnswer(() => remote.stop());
    await expect(store.append(branch, one('2'), head, 'second')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('whether it landed is not known'),
    });
  });
});

describe('a credential', () => {
  it('is refused with a way to correct it, and appears nowhere', async () => {
    const store = await open({ url: remote.urlWithAuth.replace(secret, 'wrong-word') });
    const thrown = await store.read(branch).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', status: 401, fix: expect.stringContaining('git push') });
    expect(String(thrown)).not.toContain('wrong-word');
  });

  it('is used from the address and kept out of location, cache and commits', async () => {
    const learned: string[] = [];
    const store = await open({ onSecret: (text) => learned.push(text) });
    await store.append(branch, one('1'), null, 'first');
    expect(learned).toContain(secret);
    expect(store.location).toBe(remote.url);
    for (const file of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) expect((await readFile(path.join(file.parentPath, file.name))).includes(secret)).toBe(false);
    }
  });

  it('comes from the token variable, for its own host only', async () => {
    const tokenRemote = await startGitRemote({ user: 'x-access-token', password: 'tok-123' });
    const learned: string[] = [];
    const env = { ...cleanGitEnv(root), GITHUB_TOKEN: 'tok-123' };
    const own = await open({
      url: tokenRemote.url,
      env: { ...env, GITHUB_SERVER_URL: new URL(tokenRemote.url).origin },
      onSecret: (text) => learned.push(text),
    });
    expect(await own.read(branch)).toBeNull();
    expect(learned).toContain('tok-123');
    const elsewhere = await open({ url: tokenRemote.url, env, onSecret: (text) => learned.push(`leak ${text}`) });
    await expect(elsewhere.read(branch)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(learned.filter((text) => text.startsWith('leak'))).toEqual([]);
    await tokenRemote.stop();
  });

  it("comes from the action's own token, and for another repository of its host from the one that the workflow maps", async () => {
    const other = await startGitRemote({ user: 'x-access-token', password: 'ghp_of-locks', repo: 'acme/locks' });
    const server = { GITHUB_SERVER_URL: new URL(other.url).origin, GITHUB_TOKEN: 'ghp_of-locks' };
    const job = await open({ url: other.url, env: { ...cleanGitEnv(root), ...server, PILOTFISH_JOB_TOKEN: 'ghs_of-shop' } });
    expect(await job.read(branch)).toBeNull();
    expect(other.count.refused).toBe(1);
    const own = await open({
      url: other.url,
      env: { ...cleanGitEnv(root), ...server, GITHUB_TOKEN: 'x', PILOTFISH_JOB_TOKEN: 'ghp_of-locks' },
    });
    expect(await own.read(branch)).toBeNull();
    expect(other.count.refused).toBe(1);
    await other.stop();
  });

  it('comes from the job token of GitLab', async () => {
    const tokenRemote = await startGitRemote({ user: 'gitlab-ci-token', password: 'job-123' });
    const { hostname, port } = new URL(tokenRemote.url);
    const env = { ...cleanGitEnv(root), CI_JOB_TOKEN: 'job-123', CI_SERVER_HOST: hostname, CI_SERVER_PORT: port };
    expect(await (await open({ url: tokenRemote.url, env })).read(branch)).toBeNull();
    await tokenRemote.stop();
  });

  it('comes from the token that was made for GitLab before that of the job, for its own host only', async () => {
    const tokenRemote = await startGitRemote({ user: 'oauth2', password: 'glpat-123' });
    const { origin, hostname, port } = new URL(tokenRemote.url);
    const env = { ...cleanGitEnv(root), GITLAB_TOKEN: 'glpat-123', CI_JOB_TOKEN: 'job-123' };
    for (const server of [{ CI_SERVER_URL: `${origin}/gitlab` }, { CI_SERVER_HOST: hostname, CI_SERVER_PORT: port }]) {
      const store = await open({ url: tokenRemote.url, env: { ...env, ...server } });
      expect(await store.read(branch)).toBeNull();
    }
    expect(tokenRemote.count.refused).toBe(0);
    const learned: string[] = [];
    for (const server of [{}, { CI_SERVER_URL: 'https://gitlab.example' }, { CI_SERVER_URL: 'nonsense' }]) {
      const elsewhere = await open({ url: tokenRemote.url, env: { ...env, ...server }, onSecret: (text) => learned.push(text) });
      await expect(elsewhere.read(branch)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    }
    expect(learned).toEqual([]);
    await tokenRemote.stop();
  });

  it('comes from the job token of GitLab where the other may not push', async () => {
    const tokenRemote = await startGitRemote({ user: 'gitlab-ci-token', password: 'job-123' });
    const env = { GITLAB_TOKEN: 'of-another-purpose', CI_JOB_TOKEN: 'job-123', CI_SERVER_URL: new URL(tokenRemote.url).origin };
    const store = await open({ url: tokenRemote.url, env: { ...cleanGitEnv(root), ...env } });
    await store.append(branch, one('1'), null, 'first');
    expect(tokenRemote.count.refused).toBe(1);
    await tokenRemote.stop();
  });

  it('comes from the header that CI wrote into an included configuration file', async () => {
    const work = path.join(root, 'work');
    const env = cleanGitEnv(root);
    await run('git', ['init', '--quiet', work], { env });
    const basic = Buffer.from(`ci:${secret}`).toString('base64');
    await writeFile(
      path.join(root, 'ci.config'),
      `[http "${new URL(remote.url).origin}/"]\n  extraheader = AUTHORIZATION: basic ${basic}\n`,
    );
    await run('git', ['config', 'include.path', path.join(root, 'ci.config')], { cwd: work, env });
    const learned: string[] = [];
    const store = await open({ url: remote.url, cwd: work, onSecret: (text) => learned.push(text) });
    await store.append(branch, one('1'), null, 'first');
    expect(learned).toEqual(expect.arrayContaining([basic, secret]));
  });

  it('comes from that header as it was asked for before, without a second question', async () => {
    const basic = Buffer.from(`ci:${secret}`).toString('base64');
    const extraHeader = Promise.resolve({ code: 0, stdout: `AUTHORIZATION: basic ${basic}\n`, stderr: '', timedOut: false });
    const store = await open({ url: remote.url, extraHeader });
    await store.append(branch, one('1'), null, 'first');
    expect(remote.count.refused).toBe(0);
  });

  it('comes from a credential helper only after a refusal, and is taken back when it is wrong', async () => {
    const log = path.join(root, 'helper.log');
    const helper = path.join(root, 'helper.sh');
    await writeFile(
      helper,
      `#!/bin/sh\necho "$1" >> ${log}\n[ "$1" = get ] && printf 'username=ci\\npassword=%s\\n' "$HELPER_WORD"\nexit 0\n`,
      {
        mode: 0o755,
      },
    );
    await writeFile(path.join(root, '.gitconfig'), `[credential]\n  helper = ${helper}\n`);
    const right = await open({ url: remote.url, env: { ...cleanGitEnv(root), HELPER_WORD: secret } });
    await right.append(branch, one('1'), null, 'first');
    expect(remote.count.refused).toBe(1);
    expect(await readFile(log, 'utf8')).toBe('get\n');
    const wrong = await open({ url: remote.url, env: { ...cleanGitEnv(root), HELPER_WORD: 'old' } });
    await expect(wrong.read(branch)).rejects.toMatchObject({ code: 'LEDGER_REFUSED', status: 401 });
    expect(await readFile(log, 'utf8')).toBe('get\nget\nerase\n');
  });

  it('gives way to the next one when the remote refuses it', async () => {
    const env = { ...cleanGitEnv(root), GITHUB_TOKEN: 'of-another-purpose', GITHUB_SERVER_URL: new URL(remote.url).origin };
    const store = await open({ env });
    await store.append(branch, one('1'), null, 'first');
    expect(remote.count.refused).toBe(1);
  });
});

describe('the cache repository', () => {
  const caches = path.join('.cache', 'pilotfish');

  it('is one per remote, in the folder that PILOTFISH_CACHE_DIR names', async () => {
    const folder = path.join(root, 'elsewhere');
    const env = { ...cleanGitEnv(root), PILOTFISH_CACHE_DIR: folder };
    for (const userinfo of ['ci', 'someone']) {
      const store = await open({ env, url: remote.urlWithAuth.replace('//ci:', `//${userinfo}:`) });
      await store.read(branch).catch(() => undefined);
    }
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('may be damaged at any time', async () => {
    const writer = await open({ env: cleanGitEnv(path.join(root, 'other')) });
    const head = await writer.append(branch, one('1'), null, 'first');
    const store = await open();
    await store.read(branch);
    const cache = path.join(root, caches, (await readdir(path.join(root, caches)))[0] ?? '');
    for (const pack of await readdir(path.join(cache, 'objects/pack'))) await writeFile(path.join(cache, 'objects/pack', pack), 'torn');
    const later = await open();
    expect(await later.read(branch)).toMatchObject({ head, files: one('1') });
    await later.append(branch, one('2'), head, 'second');
    await rm(path.join(root, caches), { recursive: true });
    expect((await store.read(branch))?.files).toEqual(one('2'));
  });

  it('does without its folder when that cannot be written', async () => {
    await writeFile(path.join(root, 'file'), '');
    const store = await open({ cacheDir: path.join(root, 'file', 'cache') });
    await store.append(branch, one('1'), null, 'first');
    expect((await store.read(branch))?.files).toEqual(one('1'));
  });

  it('is shared by runs at the same time', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await Promise.all(stores.map((store, i) => store.append(receiptsBranch('preview', `pr-${i}`), one(String(i)), null, 'first')));
    for (const store of stores) {
      for (let i = 0; i < stores.length; i += 1)
        expect((await store.read(receiptsBranch('preview', `pr-${i}`)))?.files).toEqual(one(String(i)));
    }
  });
});

describe('a damaged ledger', () => {
  it('is refused, not guessed', async () => {
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    const tree = await remote.git('rev-parse', `${head}^{tree}`);
    const blob = path.join(root, 'bytes');
    await writeFile(blob, Buffer.from([0xff, 0xfe, 0x00]));
    const oid = await remote.git('hash-object', '-w', blob);
    const index = { ...cleanGitEnv(root), GIT_INDEX_FILE: path.join(root, 'index'), GIT_DIR: remote.dir };
    await run('git', ['read-tree', tree], { env: index });
    await run('git', ['update-index', '--add', '--cacheinfo', `100644,${oid},.pilotfish/records/ab/1.json`], { env: index });
    const bad = (await run('git', ['write-tree'], { env: index })).stdout.trim();
    const commit = (await run('git', ['commit-tree', bad, '-p', head, '-m', 'bad'], { env: index })).stdout.trim();
    await remote.git('update-ref', `refs/heads/${branch}`, commit);
    await expect(store.read(branch)).rejects.toMatchObject({
      code: 'LEDGER_CORRUPT',
      detail: expect.stringContaining('records/ab/1.json'),
    });
  });
});
