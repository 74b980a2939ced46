import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** The names of a build's indexes. As plain JSON they would be the largest files of the package's data. */
export const indexName = 'index.json.br';
export const providersName = 'providers.json.br';

type IndexName = typeof indexName | typeof providersName;

/** The folder beside this module. The build of the package writes the index into a folder of this name beside its bundle. */
const folder = new URL('./catalogue/', import.meta.url);

/** An index of a build; `null` in the sources, which have the YAML files. */
export async function readIndexFile(name: IndexName): Promise<string | null> {
  try {
    return (await promisify(brotliDecompress)(await readFile(new URL(name, folder)))).toString('utf8');
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
