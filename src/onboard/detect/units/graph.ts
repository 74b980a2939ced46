import type { Manifest } from '../facts.ts';
import { compare, folderOfManifest, foldersAbove, inFolder } from '../paths.ts';
import { isMatch } from '../patterns.ts';

/** A folder that counts for itself, with what its manifests say. */
export interface Node {
  readonly folder: string;
  readonly manifests: readonly Manifest[];
  /** Folders that its code uses directly. */
  readonly uses: ReadonlySet<string>;
  /** The folder whose manifest makes it a member of a workspace; `null` outside of each workspace. */
  readonly memberOf: string | null;
}

/** The folders of a repository and which uses which, by folder. The root is always there. */
export type Graph = ReadonlyMap<string, Node>;

/** `extra`: folders without a manifest that count as well, such as those that a host deploys. */
export function graphOf(manifests: readonly Manifest[], extra: Iterable<string>): Graph {
  const byFolder = Map.groupBy(manifests, folderOfManifest);
  const folders = [...new Set(['', ...byFolder.keys(), ...extra])].sort(compare);
  const known = new Set(folders);
  const owners = ownersOf(manifests);
  return new Map(
    folders.map((folder) => {
      const own = byFolder.get(folder) ?? [];
      const uses = new Set(own.flatMap((manifest) => usedBy(manifest, owners, known)));
      uses.delete(folder);
      return [folder, { folder, manifests: own, uses, memberOf: memberOf(folder, byFolder) }];
    }),
  );
}

/** The folders of the packages that this repository has itself: ecosystem and name → folders. */
type Owners = ReadonlyMap<string, readonly string[]>;

const keyOf = (ecosystem: string, name: string): string => `${ecosystem}:${name}`;

function ownersOf(manifests: readonly Manifest[]): Owners {
  const named = manifests.filter(({ name }) => name !== null);
  const groups = Map.groupBy(named, ({ ecosystem, name }) => keyOf(ecosystem, name ?? ''));
  return new Map([...groups].map(([key, all]) => [key, [...new Set(all.map(folderOfManifest))]]));
}

function usedBy(manifest: Manifest, owners: Owners, known: ReadonlySet<string>): readonly string[] {
  const named = manifest.packages.flatMap(({ name }) => owners.get(keyOf(manifest.ecosystem, name)) ?? []);
  const referred = manifest.references.flatMap((reference) => foldersOf(reference, manifest, owners, known));
  return [...named, ...referred];
}

/** A reference is a folder from the root, a package of this repository, or a path of Gradle (`:libs:core`) from a folder above. */
function foldersOf(reference: string, manifest: Manifest, owners: Owners, known: ReadonlySet<string>): readonly string[] {
  if (known.has(reference)) return [reference];
  const named = owners.get(keyOf(manifest.ecosystem, reference));
  if (named) return named;
  const path = reference.replace(/^:/, '').replaceAll(':', '/');
  for (const above of foldersAbove(folderOfManifest(manifest))) {
    const folder = inFolder(above, path);
    if (known.has(folder)) return [folder];
  }
  return [];
}

function memberOf(folder: string, byFolder: ReadonlyMap<string, readonly Manifest[]>): string | null {
  for (const above of foldersAbove(folder)) {
    if (above === folder) continue;
    const patterns = (byFolder.get(above) ?? []).flatMap(({ members }) => members);
    if (patterns.length === 0) continue;
    const rest = above === '' ? folder : folder.slice(above.length + 1);
    const isExcluded = patterns.some((pattern) => pattern.startsWith('!') && isMatch(rest, pattern.slice(1)));
    if (!isExcluded && patterns.some((pattern) => isMatch(rest, pattern))) return above;
  }
  return null;
}

/** The folders that a folder uses, directly or through others, without itself. `mayPass` leaves out folders and what only they use. */
export function reachOf(folder: string, graph: Graph, mayPass: (folder: string) => boolean): readonly string[] {
  const reached = new Set<string>();
  const queue = [folder];
  for (const at of queue) {
    for (const next of graph.get(at)?.uses ?? []) {
      if (next === folder || reached.has(next) || !mayPass(next)) continue;
      reached.add(next);
      queue.push(next);
    }
  }
  return [...reached].sort(compare);
}
