import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyTree, type ObjectFormat } from '../../src/ledger/stores/git/git-format.ts';
import { type GitObject, gitCommit, gitObject, gitTree, looseOf, packOf } from '../../src/ledger/stores/git/git-object.ts';
import { changeFolder, commitFacts, type GitFolder } from '../../src/ledger/stores/git/git-tree.ts';
import { cleanGitEnv } from '../support/git-remote.ts';

let root: string;
let env: NodeJS.ProcessEnv;
const git = (args: readonly string[], input?: Buffer): string => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, env, ...(input && { input }) });
  expect([status, String(stderr)], args.join(' ')).toEqual([0, expect.any(String)]);
  return String(stdout).trim();
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pilotfish-object-')));
  env = cleanGitEnv(root);
  git(['init', '--quiet', '--bare', '.']);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The objects of a change of a folder, and the folder. */
function made(
  before: GitFolder | null,
  files: { readonly [path: string]: string | null },
  format: ObjectFormat = 'sha1',
): readonly [GitFolder | null, GitObject[]] {
  const objects = new Map<string, GitObject>();
  const folder = changeFolder(before, new Map(Object.entries(files)), { format, made: (object) => void objects.set(object.oid, object) });
  return [folder, [...objects.values()]];
}

/** A repository takes a pack with SHA-1, as a push brings it, and single objects with SHA-256, as the cache keeps them. */
function keep(objects: readonly GitObject[], format: ObjectFormat): void {
  if (format === 'sha1') {
    git(['index-pack', '--strict', '--stdin', '--fix-thin'], packOf(objects));
    return;
  }
  git(['init', '--quiet', '--bare', '--object-format=sha256', 'other']);
  for (const object of objects) {
    const folder = path.join(root, 'other', 'objects', object.oid.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, object.oid.slice(2)), looseOf(object));
  }
}

it.each(['sha1', 'sha256'] as const)('makes what git with %s itself takes for whole: names, order, lengths, and a commit', (format) => {
  // Of lengths that need one byte, two, three and four in a pack; folders among files that sort around them.
  const long = [0, 15, 16, 2_047, 2_048, 262_143, 262_144, 300_000].map((length, i) => [`l/${i}`, 'x'.repeat(length)] as const);
  const files = {
    ...Object.fromEntries(long),
    'a/b': '1',
    'a.json': '2',
    a0: '3',
    a_: '4',
    'é/🐟.json': 'Größe 🐟',
    'records/ab/c.json': '{}',
  };
  const [folder, objects] = made(null, files, format);
  const by = { name: 'A <b>\n', email: 'a@b.example' };
  const commit = gitCommit({ tree: folder?.oid ?? '', parent: null, by, at: 1_700_000_000, message: 'A subject\n\nAppend x\n', format });
  keep([...objects, commit], format);
  const at = format === 'sha1' ? [] : ['--git-dir=other'];
  git([...at, 'fsck', '--strict', '--no-dangling', commit.oid]);
  expect(git([...at, 'log', '-1', '--format=%an|%ae|%at|%s|%b', commit.oid])).toBe('A b|a@b.example|1700000000|A subject|Append x');
  const listed = git([...at, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit.oid]).split('\n');
  expect(listed.sort()).toEqual(Object.keys(files).sort());
  for (const [name, text] of Object.entries(files)) expect(git([...at, 'cat-file', '-p', `${commit.oid}:${name}`])).toBe(text);
});

it('gives objects the names that git gives them', () => {
  const text = Buffer.from('Größe 🐟\n');
  git(['init', '--quiet', '--bare', '--object-format=sha256', 'other']);
  for (const [format, dir] of [
    ['sha1', '.'],
    ['sha256', 'other'],
  ] as const) {
    expect(gitObject('blob', text, format).oid).toBe(git([`--git-dir=${dir}`, 'hash-object', '--stdin'], text));
    expect([gitTree([], format).oid, emptyTree[format]]).toEqual(
      Array(2).fill(git([`--git-dir=${dir}`, 'hash-object', '-t', 'tree', '/dev/null'])),
    );
  }
});

it('makes for one changed file as many objects in a large ledger as in a small one', () => {
  const countFor = (size: number): number => {
    const [whole] = made(
      null,
      Object.fromEntries(Array.from({ length: size }, (_, i) => [`records/${(i % 256).toString(16)}/${i}.json`, String(i)])),
    );
    const [, objects] = made(whole, { 'records/7/7.json': 'changed', 'records/7/none.json': null });
    return objects.length;
  };
  // The text, its folder, the folder of records, and the top.
  expect([countFor(20), countFor(3_000)]).toEqual([4, 4]);
});

it('tells a commit by its first parent, whether it has another, and its message', () => {
  const tree = git(['mktree'], Buffer.alloc(0));
  const commit = (message: string, ...parents: readonly string[]): string =>
    git(['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', tree, ...parents.flatMap((one) => ['-p', one]), '-m', message]);
  const told = (oid: string) => commitFacts(git(['cat-file', 'commit', oid]));
  const first = commit('the first\n\nparent of all');
  const second = commit('the second', first);
  expect(told(first)).toEqual({ parent: null, message: 'the first\n\nparent of all' });
  expect(told(second)).toEqual({ parent: first, message: 'the second' });
  expect(told(commit('a merge', first, second))).toEqual({ parent: first, isMerge: true, message: 'a merge' });
});
