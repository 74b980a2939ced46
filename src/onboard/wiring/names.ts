import type { Rename, VariableUse } from '../detect/facts.ts';
import { pathFrom } from '../detect/paths.ts';
import type { Survey } from '../detect/survey.ts';
import { isOrmConfiguration, isOwnScript, isRunByHand } from './by-hand.ts';
import { type Belonging, belongingTo, isIdleRoot, isReading, unitAroundIn } from './reach.ts';

/** A name of a variable in one deployable. */
export interface NameInUse {
  readonly name: string;
  /** The places where code, schemas and settings read it. */
  readonly read: readonly VariableUse[];
  /** The places that list it for the deployable: an example file, a file of the host, a script that writes it. */
  readonly listed: readonly VariableUse[];
  /** The host suffixes of its value, as its places say. */
  readonly hosts: readonly string[];
}

const listing = new Set<VariableUse['where']>(['env-file', 'host', 'vault', 'script']);

/**
 * The names of a deployable, those that code reads first. An example file may hold names that a script changes, so a listed name counts
 * under the name that the script gives it.
 */
export function namesOf(survey: Survey, folder: string): readonly NameInUse[] {
  if (folder === '' && isIdleRoot(survey)) return [];
  const belongs = belongingTo(survey, folder);
  const unitAround = unitAroundIn(survey, folder);
  const readers = readersIn(survey);
  // A list at the root holds the names of all apps.
  const isOfOthers = (name: string): boolean => readers.has(name) && !readers.get(name)?.has(folder);
  const names = new Map<string, Growing>();
  const at = (name: string): Growing => {
    const known = names.get(name) ?? { read: [], listed: [], hosts: new Set<string>() };
    names.set(name, known);
    return known;
  };
  for (const use of survey.variables) {
    const belonging = belongs(use.file);
    if (belonging === null) continue;
    if (isRead(use)) {
      const reads = readsOf(use, belonging, pathFrom(unitAround(use.file), use.file));
      if (reads === 'app') at(use.name).read.push(use);
      else if (reads === 'script') at(use.name).listed.push(withoutClient(use));
    }
    const isListed = listing.has(use.where) && use.use !== 'develop' && use.use !== 'local';
    if (isListed && !(belonging === 'root' && isOfOthers(use.name))) at(use.name).listed.push(use);
    if (names.has(use.name)) for (const host of use.hosts) at(use.name).hosts.add(host);
  }
  const renames = survey.renames.filter((one) => one.folder === null || one.folder === folder || belongs(`${one.folder}/.env`) !== null);
  rename(names, renames);
  return [...names]
    .map(([name, { read, listed, hosts }]) => ({ name, read, listed, hosts: [...hosts] }))
    .toSorted((a, b) => Number(b.read.length > 0) - Number(a.read.length > 0));
}

const isRead = (use: VariableUse): boolean => isReading(use) && (use.use === 'runtime' || use.use === 'infrastructure');

const allReaders = new WeakMap<Survey, ReadonlyMap<string, ReadonlySet<string>>>();

/** The deployables whose code reads each name. */
function readersIn(survey: Survey): ReadonlyMap<string, ReadonlySet<string>> {
  const before = allReaders.get(survey);
  if (before) return before;
  const readers = new Map<string, Set<string>>();
  const read = survey.deployables.length > 1 ? survey.variables.filter(isRead) : [];
  for (const { folder } of read.length > 0 ? survey.deployables : []) {
    if (folder === '' && isIdleRoot(survey)) continue;
    const belongs = belongingTo(survey, folder);
    for (const { name, file } of read) {
      const belonging = belongs(file);
      if (belonging === 'own' || belonging === 'reached') readers.set(name, (readers.get(name) ?? new Set()).add(folder));
    }
  }
  allReaders.set(survey, readers);
  return readers;
}

/**
 * Who reads a name at a place: the app, a script of the app, or nobody that runs with it. The code at a free root is of scripts. The scripts
 * of a package and the configuration of its migrations run beside the apps that use the package.
 */
function readsOf({ file }: VariableUse, belonging: Belonging, rest: string): 'app' | 'script' | null {
  if (belonging === 'own') return isOwnScript(rest) ? 'script' : 'app';
  return belonging === 'reached' && !isRunByHand(rest) && !isOrmConfiguration(file) ? 'app' : null;
}

/** A script may open a database that the app never opens. */
const withoutClient = ({ opens: _, givenTo: __, givenAs: ___, ...use }: VariableUse): VariableUse => use;

interface Growing {
  readonly read: VariableUse[];
  readonly listed: VariableUse[];
  readonly hosts: Set<string>;
}

/** Moves what example files list to the names that scripts give. With several new names, the one that code reads is right. */
function rename(names: Map<string, Growing>, renames: readonly Rename[]): void {
  for (const [name, known] of [...names]) {
    const given = [...new Set(renames.flatMap((one) => renamed(name, one)))];
    const prefixed = [...new Set(renames.filter(({ isPrefix }) => isPrefix).flatMap((one) => renamed(name, one)))];
    const read = given.filter((one) => (names.get(one)?.read.length ?? 0) > 0);
    // A single name may be that of a container beside the app; a new prefix is the app's.
    const taken = read.length > 0 ? read : prefixed.length === 1 ? prefixed : [];
    for (const one of taken) {
      const target = names.get(one) ?? { read: [], listed: [], hosts: new Set<string>() };
      target.listed.push(...known.listed.map((use) => ({ ...use, name: one })));
      for (const host of known.hosts) target.hosts.add(host);
      names.set(one, target);
    }
    if (taken.length > 0 && known.read.length === 0) names.delete(name);
  }
}

function renamed(name: string, { from, to, isPrefix }: Rename): readonly string[] {
  if (!isPrefix) return name === from && to !== from ? [to] : [];
  // A name that has the new prefix already is one that the script wrote.
  return name.startsWith(from) && !(to !== '' && name.startsWith(to)) ? [to + name.slice(from.length)] : [];
}
