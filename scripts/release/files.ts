import { hash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, namespaceOf, packages } from './address.ts';
import { toolIn } from './tool.ts';

/** A file that a release publishes. */
export interface Published {
  /** People get it there. */
  readonly place: 'registry' | 'release' | 'tag';
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in hex. */
  readonly digest: string;
}

/** The files at the tag that a runner reads to start the action, and the one that a marketplace reads. */
const actionFiles = ['action.yml', 'action/action.yml', 'action/index.js', 'action/package.json', 'action/THIRD-PARTY-NOTICES.txt'];

export interface FilesOptions {
  readonly address: Address;
  /** The folder for the files. */
  readonly to: string;
  /** `false` leaves the executables out. */
  readonly hasBinaries: boolean;
}

/**
 * Makes every file of the release that is checked out and tagged in a folder. The packages hold the addresses of their repository already.
 * `to` gets those that people download, with their digests in `SHA256SUMS`.
 */
export async function makeFiles(folder: string, { address, to, hasBinaries }: FilesOptions): Promise<readonly Published[]> {
  const tool = toolIn(folder, { PILOTFISH_RELEASE: address.repository });
  const packed = join(to, 'registry');
  const released = join(to, 'release');
  for (const part of [packed, released]) await mkdir(part, { recursive: true });
  // `prepack` of each package builds it.
  for (const name of packages) await tool('npm', 'pack', '--silent', '--pack-destination', packed, ...(name === '.' ? [] : [`./${name}`]));
  await copyAll(join(folder, 'schema'), released);
  // A person hands this file to the registry of tool servers, which refuses one without a name.
  if (namespaceOf(address) !== null) await copyFile(join(folder, 'server.json'), join(released, 'server.json'));
  if (hasBinaries) {
    await tool('node', 'scripts/binary.ts');
    await copyAll(join(folder, 'dist-binary'), released);
    await rm(join(folder, 'dist-binary'), { recursive: true });
  }
  const downloads = await listed('release', released);
  await writeFile(join(released, 'SHA256SUMS'), downloads.map(({ digest, name }) => `${digest}  ${name}\n`).join(''));
  return [
    ...(await listed('registry', packed)),
    ...(await listed('release', released)),
    ...(await Promise.all(actionFiles.map((name) => published('tag', folder, name)))),
  ];
}

async function copyAll(from: string, to: string): Promise<void> {
  await Promise.all((await readdir(from)).map((name) => copyFile(join(from, name), join(to, name))));
}

const listed = async (place: Published['place'], folder: string): Promise<readonly Published[]> =>
  await Promise.all((await readdir(folder)).sort().map((name) => published(place, folder, name)));

async function published(place: Published['place'], folder: string, name: string): Promise<Published> {
  const file = join(folder, name);
  return { place, name, size: (await stat(file)).size, digest: hash('sha256', await readFile(file), 'hex') };
}
