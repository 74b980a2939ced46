import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Release } from './release.ts';
import { workflowFile } from './workflow.ts';

/**
 * The workflow of the repository that does already what ours would: the file of our name, or one that uses the action. Beside it ours
 * would make everything twice. `null` where there is none; names of files are below the root.
 */
export async function workflowThere(root: string, release: Release | null): Promise<string | null> {
  const folder = dirname(workflowFile);
  const names = await readdir(join(root, folder)).catch(() => []);
  const ours = names.find((name) => /^pilotfish\.ya?ml$/.test(name));
  if (ours !== undefined) return `${folder}/${ours}`;
  if (release === null) return null;
  const action = `${release.repository}/action@`.toLowerCase();
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    const text = await readFile(join(root, folder, name), 'utf8').catch(() => '');
    const used = text.matchAll(/^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?(\S+)/gm);
    if ([...used].some(([, uses = '']) => uses.toLowerCase().startsWith(action))) return `${folder}/${name}`;
  }
  return null;
}
