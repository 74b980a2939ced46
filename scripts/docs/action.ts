import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../tasks.ts';

/**
 * The action's metadata at the root of the repository, where a marketplace looks for it. It is that of `action/action.yml` and starts the same
 * file, so workflows may name the repository or its folder `action`.
 */
export async function rootAction(): Promise<string> {
  const text = await readFile(join(root, 'action/action.yml'), 'utf8');
  const main = /^( +main: )(\S+)$/m;
  if (!main.test(text)) throw new Error('action/action.yml names no file that it starts');
  return `# Made by \`node scripts/docs.ts\` from action/action.yml.\n${text.replace(main, '$1action/$2')}`;
}
