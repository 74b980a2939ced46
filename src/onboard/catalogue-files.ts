import { readdir, readFile } from 'node:fs/promises';
import { once } from '../core/once.ts';
import { readBrotli } from '../platform/brotli-file.ts';

/** The name of a build's index. It holds the services of the catalogue, and what a survey needs of each provider. */
export const indexName = 'index.json.br';

/** The folder beside this module. The build of the package writes the index into a folder of this name beside its bundle. */
const folder = new URL('./catalogue/', import.meta.url);

const index = once(async () => {
  const text = await readBrotli(new URL(indexName, folder));
  return text === null ? null : (JSON.parse(text) as { readonly services: unknown; readonly providers: unknown });
});

/** A part of a build's index; `null` in the sources, which have the YAML files. */
export const readIndex = async (part: 'services' | 'providers'): Promise<unknown> => (await index())?.[part] ?? null;

/** The YAML files by the name of their service. */
export async function readServiceFiles(from: URL = folder): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(from)).filter((file) => file.endsWith('.yaml')).sort();
  return new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, string]> => [file.slice(0, -'.yaml'.length), await readFile(new URL(file, from), 'utf8')]),
    ),
  );
}
