import { byPath, speaks, type Telling } from './code-order.ts';
import type { DataFiles } from './data-files.ts';
import { readExcluded } from './excluded.ts';
import type {
  Asked,
  Fact,
  FactReader,
  FoundParam,
  HostEvidence,
  Manifest,
  Reading,
  Rename,
  Route,
  Schedule,
  Script,
  Start,
  VariableUse,
} from './facts.ts';
import { listingOf, type Named } from './listing.ts';
import { OwnImports } from './own-imports.ts';
import { compare, folderOfManifest } from './paths.ts';
import type { Reader } from './reader.ts';
import { resolveAliases } from './readers/packages/aliases.ts';
import { withStarted } from './started.ts';
import { isTestFile } from './units/roles.ts';
import { walk } from './walk.ts';

/** Everything that the files of a repository say, each file by itself. It holds no value of a variable. */
export interface Gathered {
  readonly root: string;
  /** All files that count, nearest to the root first. */
  readonly files: readonly string[];
  readonly facts: readonly Fact[];
  readonly manifests: readonly Manifest[];
  readonly variables: readonly VariableUse[];
  readonly renames: readonly Rename[];
  readonly hosts: readonly HostEvidence[];
  readonly routes: readonly Route[];
  readonly schedules: readonly Schedule[];
  readonly ids: readonly FoundParam[];
  readonly problems: readonly { readonly file: string; readonly why: string }[];
  readonly isCut: boolean;
}

export interface Gathering {
  readonly readers: readonly FactReader[];
  readonly asked: Asked;
  readonly reader: Reader;
  /** Keeps the texts that ids and keys are looked up in. */
  readonly data: DataFiles;
}

/** Reads a repository: no network, no credential, and each file once. */
export async function gather(root: string, { readers, asked, reader, data }: Gathering): Promise<Gathered> {
  const found = walk(root);
  const isExcluded = await readExcluded(reader, found.files);
  const files = found.files.filter((file) => !isExcluded(file));
  const parts = new Parts();
  const readings: Reading[] = [];
  /** The file of each reading. */
  const sources: string[] = [];
  for (const folder of found.unreadable) parts.problems.push({ file: folder || '.', why: 'is a folder that cannot be listed' });
  const budget: Budget = { left: mostCode, isCut: false };
  // Code comes after all manifests.
  let imports: OwnImports | null = null;
  for (const { file, readers: own, isCode } of inOrder(files, readers, budget)) {
    const text = reader.read(file, isCode ? 'code' : 'settings');
    data.keep(file, text);
    if (text === null) continue;
    if (typeof text !== 'string') {
      if (!isCode) parts.problems.push({ file, why: text.why });
      continue;
    }
    if (isCode) {
      imports ??= new OwnImports(readings.flatMap(({ manifest }) => manifest ?? []));
      imports.read(file, text);
    }
    const source = { path: file, text };
    for (const one of own) {
      const read = one.read(source, asked);
      const reading = read instanceof Promise ? await read : read;
      if (isEmpty(reading)) continue;
      readings.push(reading);
      sources.push(file);
    }
  }
  for (const [i, reading] of resolveAliases(readings).entries()) parts.add(sources[i] ?? '', reading);
  if (budget.isCut) parts.problems.push({ file: '.', why: whyCut });
  const sorted = parts.sorted();
  const manifests = imports?.in(sorted.manifests) ?? sorted.manifests;
  return { root, files, ...sorted, manifests, isCut: found.isCut || reader.isCut || budget.isCut };
}

/** Most code says nothing. */
function isEmpty(reading: Reading): boolean {
  for (const _ in reading) return false;
  return true;
}

interface Task {
  readonly file: string;
  readonly readers: readonly FactReader[];
  readonly isCode: boolean;
}

/** The most files of code. Settings, schemas and clients of services lie near the root or have a name that says so. */
const mostCode = 2_000;

const whyCut = `has more than ${mostCode} files of code: those whose paths speak of settings, webhooks and routes were read first, and some were not read`;

/** How many files of code may still be opened, and whether others were left. */
interface Budget {
  left: number;
  isCut: boolean;
}

/**
 * Settings in the order of the walk, then code. Code whose name speaks of settings goes first, then the code nearest to the root, and tests
 * never. Where not all can be opened, the paths of the rest say which matter. Readers of code are asked about a file only when its turn
 * comes, because a large repository has thousands that nobody opens.
 */
