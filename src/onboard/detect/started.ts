import type { HostEvidence, Manifest, Script, Start, VariableUse } from './facts.ts';
import { folderOf, folderOfManifest, inFolder } from './paths.ts';
import { joined } from './readers/shell.ts';
import { saidBy } from './readers/starts.ts';

/** What files say each by itself, as far as starts of scripts matter. */
export interface Told {
  readonly hosts: readonly HostEvidence[];
  readonly variables: readonly VariableUse[];
  readonly manifests: readonly Manifest[];
  readonly scripts: readonly Script[];
  readonly starts: readonly Start[];
}

/** A script starts others. A person follows few of them. */
const deepest = 4;

/**
 * Adds what the scripts say that CI starts: a script's host program is then as strong as one in the workflow itself, from the folder of the
 * step. The names that the step sets are then those of the app.
 */
export function withStarted(told: Told): Pick<Told, 'hosts' | 'variables'> {
  const search = new Search(told);
  const set = new Set<string>();
  const found: HostEvidence[] = [];
  for (const start of told.starts) {
    if (start.by === 'script') continue;
    const hosts = search.follow(start, start.folder, 0);
    found.push(...hosts);
    if (hosts.length > 0) for (const name of start.variables) set.add(`${start.file}\n${name}`);
  }
  if (found.length === 0) return told;
  const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
  const variables = told.variables.map((one) =>
    one.use === 'ci' && set.has(`${one.file}\n${one.name}`) ? { ...one, use: 'runtime' as const } : one,
  );
  return { hosts: [...told.hosts, ...unique.values()], variables };
}

class Search {
  readonly #files: ReadonlyMap<string, readonly Script[]>;
  readonly #manifests: readonly Manifest[];
  readonly #seen = new Set<string>();

  constructor({ scripts, manifests }: Told) {
    this.#files = Map.groupBy(scripts, ({ file }) => file);
    this.#manifests = manifests.filter((manifest) => Object.keys(manifest.scripts).length > 0);
  }

  /** What a start deploys, from a folder. */
  follow(start: Start, folder: string, depth: number): readonly HostEvidence[] {
    const key = JSON.stringify([start.what, start.names, start.filter, folder, start.by, start.what === 'package' ? '' : start.file]);
    if (depth > deepest || this.#seen.has(key)) return [];
    this.#seen.add(key);
    return this.#scriptsOf(start, folder).flatMap(({ script, at }) => [
      ...script.hosts.map((one) => strengthened(one, start, joined(at, one.folder) ?? at)),
      ...script.starts.flatMap((inner) =>
        this.follow({ ...inner, by: start.by, variables: start.variables }, joined(at, inner.folder) ?? at, depth + 1),
      ),
    ]);
  }

  #scriptsOf(start: Start, folder: string): readonly { readonly script: Script; readonly at: string }[] {
    if (start.what === 'package') return this.#ofManifests(start, folder);
    const { names, file } = start;
    if (start.what === 'make') {
      const all = ['Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile', '.justfile'].flatMap(
        (name) => this.#files.get(inFolder(folder, name)) ?? [],
      );
      return all.filter(({ target }) => target !== null && names.includes(target)).map((script) => ({ script, at: folder }));
    }
    const paths = names.flatMap((name) => [joined(folder, name), joined(folderOf(file), name), joined('', name)]);
    const [script] = paths.flatMap((path) => this.#files.get(path ?? '') ?? []);
    return script ? [{ script, at: folder }] : [];
  }

  /** A script of a manifest in the folder, or of the package that the manager works on. */
  #ofManifests({ names: [name = ''], filter }: Start, folder: string): readonly { readonly script: Script; readonly at: string }[] {
    const path = filter?.replace(/^\.\//, '');
    const own = this.#manifests.filter((manifest) => {
      const at = folderOfManifest(manifest);
      return filter === null ? at === folder : manifest.name === filter || at === joined(folder, path ?? '');
    });
    return own.flatMap((manifest) => {
      const text = manifest.scripts[name];
      const at = folderOfManifest(manifest);
      return text === undefined ? [] : [{ script: { ...saidBy(text, manifest.file), file: manifest.file, target: name }, at }];
    });
  }
}

function strengthened(one: HostEvidence, { by, variables }: Start, folder: string): HostEvidence {
  const isPreview = by === 'preview' && one.by !== 'deploy';
  const names = one.builds === 'ci' ? [...new Set([...(one.variables ?? []), ...variables])] : (one.variables ?? []);
  return {
    ...one,
    folder: one.provider === 'convex' ? inFolder(folder, 'convex') : one.provider === 'supabase' ? 'supabase/functions' : folder,
    by: isPreview ? 'preview' : 'deploy',
    ...(isPreview && { previews: 'each' as const }),
    ...(names.length > 0 && { variables: names }),
  };
}
