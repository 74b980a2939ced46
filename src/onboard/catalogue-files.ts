import { readdir, readFile } from 'node:fs/promises';

/** The folder beside this module. The build of the package writes the index into a folder of this name beside its bundle. */
const folder = new URL('./catalogue/', import.meta.url);

/** The index of a build; `null` in the sources, which have the YAML files. */
export async function readIndexFile(): Promise<string | null> {
  try {
    return await readFile(new URL('index.json', folder), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The YAML files by the name of their service. */
export async function readServiceFiles(from: URL = folder): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(from)).filter((file) => file.endsWith('.yaml')).sort();
  return new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, string]> => [file.slice(0, -'.yaml'.length), await readFile(new URL(file, from), 'utf8')]),
    ),
  );
}
