import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { placeForAll } from '../support/as-nobody.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Files {
  readonly [file: string]: string | Buffer;
}

/** A folder with these files, removed when the running test ends. */
export async function layFiles(files: Files): Promise<string> {
  return await fill(await tempFolder('detect'), files);
}

/** The same, where `asNobody` can look at it. */
export async function layFilesForAll(files: Files): Promise<string> {
  const folder = await tempFolder('detect', await placeForAll());
  await chmod(folder, 0o755);
  return await fill(folder, files);
}

async function fill(place: string, files: Files): Promise<string> {
  const folder = await realpath(place);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  return folder;
}
