import { realpath } from 'node:fs/promises';
import { type ClaimFacts, claimsOf } from './claims/claims.ts';
import { findFiles, namesOfData } from './claims/file-signals.ts';
import { factsOfVariables, toldBy } from './claims/found-facts.ts';
import { type Reach, reachesOf } from './claims/reach.ts';
import { toldBySecrets } from './claims/secret-words.ts';
import { SignalIndex } from './claims/signal-index.ts';
import { DataFiles } from './data-files.ts';
import { deployablesOf } from './deployables/deployables.ts';
import { madeByHostsOf } from './deployables/made-by-host.ts';
import type { FactReader } from './facts.ts';
import { byEnding, type Gathered, gather } from './gather.ts';
import { readIds } from './ids.ts';
import { endingOf, listingOf } from './listing.ts';
import { folderOf } from './paths.ts';
import { Reader } from './reader.ts';
import { readers as allReaders } from './readers/index.ts';
import { askedOf, type Service } from './service.ts';
import type { Deployable, Survey } from './survey.ts';
import { libraryOf, templateOf, unreadIn } from './units/repository-kind.ts';
import { roleOfPath } from './units/roles.ts';
import { type Units, unitsOf, withDeployed } from './units/units.ts';

/** Looks at a repository's files: what is deployed, and which services it uses. It needs no network and no credential. */
export async function survey(root: string, services: readonly Service[], readers: readonly FactReader[] = allReaders): Promise<Survey> {
  const real = await realpath(root);
  const reader = new Reader(real);
  const data = new DataFiles(reader, namesOfData(services));
  const gathered = await gather(real, { readers, asked: askedOf(services), reader, data });
  const { manifests, hosts, files, variables, renames, routes, schedules, problems, isCut } = gathered;
  const before = unitsOf(manifests, files);
  const deployables = deployablesOf({
    ...{ units: before.list, hosts, files, variables },
    isImagePublished: gathered.facts.some(({ kind, name }) => kind === 'action' && name === 'docker/build-push-action'),
  });
  const units = withDeployed(
    before,
    manifests,
    deployables.map(({ folder }) => folder),
  );
  const reaches = reachesOf(deployables, units, variables);
  const readersFor = byEnding(readers);
  const library = libraryOf(units.list, deployables);
  return {
    root: real,
    units: units.list,
    deployables,
    claims: library ? [] : claimsOf(await claimFacts({ services, gathered, units, deployables, data, reaches })),
    reaches,
    variables,
    renames,
    routes,
    schedules,
    template: templateOf(gathered),
    library,
    unread: unreadIn(files, (file) => readersFor(endingOf(file)).some((one) => one.takes(file))),
    problems,
    isCut,
  };
}

interface Looked {
  readonly services: readonly Service[];
  readonly gathered: Gathered;
  readonly units: Units;
  readonly deployables: readonly Deployable[];
  readonly data: DataFiles;
  readonly reaches: ReadonlyMap<string, Reach>;
}

async function claimFacts({ services, gathered, units, deployables, data, reaches }: Looked): Promise<ClaimFacts> {
  const folders = units.list.map(({ folder }) => folder);
  const files = await findFiles(services, gathered.files, { folders: beginningsOf(folders, gathered.files), data });
  const facts = [...gathered.facts, ...factsOfVariables(gathered.variables)];
  const telling = { services, index: new SignalIndex(services), units };
  const told = [...toldBy(facts, files, telling), ...toldBySecrets(gathered.variables, telling)];
  return {
    services,
    told,
    deployables,
    reaches: deployables.length > 0 ? reaches : new Map([['', everything(units)]]),
    ids: await idsFor({ services, gathered, units, deployables, data, reaches }, new Set(told.map(({ service }) => service))),
    made: madeByHostsOf(deployables, gathered.hosts),
  };
}

/** The folders from which paths of signals begin: each unit, and the folders right below it, where tools keep their own settings. */
function beginningsOf(units: readonly string[], files: readonly string[]): ReadonlySet<string> {
  const known = new Set(units);
  const folders = [...listingOf(files).folders.keys()];
  const below = folders.filter((folder) => folder !== '' && known.has(folderOf(folder)) && roleOfPath(folder) === null);
  return new Set([...units, ...below]);
}

/** What counts where nothing is deployed: all code that is no example and no test. */
const everything = (units: Units): Reach =>
  new Set(units.list.filter(({ folder, role }) => folder === '' || role === 'app' || role === 'package').map(({ folder }) => folder));

/** The ids of services of which anything is told, and of the hosts. */
async function idsFor({ services, gathered, units, data }: Looked, told: ReadonlySet<number>): Promise<ClaimFacts['ids']> {
  const files = listingOf(gathered.files);
  const folders = units.list.map(({ folder }) => folder);
  const found = new Map<number, ClaimFacts['ids'] extends ReadonlyMap<number, infer Found> ? Found : never>();
  for (const [i, service] of services.entries()) {
    if (!told.has(i) && !service.isHost) continue;
    const own = gathered.ids.filter(({ provider }) => provider === service.name);
    const all = [...(await readIds(service, { folders, files, data })), ...own];
    found.set(
      i,
      all.map((one) => ({ ...one, folder: units.ownerOf(one.file).folder })),
    );
  }
  return found;
}
