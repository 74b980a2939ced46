import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../tasks.ts';
import type { Address } from './address.ts';
import { changesetsIn, cut, versionOf } from './cut.ts';
import { makeFiles, type Published } from './files.ts';
import { fillAddresses } from './fill-in.ts';
import { toolIn } from './tool.ts';

export interface Candidate {
  readonly tag: string;
  readonly files: readonly Published[];
}

/**
 * Makes the release of the last commit in a folder of its own, as `npm run release` and the workflow do, and removes the folder. The
 * checkout stays as it is, and nothing leaves this machine. `to` keeps the files.
 */
export async function candidateOf(address: Address, o: { readonly hasBinaries: boolean; readonly to: string | null }): Promise<Candidate> {
  const place = await mkdtemp(join(tmpdir(), 'pilotfish-candidate-'));
  const folder = join(place, 'checkout');
  try {
    await toolIn(root)('git', 'clone', '--quiet', '--no-hardlinks', root, folder);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    // A link is no folder to the `node_modules/` that git ignores.
    await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n');
    const tool = toolIn(folder);
    for (const [key, value] of await identity()) await tool('git', 'config', key, value);
    // Without a changeset the candidate is the present version.
    const tag = (await changesetsIn(folder)).length > 0 ? await cut(folder) : `v${await versionOf(folder)}`;
    await tool('git', 'tag', '--force', tag);
    await fillAddresses(folder, address);
    return { tag, files: await makeFiles(folder, { address, to: o.to ?? join(place, 'files'), hasBinaries: o.hasBinaries }) };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The commit and the tag of a candidate are thrown away, so they need no name of a person. */
const identity = async (): Promise<readonly (readonly [key: string, value: string])[]> => [
  ['user.name', 'candidate'],
  ['user.email', 'candidate@localhost'],
  ['commit.gpgsign', 'false'],
  ['tag.gpgsign', 'false'],
];
