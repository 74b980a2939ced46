import type { Fact, VariableUse } from '../facts.ts';
import { pathFrom } from '../paths.ts';
import { isSkeletonFile } from '../readers/code/laravel-skeleton.ts';
import { isGenerator } from '../readers/not-own.ts';
import type { Service, Strength } from '../service.ts';
import type { Unit } from '../survey.ts';
import { isAside } from '../units/roles.ts';
import type { Units } from '../units/units.ts';
import type { FileHit } from './file-signals.ts';
import { SettingHits } from './setting-hits.ts';
import type { Hit, SignalIndex } from './signal-index.ts';
import { VariableHits } from './variable-hits.ts';

/** A fact that tells of a service. */
export interface Told {
  /** Its place in the list of services. */
  readonly service: number;
  readonly strength: Strength;
  readonly fact: Fact;
  /** The folder of the unit that it belongs to. */
  readonly folder: string;
}

interface Telling {
  readonly services: readonly Service[];
  readonly index: SignalIndex;
  readonly units: Units;
}

/** The facts that tell of services, each with the unit that it belongs to. Tests, examples and docs inside a unit tell of nothing. */
export function toldBy(facts: readonly Fact[], files: readonly FileHit[], { services, index, units }: Telling): readonly Told[] {
  const own = ownNames(units);
  const variables = new VariableHits(index, units, facts);
  const settings = new SettingHits(index, services, variables);
  const hitsOf = (fact: Fact): readonly Hit[] => {
    const { kind, name } = fact;
    if (kind === 'file' || kind === 'reference') return [];
    if (kind === 'setting') return settings.of(fact);
    return kind === 'variable' ? variables.of(fact) : index.find(kind, name);
  };
  const told: Told[] = [];
  const offered = offersIn(facts, units);
  for (const fact of facts) {
    const unit = units.ownerOf(fact.file);
    if (!speaks(fact.file, unit) || isOwn(fact, own)) continue;
    const isHint = fact.isHint === true || (fact.kind === 'variable' && (isGenerator(fact.file) || offered(fact)));
    const said: Fact = isHint ? { ...fact, isHint } : fact;
    for (const { service, strength } of hitsOf(fact))
      told.push({ service, strength: isHint && strength === 'uses' ? 'may' : strength, fact: said, folder: unit.folder });
  }
  for (const { service, strength, kind, name, file, folder } of files) {
    if (!speaks(file, units.ownerOf(file)) && folder !== units.ownerOf(file).folder) continue;
    const unit = units.graph.has(folder) ? folder : units.ownerOf(file).folder;
    told.push({ service, strength, fact: { kind, name, file, line: 0, use: 'runtime' }, folder: unit });
  }
  const itself = servicesItself(own, index);
  return told.filter(({ service }) => !itself.has(service));
}

/** Settings that a package of Laravel puts into an app, with all that it may be given. An app's own accounts stand in `services.php` and the like. */
const ofPackage = (file: string): boolean => /(?:^|\/)config\/[\w-]+\.php$/.test(file) && !isSkeletonFile(file);

/** A list of variables that an app keeps has this many names. */
const leastListed = 12;

/** Tells whether a variable stands in settings that a package brought, and not in the list of variables that the app keeps. */
function offersIn(facts: readonly Fact[], units: Units): (fact: Fact) => boolean {
  const lists = new Map<string, Set<string>>();
  for (const { kind, name, file } of facts) {
    if (kind !== 'variable' || !/(?:^|\/)\.env[\w.-]*$/.test(file)) continue;
    const { folder } = units.ownerOf(file);
    lists.set(folder, (lists.get(folder) ?? new Set()).add(name));
  }
  return ({ name, file }) => {
    const list = ofPackage(file) ? lists.get(units.ownerOf(file).folder) : undefined;
    return list !== undefined && list.size >= leastListed && !list.has(name);
  };
}

/** Variables as facts: the name, and the signals that a value answers. */
export const factsOfVariables = (variables: readonly VariableUse[]): readonly Fact[] =>
  variables.flatMap(({ name, file, line, use, hosts, schemes, isSkeleton }): Fact[] => [
    ...(isSkeleton ? [] : [{ kind: 'variable' as const, name, file, line, use }]),
    ...hosts.map((host): Fact => ({ kind: 'host', name: host, file, line, use })),
    ...schemes.map((scheme): Fact => ({ kind: 'scheme', name: scheme, file, line, use })),
  ]);

const speaks = (file: string, { folder }: Unit): boolean => !isAside(pathFrom(folder, file));

/** Packages that this repository has itself. Nobody's use of them tells of a service. */
interface OwnNames {
  /** `npm:@novu/framework`. */
  readonly packages: ReadonlySet<string>;
  /** The same, without those that are never published. */
  readonly published: ReadonlySet<string>;
  /** `npm:@novu/`. */
  readonly scopes: ReadonlySet<string>;
}

function ownNames(units: Units): OwnNames {
  const manifests = units.list.flatMap((unit) => unit.manifests).filter(({ name }) => name !== null);
  const keys = manifests.map(({ ecosystem, name, isPublished }) => ({ key: `${ecosystem}:${name}`, isPublished }));
  return {
    packages: new Set(keys.map(({ key }) => key)),
    published: new Set(keys.filter(({ isPublished }) => isPublished !== false).map(({ key }) => key)),
    scopes: new Set(keys.flatMap(({ key }) => /^npm:@[^/]+\//.exec(key)?.[0] ?? [])),
  };
}

const isOwn = ({ kind, name }: Fact, { packages, scopes }: OwnNames): boolean =>
  kind === 'package' && (packages.has(name) || scopes.has(/^npm:@[^/]+\//.exec(name)?.[0] ?? ''));

/** The services whose own repository this is: it publishes a package by which one is known. */
const servicesItself = ({ published }: OwnNames, index: SignalIndex): ReadonlySet<number> =>
  new Set(
    [...published].flatMap((name) =>
      index.find('package', name).flatMap(({ service, strength }) => (strength === 'uses' ? [service] : [])),
    ),
  );
