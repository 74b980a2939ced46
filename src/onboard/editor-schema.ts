import { dirname, join } from 'node:path';
import { Failure } from '../core/errors.ts';
import { readOwnFile } from '../platform/own-files.ts';
import { groundOf, makeFolder, replaceFile } from '../platform/safe-files.ts';
import { exists } from './repository.ts';

const planSchema = 'release.plan.schema.json';
/** Both stand side by side, so a recipe family of the repository can name its schema as the plan does. */
const names = [planSchema, 'recipe-family.schema.json'];
const installed = `./node_modules/pilotfish/schema/${planSchema}`;
const copied = `./.pilotfish/${planSchema}`;

/**
 * The path, from the plan's folder, of the schema with which editors complete and check the plan. The schema is that of the installed
 * package, or else a copy below `.pilotfish/`, which git ignores. Returns `null` if the copy fails, because a plan works without a schema.
 */
export async function editorSchema(folder: string): Promise<string | null> {
  if (await exists(join(folder, installed))) return installed;
  return copyTo(folder) ? copied : null;
}

/** Makes the copies again in a fresh clone whose plan names its copy. */
export async function refreshEditorSchema(folder: string, plan: string): Promise<void> {
  if (plan.includes(copied)) copyTo(folder);
}

function copyTo(folder: string): boolean {
  const sources = ownSchemas();
  if (sources === null) return false;
  try {
    const ground = groundOf(folder);
    for (const [name, bytes] of sources) {
      const target = join(dirname(join(folder, copied)), name);
      makeFolder(dirname(target), ground);
      replaceFile(target, bytes, ground);
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    return false;
  }
}

/** The schemas by name, from the folder beside the bundle or beside the sources. */
function ownSchemas(): ReadonlyMap<string, Buffer> | null {
  for (const path of ['../schema/', '../../schema/']) {
    const files = names.flatMap((name): [string, Buffer][] => {
      const bytes = readOwnFile(new URL(`${path}${name}`, import.meta.url));
      return bytes === null ? [] : [[name, bytes]];
    });
    if (files.length === names.length) return new Map(files);
  }
  return null;
}
