import { optionsOf } from './options.ts';

/** An entry of the catalog of SchemaStore, in the order and form that its contributors' page asks for. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  readonly fileMatch: readonly string[];
  readonly url: string;
}

/**
 * The entries that editors need for our files. The schemas stay in their repository, and the catalog points at them. Throws for anything
 * but `owner/name`, because an entry with a wrong address would reach every editor.
 */
export function catalogEntries(repository: string): readonly CatalogEntry[] {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('the repository must be `owner/name`');
  const urlOf = (file: string): string => `https://raw.githubusercontent.com/${repository}/main/schema/${file}`;
  return [
    {
      name: 'pilotfish plan',
      description: 'The state that ships beside a release of a repository',
      fileMatch: ['release.plan.yaml'],
      url: urlOf('release.plan.schema.json'),
    },
  ];
}

if (import.meta.main) {
  const { positionals } = optionsOf('node scripts/schema-store.ts <owner>/<repository>', { allowPositionals: true });
  console.log(JSON.stringify(catalogEntries(positionals[0] ?? ''), null, 2));
}
