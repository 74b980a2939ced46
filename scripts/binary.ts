import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeBlob, writeExecutable } from './build/binary/executable.ts';
import { figuresOf } from './build/binary/figures.ts';
import { type Arch, archs, nodeLicence, nodeVersion } from './build/binary/node.ts';
import { optionsOf } from './options.ts';
import { root } from './tasks.ts';

const usage = `npm run binary -- [--arch <processor>] [--figures]

Builds the program as one executable for Linux, into dist-binary/.

  --arch     only this processor, repeatable: ${archs.join(', ')}
  --figures  also prints the size and the start-up beside those of an npm install`;

/** The folder of the executables. It is neither committed nor packed. */
export const binaryFolder = join(root, 'dist-binary');
export const binaryName = (arch: Arch): string => `pilotfish-linux-${arch}`;

/** Builds the executables, and beside them the licences of all that is inside, as the licences demand. Returns their paths. */
export async function buildBinaries(wanted: readonly Arch[], to: string = binaryFolder): Promise<readonly string[]> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const blob = await writeBlob();
  try {
    const files: string[] = [];
    for (const arch of wanted) {
      const file = join(to, binaryName(arch));
      await writeExecutable(blob, arch, file);
      files.push(file);
    }
    const [first = 'x64'] = wanted;
    const node = `Node.js ${await nodeVersion()}\n\n${await nodeLicence(first)}`;
    await writeFile(join(to, 'THIRD-PARTY-NOTICES.txt'), `${blob.notices}\n\n${'-'.repeat(80)}\n\n${node}`);
    return files;
  } finally {
    await blob.remove();
  }
}

async function main(): Promise<void> {
  const { values } = optionsOf(usage, { options: { arch: { type: 'string', multiple: true }, figures: { type: 'boolean' } } });
  const asked = values.arch ?? archs;
  const unknown = asked.filter((one) => !archs.some((arch) => arch === one));
  if (unknown.length > 0) {
    console.error(`There is no executable for ${unknown.join(', ')}.\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  for (const file of await buildBinaries(archs.filter((arch) => asked.includes(arch)))) {
    console.log(`${file.slice(root.length + 1)}: ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
  }
  if (values.figures) console.log(await figuresOf(binaryFolder));
}

if (import.meta.main) await main();
