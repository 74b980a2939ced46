import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { writeProduct } from '../../build.ts';
import { root } from '../../tasks.ts';
import { bundlerOptions, minified, transformWith } from '../bundler.ts';
import { type Arch, must, nodeFor, ownNode } from './node.ts';

/** The mark in a Node executable that tells it whether a program was put into it. Node's documentation names it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The program for every processor, in the form in which a Node executable takes it. */
export interface Blob {
  readonly file: string;
  /** The licences of the packages inside. */
  readonly notices: string;
  remove(): Promise<void>;
}

/**
 * Writes the program as one blob: the modules of the package, the recipe families, the catalogue, the page and the schemas. The blob holds
 * text alone, so one serves every processor. Node's own cache of compiled code would be for one, and turns `import()` off.
 */
export async function writeBlob(): Promise<Blob> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-binary-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const main = join(folder, 'main.cjs');
    await Promise.all([
      writeProduct(join(folder, 'dist'), { isWhole: true, plugins: [fromAssets] }),
      copyInto(join(folder, 'schema'), join(root, 'schema')),
      writeMain(main),
    ]);
    const file = join(folder, 'program.blob');
    const config = join(folder, 'sea.json');
    const assets = Object.fromEntries([...(await filesOf(folder, 'dist')), ...(await filesOf(folder, 'schema'))]);
    const plain = { useSnapshot: false, useCodeCache: false, disableExperimentalSEAWarning: true };
    await writeFile(config, JSON.stringify({ main, output: file, ...plain, assets }));
    await must(ownNode, ['--experimental-sea-config', config]);
    return { file, notices: await readFile(join(folder, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8'), remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

/** Writes the executable for Linux with this processor: Node with the program inside. */
export async function writeExecutable(blob: Blob, arch: Arch, to: string): Promise<void> {
  await copyFile(await nodeFor(arch), to);
  await must('postject', [to, 'NODE_SEA_BLOB', blob.file, '--sentinel-fuse', fuse]);
  await chmod(to, 0o755);
}

const ownFiles = join(root, 'src/platform/own-files.ts');
const ownAssets = join(root, 'src/platform/own-assets.ts');

/** The program inside an executable reads its files from there. */
const fromAssets: Plugin = {
  name: 'from-assets',
  load: (id) =>
    id === ownFiles ? { code: `export { ownCommand, readOwnFile } from ${JSON.stringify(ownAssets)};`, moduleType: 'js' } : null,
};

/** Node takes one CommonJS file as the entry. */
async function writeMain(file: string): Promise<void> {
  const bundled = await rolldown({ ...bundlerOptions, input: join(root, 'src/cli/binary.ts'), transform: transformWith() });
  try {
    await bundled.write({ file, format: 'cjs', codeSplitting: false, ...minified });
  } finally {
    await bundled.close();
  }
}

async function copyInto(to: string, from: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await Promise.all((await readdir(from)).map((name) => copyFile(join(from, name), join(to, name))));
}

/** The files below a folder: their name as an asset, and their path. */
async function filesOf(folder: string, below: string): Promise<readonly (readonly [name: string, path: string])[]> {
  const found = await readdir(join(folder, below), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path.slice(folder.length + 1), path] as const);
}