function* inOrder(files: readonly string[], readers: readonly FactReader[], budget: Budget): Generator<Task> {
  const { inOrder: names } = listingOf(files);
  const takersOf = byName(readers);
  // The places of code: an object for each would cost more than all that is asked about it.
  const [first, rest]: [number[], number[]] = [[], []];
  for (let place = 0; place < files.length; place += 1) {
    const { ofSettings, ofCode, isTest, isFirst } = takersOf(names[place]);
    const file = ofSettings.length > 0 ? (files[place] ?? '') : '';
    if (ofSettings.length > 0 && ofSettings.some((reader) => reader.takes(file))) {
      yield { file, readers: [...ofSettings, ...ofCode].filter((reader) => reader.takes(file)), isCode: false };
    } else if (ofCode.length > 0 && !isTest) (isFirst ? first : rest).push(place);
  }
  const all = [...first, ...rest];
  for (const place of all.length > budget.left ? byPath(all, files, (one) => takersOf(names[one])) : all) {
    const file = files[place] ?? '';
    const own = takersOf(names[place]).ofCode.filter((reader) => reader.takes(file));
    if (own.length === 0) continue;
    if (budget.left === 0) {
      budget.isCut = true;
      return;
    }
    budget.left -= 1;
    yield { file, readers: own, isCode: true };
  }
}

/** The readers that may take the files of one name. */
interface Takers extends Telling {
  readonly ofSettings: readonly FactReader[];
  readonly ofCode: readonly FactReader[];
  readonly isTest: boolean;
}

const nobody: Takers = { ofSettings: [], ofCode: [], isTest: false, isFirst: false, speaks: false };

/** Finds the readers that may take files of a name. Each name is asked about once, because every question costs time. */
function byName(readers: readonly FactReader[]): (named: Named | undefined) => Takers {
  const known = new Map<Named, Takers>();
  const readersFor = byEnding(readers);
  const takersOf = ({ name, ending }: Named): Takers => {
    const may = readersFor(ending).filter(({ names }) => names === undefined || names(name));
    return {
      ofSettings: may.filter(({ isCode }) => isCode !== true),
      ofCode: may.filter(({ isCode }) => isCode === true),
      isTest: isTestFile(name),
      isFirst: /env|config|setting|secret|constant|client/i.test(name),
      speaks: speaks(name),
    };
  };
  return (named) => {
    if (named === undefined) return nobody;
    let found = known.get(named);
    if (found === undefined) {
      found = takersOf(named);
      known.set(named, found);
    }
    return found;
  };
}

/** Finds the readers that may take a file of an ending. */
export function byEnding(readers: readonly FactReader[]): (ending: string) => readonly FactReader[] {
  const known = new Map<string, readonly FactReader[]>();
  return (ending) => {
    const found =
      known.get(ending) ?? (isMedia.test(ending) ? [] : readers.filter(({ endings }) => endings === undefined || endings.includes(ending)));
    known.set(ending, found);
    return found;
  };
}

/** Files that hold no text, or none that a person wrote. */
const isMedia =
  /^(?:png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm|mov|wav|woff2?|ttf|otf|eot|pdf|zip|gz|tgz|jar|map|snap|css|scss|less|wasm|so|dll|exe|class|pyc)$/;

class Parts {
  readonly facts: Fact[] = [];
  readonly manifests: Manifest[] = [];
  readonly variables: VariableUse[] = [];
  readonly renames: Rename[] = [];
  readonly hosts: HostEvidence[] = [];
  readonly routes: Route[] = [];
  readonly schedules: Schedule[] = [];
  readonly ids: FoundParam[] = [];
  readonly scripts: Script[] = [];
  readonly starts: Start[] = [];
  readonly problems: { readonly file: string; readonly why: string }[] = [];

  add(file: string, reading: Reading): void {
    if (reading.manifest) this.manifests.push(reading.manifest);
    for (const part of ['facts', 'variables', 'renames', 'hosts', 'routes', 'schedules', 'ids', 'scripts', 'starts'] as const) {
      // A spread of a very long list would overflow the stack.
      const list: unknown[] = this[part];
      for (const one of reading[part] ?? []) list.push(one);
    }
    if (reading.problem !== undefined) this.problems.push({ file, why: reading.problem });
  }

  sorted(): Omit<Gathered, 'root' | 'files' | 'isCut'> {
    const { hosts, variables } = withStarted(this);
    const unique = new Map(this.problems.map((problem) => [`${problem.file}\n${problem.why}`, problem]));
    return {
      facts: this.facts,
      manifests: this.manifests.sort((a, b) => compare(folderOfManifest(a), folderOfManifest(b)) || compare(a.file, b.file)),
      variables,
      renames: this.renames,
      hosts,
      routes: this.routes,
      schedules: this.schedules,
      ids: this.ids,
      problems: [...unique.values()].sort((a, b) => compare(a.file, b.file)),
    };
  }
}
