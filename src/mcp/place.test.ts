import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOf, rootPaths } from './place.ts';

let top = '';
let own = '';
let other = '';

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'pilotfish-place-')));
  own = join(top, 'shop');
  other = join(top, 'shop-other');
  await mkdir(join(own, 'api'), { recursive: true });
  await mkdir(other);
  await writeFile(join(other, 'release.plan.yaml'), 'version: 1\nchanges: []\n');
  await symlink(other, join(own, 'link'));
});

afterAll(() => rm(top, { recursive: true, force: true }));

describe('the folder of a call', () => {
  it("is the server's, or one inside of it", async () => {
    expect(await placeOf({}, { cwd: own, roots: [] })).toBe(own);
    expect(await placeOf({ directory: join(own, 'api') }, { cwd: own, roots: [] })).toBe(join(own, 'api'));
    expect(await placeOf({ plan: 'api/other.yaml' }, { cwd: own, roots: [] })).toBe(own);
  });

  it('is never one beside it, above it or behind a link, and neither is its plan', async () => {
    for (const asked of [
      { directory: other },
      { directory: top },
      { directory: join(own, 'link') },
      { plan: '../shop-other/release.plan.yaml' },
      { plan: join(own, 'link', 'release.plan.yaml') },
    ]) {
      expect(await placeOf(asked, { cwd: own, roots: null })).toBe('outside');
      await expect(placeOf(asked, { cwd: own, roots: [] })).rejects.toThrow('USAGE');
      await expect(placeOf(asked, { cwd: own, roots: [join(own, 'api')] })).rejects.toThrow('lies outside');
    }
  });

  it('is one that the client names as a root', async () => {
    expect(await placeOf({ directory: other }, { cwd: own, roots: [other] })).toBe(other);
  });

  it('is an existing folder, by its absolute path', async () => {
    await expect(placeOf({ directory: 'api' }, { cwd: own, roots: [] })).rejects.toThrow('not an absolute path');
    await expect(placeOf({ directory: join(own, 'gone') }, { cwd: own, roots: [] })).rejects.toThrow('no existing folder');
    await expect(placeOf({ directory: join(other, 'release.plan.yaml') }, { cwd: own, roots: [other] })).rejects.toThrow(
      'no existing folder',
    );
  });

  it('ignores roots that are no folders of this machine', () => {
    expect(rootPaths([{ uri: 'https://acme.example/' }, { uri: 'no uri' }, { uri: pathToFileURL('/srv/shop').href }])).toEqual([
      '/srv/shop',
    ]);
  });
});
