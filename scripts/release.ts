import { optionsOf } from './options.ts';
import { addressOf } from './release/address.ts';
import { candidateOf } from './release/candidate.ts';
import { changesetsIn, cut } from './release/cut.ts';
import type { Published } from './release/files.ts';
import { toolIn } from './release/tool.ts';
import { root } from './tasks.ts';

const usage = `npm run release -- [--dry-run [--repository <address>] [--without-binaries] [--to <folder>]]

Cuts a release on main: one commit and its tag.

  --dry-run           shows every file that the release of the last commit would publish, and changes nothing
  --repository        the repository that publishes; by default the origin of this checkout
  --without-binaries  leaves the executables out, which take a minute
  --to                keeps the files in this folder`;

const git = toolIn(root);

async function main(): Promise<void> {
  const { values } = optionsOf(usage, {
    options: {
      'dry-run': { type: 'boolean' },
      repository: { type: 'string' },
      'without-binaries': { type: 'boolean' },
      to: { type: 'string' },
    },
  });
  if (!values['dry-run']) {
    await mayRelease();
    const tag = await cut(root);
    // Nothing has left this machine. A push of the tag publishes the release (`.github/workflows/release.yml`).
    console.log(`${tag} is committed and tagged. Look at it, then publish it: git push --atomic origin main ${tag}`);
    return;
  }
  const address = addressOf(values.repository ?? (await origin()));
  const { tag, files } = await candidateOf(address, { hasBinaries: !values['without-binaries'], to: values.to ?? null });
  console.log(tableOf(tag, address.page, files));
  if ((await git('git', 'status', '--porcelain')) !== '') console.log('The changes that are not committed are no part of it.');
}

async function mayRelease(): Promise<void> {
  const branch = (await git('git', 'rev-parse', '--abbrev-ref', 'HEAD')).trim();
  if (branch !== 'main') throw new Error(`releases are cut from main, and this is ${branch}`);
  const dirt = await git('git', 'status', '--porcelain');
  if (dirt !== '') throw new Error(`a release holds only committed files. Commit these first:\n${dirt}`);
  if ((await changesetsIn(root)).length === 0) throw new Error('there is nothing to release: .changeset holds no changeset');
}

/** The address of the remote `origin`; empty without one, which no address is. */
const origin = async (): Promise<string> => (await git('git', 'config', '--default', '', '--get', 'remote.origin.url')).trim();

const places = { registry: 'npm', release: 'download', tag: 'at the tag' } as const satisfies Record<Published['place'], string>;

function tableOf(tag: string, page: string, files: readonly Published[]): string {
  const rows = files.map(({ place, name, size, digest }) => [places[place], name, String(size), digest]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, i) => (i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  '));
  return [`${tag} of ${page} would publish ${files.length} files (bytes, SHA-256):`, ...lines].join('\n');
}

try {
  await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}
