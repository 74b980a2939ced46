import type { Detect } from '../../ops/detect.ts';
import { type Evidence, type FoundValue, inFolder, readHolds, readIds } from './ids.ts';
import type { Repository } from './repository.ts';

/** A provider that a repository uses, with the evidence. */
export interface Finding {
  /** The name of an adapter or a recipe family. */
  readonly name: string;
  /** Sorted by file. `what`: `package @neondatabase/serverless`, `command doppler`, `variable NEON_API_KEY`, `host *.neon.tech`, `''` for the file itself. */
  readonly evidence: readonly Evidence[];
  /** Values of params that files hold. */
  readonly ids: { readonly [param: string]: FoundValue };
  /** Params for which files hold several values. Only a person knows the right one. */
  readonly unclear: { readonly [param: string]: readonly FoundValue[] };
}

interface Provider {
  readonly name: string;
  readonly detect?: Detect;
}

/**
 * Finds the providers that a repository uses, by name. One index holds the questions of all providers, and each fact of the repository is
 * looked up in it.
 */
export async function findProviders(repository: Repository, providers: readonly Provider[]): Promise<readonly Finding[]> {
  const index = indexOf(providers);
  const found = new Map<string, Map<string, Evidence>>();
  const add = (name: string, { file, what }: Evidence): void => {
    const known = found.get(name) ?? new Map<string, Evidence>();
    found.set(name, known.set(`${file}\n${what}`, { file, what }));
  };
  for (const { kind, asked, file, what } of factsOf(repository, index.file.keys())) {
    for (const name of index[kind].get(asked) ?? []) add(name, { file, what });
  }
  for (const { name, evidence } of await readHolds(repository, providers)) add(name, evidence);
  const asked = providers
    .filter(({ name }) => found.has(name))
    .flatMap(({ name, detect }) => (detect?.ids ?? []).map((id) => ({ name, ...id })));
  const ids = await readIds(repository, asked);
  return [...found]
    .sort(([a], [b]) => compare(a, b))
    .map(([name, evidence]) => ({ name, evidence: sorted([...evidence.values()]), ids: {}, unclear: {}, ...ids.get(name) }));
}

type Kind = 'file' | 'package' | 'command' | 'variable' | 'host';

interface Fact extends Evidence {
  readonly kind: Kind;
  /** The fact in the words of a provider's question. */
  readonly asked: string;
}

/** Maps a requested fact to the names of the providers that ask for it. */
type Index = { readonly [kind in Kind]: Map<string, Set<string>> };

function indexOf(providers: readonly Provider[]): Index {
  const index: Index = { file: new Map(), package: new Map(), command: new Map(), variable: new Map(), host: new Map() };
  const add = (kind: Kind, asked: readonly string[] | undefined, name: string): void => {
    for (const one of asked ?? []) index[kind].set(one, (index[kind].get(one) ?? new Set()).add(name));
  };
  for (const { name, detect } of providers) {
    add('file', detect?.files, name);
    add('package', detect?.dependencies, name);
    add('command', detect?.commands, name);
    add('variable', detect?.env, name);
    add('host', detect?.hosts, name);
  }
  return index;
}

/** Yields the facts of a repository. A repository has far more files than other facts, so only requested files are yielded. */
function* factsOf(repository: Repository, asked: Iterable<string>): Generator<Fact> {
  const askedFiles = [...asked];
  for (const { folder, dependencies, commands, files } of repository.workspaces) {
    for (const own of askedFiles) if (files.has(own)) yield { kind: 'file', asked: own, file: inFolder(folder, own), what: '' };
    for (const [name, file] of dependencies) yield { kind: 'package', asked: name, file, what: `package ${name}` };
    for (const [name, file] of commands) yield { kind: 'command', asked: name, file, what: `command ${name}` };
  }
  for (const { name, files, hosts } of repository.variables) {
    for (const file of files) {
      yield { kind: 'variable', asked: name, file, what: `variable ${name}` };
      for (const asked of hosts) yield { kind: 'host', asked, file, what: `host *${asked}` };
    }
  }
}

const sorted = (evidence: readonly Evidence[]): readonly Evidence[] =>
  [...evidence].sort((a, b) => compare(a.file, b.file) || compare(a.what, b.what));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
