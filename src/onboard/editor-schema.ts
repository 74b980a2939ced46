import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../core/errors.ts';
import { groundOf, makeFolder, replaceFile } from '../platform/safe-files.ts';
import { exists } from './repository.ts';

const name = 'release.plan.schema.json';
const installed = `./node_modules/pilotfish/schema/${name}`;
const copied = `./.pilotfish/${name}`;

/**
 * The path, from the plan's folder, of the schema with which editors complete and check the plan. The schema is that of the installed
 * package, or else a copy below `.pilotfish/`, which git ignores. Returns `null` if the copy fails, because a plan works without a schema.
 */
export async function editorSchema(folder: string): Promise<string | null> {
  if (await exists(join(folder, installed))) return installed;
  return (await copyTo(folder)) ? copied : null;
}

/** Makes the copy again in a fresh clone whose plan names the copy. */
export async function refreshEditorSchema(folder: string, plan: string): Promise<void> {
  if (plan.includes(copied)) await copyTo(folder);
}

async function copyTo(folder: string): Promise<boolean> {
  const source = await schemaFile();
  if (source === null) return false;
  const target = join(folder, copied);
  try {
    const ground = groundOf(folder);
    makeFolder(dirname(target), ground);
    replaceFile(target, readFileSync(source), ground);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    return false;
  }
}

/** The schema beside the bundle, or beside the sources. */
async function schemaFile(): Promise<string | null> {
  for (const path of [`../schema/${name}`, `../../schema/${name}`]) {
    const file = fileURLToPath(new URL(path, import.meta.url));
    if (await exists(file)) return file;
  }
  return null;
}
