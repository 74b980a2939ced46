import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';

export interface Files {
  readonly [file: string]: string | Buffer;
}

/** A folder with these files, removed when the running test ends. */
export async function layFiles(files: Files): Promise<string> {
  const folder = await realpath(await tempFolder('detect'));
  // Another user looks at it where a test needs a folder that may not be read.
  await chmod(folder, 0o755);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  return folder;
}
