import type { Manifest } from './facts.ts';
import { folderOfManifest, isIn } from './paths.ts';

/**
 * Packages of the repository itself that code uses and no manifest lists. A workspace links all its packages, so code may import one
 * without saying so in its manifest, and the code of the infrastructure names the folders that it deploys.
 */
export class OwnImports {
  readonly #imports: RegExp | null;
  readonly #folders: RegExp | null;
  readonly #found: { readonly file: string; readonly reference: string }[] = [];

  constructor(manifests: readonly Manifest[]) {
    const names = unlistedIn(manifests);
    const inner = manifests.filter(isNpm).map(folderOfManifest).filter(Boolean);
    this.#imports = anyOf(names, (all) => `\\b(?:from|import|require)\\s*\\(?\\s*["'](${all})(?:/[^"']{0,200})?["']`);
    this.#folders = anyOf(inner, (all) => `["'\`](?:\\./)?(${all})(?:/[^"'\`]{0,200})?["'\`]`);
  }

  /** Notes what a file of code uses. */
  read(file: string, text: string): void {
    if (!javascript.test(file)) return;
    const patterns = [this.#imports, infrastructure.test(file) ? this.#folders : null];
    for (const pattern of patterns)
      for (const { 1: reference = '', index } of pattern === null ? [] : text.matchAll(pattern))
        if (!isOfTypes(text, index)) this.#found.push({ file, reference });
  }

  /** Adds them to the references of the manifest nearest above each file. */
  in(manifests: readonly Manifest[]): readonly Manifest[] {
    if (this.#found.length === 0) return manifests;
    const folders = [...new Set(manifests.filter(isNpm).map(folderOfManifest))].sort((a, b) => b.length - a.length);
    const used = new Map<string, Set<string>>();
    for (const { file, reference } of this.#found) {
      const folder = folders.find((one) => isIn(file, one));
      if (folder !== undefined) used.set(folder, (used.get(folder) ?? new Set()).add(reference));
    }
    return manifests.map((manifest) => {
      const own = isNpm(manifest) ? used.get(folderOfManifest(manifest)) : undefined;
      return own ? { ...manifest, references: [...manifest.references, ...own] } : manifest;
    });
  }
}

/** `import type { A, B } from '…'`, over several lines as well. It leaves nothing in the program. */
function isOfTypes(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longestList), at);
  return /(?:^|[\n;])[ \t]*(?:import|export)\s+type\s+(?:\{[^{}'"]*\}|[\w$*\s,]+)\s*$/.test(before);
}

/** The longest list of names that a person imports from one package. */
const longestList = 2_000;

const javascript = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;

/** Code of SST, Pulumi and the CDK at the root of a repository. */
const infrastructure = /^(?:sst\.config\.[cm]?[jt]s|(?:stacks?|infra|infrastructure|iac|cdk)\/.+\.[cm]?ts)$/;

const isNpm = ({ ecosystem }: Manifest): boolean => ecosystem === 'npm';

function anyOf(words: readonly string[], pattern: (all: string) => string): RegExp | null {
  const all = words.map((word) => word.replace(/[\\^$.+?()[\]{}|/*]/g, '\\$&')).sort((a, b) => b.length - a.length);
  return all.length === 0 ? null : new RegExp(pattern(all.join('|')), 'gm');
}

/** The root's own name is that of the whole repository. */
function unlistedIn(manifests: readonly Manifest[]): readonly string[] {
  const own = manifests.filter(isNpm);
  const listed = new Set(own.flatMap(({ packages, references }) => [...packages.map(({ name }) => name), ...references]));
  const inner = own.filter((manifest) => folderOfManifest(manifest) !== '');
  return inner.flatMap(({ name }) => (name !== null && !listed.has(name) ? [name] : []));
}
