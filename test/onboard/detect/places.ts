import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { allRepositories, layOut, readFileSet, write } from '../repositories.ts';
import { type Expectation, readExpectation } from './expectation.ts';

/** A repository with what a person said about it. */
export interface Place {
  readonly name: string;
  readonly expected: Expectation;
  /** Puts a copy of it into an empty folder. */
  readonly lay: (folder: string) => Promise<void>;
}

const expectedFolder = join(import.meta.dirname, '..', 'expected');
const suffix = '.expected.yaml';

/** The fixtures with their expectations. Throws where one is missing. */
export async function fixturePlaces(): Promise<readonly Place[]> {
  const known = (await readdir(expectedFolder)).map((file) => basename(file, '.yaml'));
  refuse(
    allRepositories
      .filter((name) => !known.includes(name))
      .map((name) => `test/onboard/expected/${name}.yaml: the fixture has no expectation`),
  );
  refuse(
    known.filter((name) => !allRepositories.includes(name)).map((name) => `test/onboard/expected/${name}.yaml: there is no such fixture`),
  );
  const read = allRepositories.map((name) => readIn(expectedFolder, `${name}.yaml`, { name, lay: (folder) => layOut(name, folder) }));
  return await allOf(read);
}

/**
 * The checkouts of a folder: folders, or text files of file sets, each with `<name>.expected.yaml` beside it. With `expected` the
 * expectations are `<name>.yaml` of that folder, which may have more of them than there are checkouts.
 */
export async function checkoutPlaces(folder: string, expected: string | null = null): Promise<readonly Place[]> {
  const names = (await readdir(folder)).toSorted();
  const checkouts = names.filter((name) => !name.endsWith(suffix) && !name.startsWith('.'));
  const bare = new Set(checkouts.map((name) => basename(name, '.txt')));
  const ending = expected === null ? suffix : '.yaml';
  const held = expected === null ? names : await readdir(expected);
  const known = new Set(held.filter((name) => name.endsWith(ending)).map((name) => basename(name, ending)));
  const where = expected === null ? 'beside it' : `in ${expected}`;
  refuse([...bare].filter((name) => !known.has(name)).map((name) => `${join(folder, name)}: ${name}${ending} must stand ${where}`));
  if (expected === null)
    refuse([...known].filter((name) => !bare.has(name)).map((name) => `${join(folder, name)}${suffix}: there is no checkout ${name}`));
  const read = checkouts.map(async (file) => {
    const [path, name] = [join(folder, file), basename(file, '.txt')];
    const isFolder = (await stat(path)).isDirectory();
    const lay = isFolder ? (place: string) => copyOf(path, place) : (place: string) => layFileSet(path, place);
    return await readIn(expected ?? folder, `${name}${ending}`, { name, lay });
  });
  return await allOf(read);
}

/** Reads every expectation of a folder without its checkouts. Throws with all that cannot be read. */
export async function readAllExpectations(folder: string): Promise<readonly Expectation[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
  const place = { name: '', lay: async () => {} };
  return (await allOf(files.map((file) => readIn(folder, file, place)))).map(({ expected }) => expected);
}

async function readIn(folder: string, file: string, place: Omit<Place, 'expected'>): Promise<Place> {
  const path = join(folder, file);
  return { ...place, expected: readExpectation(await readFile(path, 'utf8'), relative(process.cwd(), path) || path) };
}

/** Waits for all, so that the faults of every file are told at once. */
async function allOf(reads: readonly Promise<Place>[]): Promise<readonly Place[]> {
  const ended = await Promise.allSettled(reads);
  refuse(
    ended.flatMap((one) => (one.status === 'rejected' ? [one.reason instanceof Error ? one.reason.message : String(one.reason)] : [])),
  );
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

async function layFileSet(path: string, folder: string): Promise<void> {
  await layOut('empty', folder);
  await write(folder, readFileSet(await readFile(path, 'utf8'), path));
}

/** Of `.git` init reads the branch and the address of the remote. Installed packages are large, and no part of the repository. */
async function copyOf(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const keeps = (path: string): boolean => {
    const [first = '', second] = relative(from, path).split(sep);
    if (basename(path) === 'node_modules') return false;
    return first !== '.git' || second === undefined || second === 'HEAD' || second === 'config';
  };
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: keeps });
}
