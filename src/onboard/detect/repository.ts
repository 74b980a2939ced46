import { realpath } from 'node:fs/promises';
import { readEnvFile } from './env-file.ts';
import { readExcluded } from './excluded.ts';
import { isManifest, type Listed, readManifest } from './manifests.ts';
import { isOrmFile, namesInOrmFile } from './orm.ts';
import { Reader } from './reader.ts';
import { walk } from './walk.ts';

/** A folder with a package of its own: with a `package.json`, or the manifest of another language. The root always counts as one. */
export interface Workspace {
  /** The path from the root, with `/`; `''` is the root. */
  readonly folder: string;
  /** The path from the root: `apps/web/package.json`. */
  readonly manifest: string | null;
  /** Names of packages, each with the manifest that lists it. */
  readonly dependencies: ReadonlyMap<string, string>;
  /** Programs that scripts of its manifests start, each with the manifest. */
  readonly commands: ReadonlyMap<string, string>;
  /**
   * Paths relative to the workspace, down to three folders, with the files of workspaces inside it. Tools look for their settings no
   * deeper.
   */
  readonly files: ReadonlySet<string>;
}

/** The facts that the files of a repository give. They hold no value of a variable. */
export interface Repository {
  readonly root: string;
  /** The root first. */
  readonly workspaces: readonly Workspace[];
  /** The variables of `.env*` files. `hosts` holds the requested suffixes that the host in a value ends with. */
  readonly variables: readonly { readonly name: string; readonly files: readonly string[]; readonly hosts: readonly string[] }[];
  /** The names from which configs and schemas of ORMs read the address of the database. */
  readonly databaseVariables: readonly { readonly name: string; readonly file: string }[];
  /** The files that could not be read. The words of `why` follow the name of the file: `is not valid JSON (line 3, column 9: …)`. */
  readonly problems: readonly { readonly file: string; readonly why: string }[];
  /** The walk ended at a limit. */
  readonly isCut: boolean;
}

/** Looks at a repository's files. It uses no network and no credential, and takes only the names of `.env*` files. */
export async function readRepository(root: string, options: { readonly hosts: readonly string[] }): Promise<Repository> {
  const real = await realpath(root);
  const found = walk(real);
  const reader = new Reader(real);
  const isExcluded = await readExcluded(
    reader,
    found.files.filter((file) => isManifest(baseOf(file))),
  );
  const files = found.files.filter((file) => !isExcluded(file));
  const look = new Look(reader, options.hosts);
  for (const folder of found.unreadable) look.problems.push({ file: folder || '.', why: 'is a folder that cannot be listed' });
  for (const file of files) if (tells(file)) await look.at(file);
  return {
    root: real,
    workspaces: workspacesOf(files, look.manifests),
    variables: look.listVariables(),
    databaseVariables: look.databaseVariables,
    problems: look.problems.sort((a, b) => compare(a.file, b.file)),
    isCut: found.isCut || look.isCut,
  };
}

const isEnvFile = (file: string): boolean => baseOf(file).startsWith('.env');

/** Tells whether the content of a file gives facts. */
const tells = (file: string): boolean => isEnvFile(file) || isManifest(baseOf(file)) || isOrmFile(file);

/** Opens the files that give facts, one after the other. */
class Look {
  /** By path. */
  readonly manifests = new Map<string, Listed>();
  readonly databaseVariables: { readonly name: string; readonly file: string }[] = [];
  readonly problems: { readonly file: string; readonly why: string }[] = [];
  readonly #variables = new Map<string, { readonly files: string[]; readonly hosts: Set<string> }>();
  readonly #reader: Reader;
  readonly #hosts: readonly string[];

  constructor(reader: Reader, hosts: readonly string[]) {
    this.#reader = reader;
    this.#hosts = hosts;
  }

  get isCut(): boolean {
    return this.#reader.isCut;
  }

  async at(file: string): Promise<void> {
    if (isEnvFile(file)) this.#env(file);
    else if (isManifest(baseOf(file))) await this.#manifest(file);
    else this.#orm(file);
  }

  listVariables(): Repository['variables'] {
    return [...this.#variables]
      .map(([name, { files, hosts }]) => ({ name, files, hosts: [...hosts].sort() }))
      .sort((a, b) => compare(a.name, b.name));
  }

  #env(file: string): void {
    const text = this.#text(file);
    for (const { name, hosts } of text === null ? [] : readEnvFile(text, this.#hosts)) {
      const known = this.#variables.get(name) ?? { files: [], hosts: new Set<string>() };
      known.files.push(file);
      for (const host of hosts) known.hosts.add(host);
      this.#variables.set(name, known);
    }
  }

  async #manifest(file: string): Promise<void> {
    const text = this.#text(file);
    const listed: Listed = text === null ? { names: [] } : await readManifest(baseOf(file), text);
    this.manifests.set(file, listed);
    if (listed.why !== undefined) this.problems.push({ file, why: listed.why });
  }

  #orm(file: string): void {
    const text = this.#text(file);
    if (text === null) return;
    for (const name of namesInOrmFile(file, text)) this.databaseVariables.push({ name, file });
  }

  #text(file: string): string | null {
    const text = this.#reader.read(file);
    if (text === null || typeof text === 'string') return text;
    this.problems.push({ file, why: text.why });
    return null;
  }
}

/** The depth of the deepest file that counts for a workspace: `a/b/c/file`. */
const deepest = 4;

interface Growing {
  manifest: string | null;
  readonly dependencies: Map<string, string>;
  readonly commands: Map<string, string>;
  readonly files: Set<string>;
}

function workspacesOf(files: readonly string[], manifests: ReadonlyMap<string, Listed>): readonly Workspace[] {
  const made = new Map<string, Growing>();
  const at = (folder: string): Growing => {
    const known = made.get(folder) ?? { manifest: null, dependencies: new Map(), commands: new Map(), files: new Set() };
    made.set(folder, known);
    return known;
  };
  at('');
  for (const [file, { names, commands = [] }] of manifests) {
    const workspace = at(folderOf(file));
    // A `package.json` describes a folder best, so it replaces any other manifest.
    if (workspace.manifest === null || baseOf(file) === 'package.json') workspace.manifest = file;
    for (const name of names) if (!workspace.dependencies.has(name)) workspace.dependencies.set(name, file);
    for (const name of commands) if (!workspace.commands.has(name)) workspace.commands.set(name, file);
  }
  for (const file of files) {
    let start = file.length + 1;
    for (let depth = 0; depth < deepest && start > 0; depth += 1) {
      start = file.lastIndexOf('/', start - 2) + 1;
      made.get(file.slice(0, Math.max(start - 1, 0)))?.files.add(file.slice(start));
    }
  }
  return [...made].map(([folder, rest]) => ({ folder, ...rest })).sort((a, b) => compare(a.folder, b.folder));
}

const folderOf = (file: string): string => file.slice(0, Math.max(file.lastIndexOf('/'), 0));
const baseOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
