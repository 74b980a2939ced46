import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAll } from '../../src/ledger/stores/read-all.ts';
import { repositoryFacts } from '../../src/platform/checkout.ts';
import { type GitPlace, openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv } from '../support/git-remote.ts';

const branch = 'pilotfish-receipts/preview/pr-1';
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);
const formats = ['sha1', 'sha256'] as const;
const digits = { sha1: 40, sha256: 64 };

let place: GitPlace;
afterEach(() => place.close());

describe.each(formats)('a remote with %s', (objectFormat) => {
  beforeEach(async () => {
    place = await openGitPlace({ user: 'ci', password: 'word-0123456789', objectFormat });
  });

  describe.each(['http', 'folder'] as const)('over %s', (way) => {
    const at = () => ({ url: way === 'http' ? place.remote.urlWithAuth : place.remote.dir });

    it.each(formats)('is found out, whatever the checkout is (%s)', async (format) => {
      const store = await place.open({ ...at(), format });
      const head = await store.append(branch, one('1'), null, 'first');
      expect(head).toHaveLength(digits[objectFormat]);
      const other = await place.open({ ...at(), format, cacheDir: path.join(place.root, 'other') });
      expect(await other.list('pilotfish-receipts/')).toEqual([{ branch, head }]);
      expect(await other.read(branch)).toMatchObject({ head, files: one('1') });
      expect(await store.append(branch, one('2'), head, 'second')).toHaveLength(digits[objectFormat]);
    });

    it('gives many branches at once', async () => {
      const store = await place.open(at());
      const names = Array.from({ length: 5 }, (_, i) => `pilotfish-receipts/preview/pr-${i}`);
      for (const name of names) await store.append(name, one(name), null, 'first');
      const seen: unknown[] = [];
      for await (const read of readAll(store, 'pilotfish-receipts/')) seen.push([read.branch, 'tree' in read && read.tree.files.get('a')]);
      expect(seen).toEqual(names.map((name) => [name, name]));
    });
  });
});

describe('a remote with SHA-256 over http', () => {
  beforeEach(async () => {
    place = await openGitPlace({ user: 'ci', password: 'word-0123456789', objectFormat: 'sha256' });
  });

  it('gets no credential by a program that the checkout names', async () => {
    const checkout = path.join(place.root, 'checkout');
    const mark = path.join(place.root, 'mark');
    await mkdir(checkout);
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { cwd: checkout, env: cleanGitEnv(place.root), encoding: 'utf8' });
    git('init', '--quiet', '--object-format=sha256');
    git('config', 'credential.helper', `!touch ${mark}; echo username=ci; echo password=word-0123456789; :`);
    git('config', 'core.sshCommand', `touch ${mark}`);
    const store = await place.open({ url: place.remote.url, cwd: checkout, top: checkout, format: 'sha256' });
    await expect(store.append(branch, one('1'), null, 'first')).rejects.toMatchObject({ code: 'LEDGER_REFUSED', status: 401 });
    expect(existsSync(mark)).toBe(false);
    expect((await repositoryFacts(checkout, cleanGitEnv(place.root)))?.objectFormat).toBe('sha256');
  });

  it('is asked again while it is busy, and tells a refusal in its own words', async () => {
    const store = await place.open();
    place.remote.answerNextPush(503);
    const head = await store.append(branch, one('1'), null, 'first');
    expect([await store.head(branch), place.remote.count.pushes]).toEqual([head, 2]);
    await place.remote.rejectPushes('branches of this name are protected');
    await expect(store.append(branch, one('2'), head, 'second')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('branches of this name are protected'),
    });
  });
});
