import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOfNames } from '../source.ts';
import { mapOf, textOf, textsOf, tomlOf } from './json.ts';

/** A crate or a workspace of crates. Versions that a workspace keeps for its members (`workspace.dependencies`) are no use of a crate. */
export const cargoToml: FactReader = {
  name: 'Cargo.toml',
  takes: (path) => baseOf(path) === 'Cargo.toml',
  endings: ['toml'],
  read: async (file) => {
    const { root, problem } = await tomlOf(file.text);
    const listing = new Listing(file, 'cargo');
    const lineOf = linesOfNames(file.text, /^[ \t]*(?:\[[\w.'"()= -]*dependencies\.)?["']?([\w-]+)["']?[ \t]*[=.\]]/gm);
    const add = (table: unknown, use: 'runtime' | 'develop'): void => {
      for (const [name, how] of Object.entries(mapOf(table))) {
        listing.package(textOf(mapOf(how).package) ?? name, use, lineOf(name));
        const place = textOf(mapOf(how).path);
        if (place !== null) listing.reference(folderAt(folderOf(file.path), place));
        else if (mapOf(how).workspace === true) listing.reference(name);
      }
    };
    for (const tables of [root, ...Object.values(mapOf(root.target)).map(mapOf)]) {
      add(tables.dependencies, 'runtime');
      add(tables['dev-dependencies'] ?? tables.dev_dependencies, 'develop');
      add(tables['build-dependencies'] ?? tables.build_dependencies, 'develop');
    }
    const workspace = mapOf(root.workspace);
    for (const pattern of textsOf(workspace.members)) listing.member(pattern);
    for (const pattern of textsOf(workspace.exclude)) listing.member(`!${pattern}`);
    const crate = mapOf(root.package);
    return listing.reading({
      name: textOf(crate.name),
      isPublished: isPublished(crate),
      hasProgram: Array.isArray(root.bin),
      ...(problem !== undefined && { problem }),
    });
  },
};

/** The index asks for a description and a licence, so a crate without them was never published. */
function isPublished(crate: Record<string, unknown>): boolean | null {
  if (crate.publish === false || (Array.isArray(crate.publish) && crate.publish.length === 0)) return false;
  if (crate.publish === true) return true;
  const has = (key: string): boolean => crate[key] !== undefined;
  return has('description') && (has('license') || has('license-file')) && (has('keywords') || has('categories') || has('documentation'))
    ? true
    : null;
}
