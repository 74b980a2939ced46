import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Outcome, root } from '../tasks.ts';

const longest = 400;

/** A file of more than 400 lines holds a second idea. */
export async function checkFileLengths(): Promise<Outcome> {
  const tooLong: string[] = [];
  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n').length - 1;
    if (lines > longest) tooLong.push(`${file}: ${lines} lines, at most ${longest}`);
  }
  return { code: tooLong.length === 0 ? 0 : 1, output: tooLong.join('\n') };
}
