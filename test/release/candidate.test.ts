import { hash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressesIn, addressOf } from '../../scripts/release/address.ts';
import { execute, root } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isWhole } from '../support/whole.ts';
import { copySources } from './sources.ts';

describe('the addresses of a release', () => {
  it.each([
    'https://github.com/acme-tools/pilotfish',
    'https://github.com/acme-tools/pilotfish.git',
    'https://someone:a-token@github.com/acme-tools/pilotfish.git',
    'ssh://git@github.com:22/acme-tools/pilotfish.git/',
    'git@github.com:acme-tools/pilotfish.git',
  ])('come from the origin %s, without what is secret in it', (remote) => {
    const address = addressOf(remote);
    expect(address).toEqual({ page: 'https://github.com/acme-tools/pilotfish', repository: 'acme-tools/pilotfish' });
    expect(addressesIn(address, 'sandbox')).toEqual({
      repository: { type: 'git', url: 'git+https://github.com/acme-tools/pilotfish.git', directory: 'sandbox' },
      homepage: 'https://github.com/acme-tools/pilotfish#readme',
      bugs: { url: 'https://github.com/acme-tools/pilotfish/issues' },
    });
  });

  it.each(['', '/srv/git/pilotfish.git', 'file:///srv/pilotfish', '../pilotfish', 'https://github.com/', 'C:\\pilotfish'])(
    'are refused for %s, which nobody else can open',
    (remote) => {
      expect(() => addressOf(remote)).toThrow('--repository https://');
    },
  );

  it('stand in no package of the sources', async () => {
    for (const name of ['package.json', 'sandbox/package.json'])
      expect(Object.keys(JSON.parse(await readFile(join(root, name), 'utf8')))).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:repository|homepage|bugs|mcpName)$/)]),
      );
  });
});

// It builds each package and both executables. `npm run whole -- test/release` runs it.
it.skipIf(!isWhole)('a dry run makes every file of the next release, shows size and digest of each, and changes nothing', async () => {
  const { folder, run } = await copySources();
  await expect(run('node', ['scripts/release.ts', '--dry-run'])).rejects.toThrow('--repository https://');
  await run('git', ['remote', 'add', 'origin', 'git@github.com:acme-tools/pilotfish.git']);
  await writeFile(join(folder, '.changeset/one.md'), '---\n"pilotfish": minor\n---\n\nA sentence.\n');
  await run('git', ['add', '.']);
  await run('git', ['commit', '--quiet', '--message', 'a change']);
  const [major = 0, minor = 0] = (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version as string)
    .split('.')
    .map(Number);
  const version = `${major}.${minor + 1}.0`;
  const before = await run('git', ['for-each-ref']);

  const to = await tempFolder('candidate');
  const [first = '', ...rows] = (await run('node', ['scripts/release.ts', '--dry-run', '--to', to])).split('\n');
  const files = rows.map((row) => /^(npm|download|at the tag) +(\S+) +(\d+) +([0-9a-f]{64})$/.exec(row)?.slice(1) ?? [row]);
  expect(first).toBe(`v${version} of https://github.com/acme-tools/pilotfish would publish ${files.length} files (bytes, SHA-256):`);
  expect(files.map(([place, name]) => `${place} ${name}`)).toEqual([
    `npm pilotfish-${version}.tgz`,
    `npm pilotfish-sandbox-${version}.tgz`,
    'download SHA256SUMS',
    'download THIRD-PARTY-NOTICES.txt',
    'download pilotfish-linux-arm64',
    'download pilotfish-linux-x64',
    'download recipe-family.schema.json',
    'download release.plan.schema.json',
    'download server.json',
    'at the tag action.yml',
    'at the tag action/action.yml',
    'at the tag action/index.js',
    'at the tag action/package.json',
    'at the tag action/THIRD-PARTY-NOTICES.txt',
  ]);
  for (const [place, name = '', size, digest] of files) {
    if (place === 'at the tag') continue;
    const file = join(to, place === 'npm' ? 'registry' : 'release', name);
    expect([(await stat(file)).size, hash('sha256', await readFile(file), 'hex')], name).toEqual([Number(size), digest]);
  }
  const sums = await execute('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(to, 'release'), env: process.env });
  expect(sums).toEqual({ code: 0, stdout: '', stderr: '' });

  for (const [name, directory] of [
    ['pilotfish', null],
    ['pilotfish-sandbox', 'sandbox'],
  ] as const) {
    const text = await run('tar', ['-xzOf', join(to, `registry/${name}-${version}.tgz`), 'package/package.json']);
    const manifest = JSON.parse(text);
    expect(manifest).toMatchObject({ version, ...addressesIn(addressOf('https://github.com/acme-tools/pilotfish'), directory) });
    expect(manifest.private).toBeUndefined();
    expect(manifest.mcpName).toBe(directory === null ? 'io.github.acme-tools/pilotfish' : undefined);
  }
  const server = JSON.parse(await readFile(join(to, 'release/server.json'), 'utf8'));
  expect(server).toMatchObject({ name: 'io.github.acme-tools/pilotfish', version, packages: [{ version }] });

  expect(await run('git', ['status', '--porcelain'])).toBe('');
  expect(await run('git', ['for-each-ref'])).toBe(before);
  expect((await readdir(folder)).filter((name) => name.startsWith('dist'))).toEqual([]);
});
