import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, unlinkSync } from 'node:fs';

type Path = string | URL;

/**
 * What a run needs of `node:fs/promises`, done at once. What it reads of this machine is small, and it can do nothing else until it has
 * that: a step that is left to another thread takes several times as long, and its end waits for a turn of the process.
 * `node:fs/promises` itself brings along what watches folders and reads lines of a terminal: eleven modules, a fiftieth of a plan of some
 * lines.
 */
const atOnce =
  <Given extends readonly unknown[], Done>(act: (...given: Given) => Done) =>
  async (...given: Given): Promise<Done> =>
    act(...given);

export const mkdir = atOnce(mkdirSync);
export const rename = atOnce(renameSync);
export const rm = atOnce(rmSync);
export const unlink = atOnce(unlinkSync);
export const readdir = atOnce((folder: Path): string[] => readdirSync(folder));
export const stat = atOnce((path: Path): Stats => statSync(path));

/** Bytes, or the text where an encoding is given. */
export function readFile(path: Path): Promise<Buffer>;
export function readFile(path: Path, encoding: 'utf8'): Promise<string>;
export async function readFile(path: Path, encoding?: 'utf8'): Promise<Buffer | string> {
  return encoding === undefined ? readFileSync(path) : readFileSync(path, encoding);
}
