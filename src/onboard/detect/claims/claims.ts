import { alsoOn } from '../deployables/choice.ts';
import type { MadeByHost } from '../deployables/made-by-host.ts';
import type { Fact, FoundParam } from '../facts.ts';
import type { Service } from '../service.ts';
import type { Claim, Deployable } from '../survey.ts';
import { evidenceOf } from './evidence.ts';
import type { Told } from './found-facts.ts';
import { idsIn } from './ids-of-claim.ts';
import { withoutMenus } from './menus.ts';
import type { Reach } from './reach.ts';

/** The facts and folders from which claims are made. */
export interface ClaimFacts {
  readonly services: readonly Service[];
  readonly told: readonly Told[];
  readonly deployables: readonly Deployable[];
  /** By the folder of a deployable. Without deployables one entry holds all folders that count. */
  readonly reaches: ReadonlyMap<string, Reach>;
  /** The ids that files hold, by the place of a service in the list, each with the folder of its unit. */
  readonly ids: ReadonlyMap<number, readonly (FoundParam & { readonly folder: string })[]>;
  readonly made: readonly MadeByHost[];
}

/** The proofs and hints of one service in one deployable. */
interface Proof {
  readonly service: number;
  readonly folder: string;
  readonly facts: readonly Fact[];
}

/** The services that a repository uses, in the order of the list. */
export function claimsOf(given: ClaimFacts): readonly Claim[] {
  const { services, deployables } = given;
  const proofs = withoutEngines([...proofsOf(given), ...madeProofs(given), ...hostProofs(given)], given);
  const byService = Map.groupBy(proofs, ({ service }) => service);
  const folders = new Set(deployables.map(({ folder }) => folder));
  return services.flatMap((service, i) => {
    const own = byService.get(i) ?? [];
    return own.length === 0 ? [] : [claimOf(service, i, own, { ...given, folders })];
  });
}

function claimOf(
  { name, from }: Service,
  i: number,
  proofs: readonly Proof[],
  { deployables, reaches, ids, made, folders }: ClaimFacts & { readonly folders: ReadonlySet<string> },
): Claim {
  const facts = [...new Set(proofs.flatMap((proof) => proof.facts))];
  const places = [...new Set(proofs.map(({ folder }) => folder))];
  const reach = new Set(places.flatMap((folder) => [...(reaches.get(folder) ?? [])]));
  const hosts = deployables.filter(({ folder, host }) => places.includes(folder) && host?.provider === name);
  const [byHost] = made.filter(({ service, deployable }) => service === name && (deployable === null || places.includes(deployable)));
  return {
    service: name,
    from,
    facts,
    evidence: evidenceOf(facts),
    deployables: places.filter((folder) => folders.has(folder)),
    ...idsIn(ids.get(i) ?? [], reach, hosts),
    madeByHost: byHost ? { host: byHost.host, what: byHost.what } : null,
  };
}

/** Tells of which engines' facts a service's own are. Each provider of an engine has them, so they tell of none. */
function engineFacts({ services, told }: ClaimFacts): (service: number, fact: Fact) => boolean {
  const engines = new Map(services.flatMap(({ name, isEngine }, i) => (isEngine ? [[name, i] as const] : [])));
  const known = new Map(
    [...engines].map(([name, i]) => [name, new Set(told.filter(({ service }) => service === i).map(({ fact }) => fact))]),
  );
  return (service, fact) => (services[service]?.engines ?? []).some((engine) => known.get(engine)?.has(fact));
}

/**
 * Takes the facts that each deployable reaches, and gives what they prove. Where the host of a deployable is known, nothing else proves a host, but code may call
 * another one.
 */
function proofsOf(given: ClaimFacts): readonly Proof[] {
  const { services, told, reaches, deployables } = given;
  const isOfEngine = engineFacts(given);
  const isHosted = deployables.some(({ host }) => host !== null);
  const byService = Map.groupBy(withoutMenus(told), ({ service }) => service);
  return [...byService].flatMap(([service, all]) => {
    const isCalledAlone = isHosted && services[service]?.isHost === true;
    return [...reaches].flatMap(([folder, reach]) => {
      const facts = evidenceIn(all.filter((one) => reach.has(one.folder) && (!isCalledAlone || isClient(one.fact))));
      const own = facts.filter(({ strength, fact }) => strength !== 'may' || !isOfEngine(service, fact));
      return isProved(own) ? [{ service, folder, facts: facts.map(({ fact }) => fact) }] : [];
    });
  });
}

/** A package, an address or the id of a DNS zone with which code calls the API of a service. It runs nothing there itself. */
const isClient = ({ kind, name }: Fact): boolean =>
  (kind === 'host' && name.startsWith('api.')) ||
  (kind === 'variable' && /_ZONE_?ID$/.test(name)) ||
  (kind === 'resource' && /^cloudflare_(?:dns_record|record|zone|ruleset|page_rule)/.test(name)) ||
  (kind === 'package' &&
    /[:/](?:client-|aws-sdk-)|AWSSDK\.|aws-sdk-go(?:-v2)?\/service\/|:ex_aws_|[-_]api[-_]client|[:/]cloudflare(?:-go|-rails)?$/i.test(
      name,
    ));

/** Facts that may prove the service. Beside another provider that the same packages and texts reach, these say nothing of it. */
function evidenceIn(told: readonly Told[]): readonly Told[] {
  const isOther = told.some(({ strength, fact }) => strength === 'unless' && isOfApp(fact));
  return told.filter(({ strength, fact }) => strength !== 'unless' && !(isOther && (fact.kind === 'package' || fact.kind === 'snippet')));
}

/**
 * One fact of the app that proves it, or hints of two kinds, one of them of the app. What only the work on the app, its tests or a workflow
 * needs is at most a hint.
 */
export function isProved(facts: readonly Pick<Told, 'strength' | 'fact'>[]): boolean {
  const hints = new Set<string>();
  let hasApp = false;
  for (const { strength, fact } of facts) {
    if (strength === 'nothing') continue;
    if (strength === 'uses' && isOfApp(fact)) return true;
    hints.add(fact.kind);
    hasApp ||= isOfApp(fact);
  }
  return (hasApp && hints.size > 1) || isAccount(facts);
}

/** The id of an account and its key: an app that has both signs in there. Other clouds take the names of AWS as well. */
function isAccount(facts: readonly Pick<Told, 'strength' | 'fact'>[]): boolean {
  const names = facts.flatMap(({ strength, fact }) =>
    strength === 'may' && fact.kind === 'variable' && fact.isHint !== true && isOfApp(fact) && !/^(?:AWS|S3)_/.test(fact.name)
      ? [fact.name]
      : [],
  );
  return names.some((name) => account.test(name)) && names.some((name) => /_(?:KEY|SECRET|TOKEN|PEM|PASSWORD)$/.test(name));
}

const account = /_(?:APP|CLIENT|ACCOUNT|PROJECT|TEAM|KEY|INSTALLATION|ORG|MERCHANT|STORE|SITE|WORKSPACE|TENANT)_ID$/;

const isOfApp = ({ use }: Fact): boolean => use === 'runtime' || use === 'infrastructure';

/** The hosts of deployables. Evidence of deployables chose them. */
function hostProofs({ services, deployables }: ClaimFacts): readonly Proof[] {
  const chosen = deployables.flatMap((one) =>
    [...(one.host ? [one.host] : []), ...alsoOn(one)].map((host) => ({ folder: one.folder, host })),
  );
  return chosen.flatMap(({ folder, host }) =>
    services.flatMap(({ name, isHost }, service): readonly Proof[] =>
      isHost && host.provider === name
        ? [{ service, folder, facts: host.evidence.map(({ file, line }) => ({ kind: 'file', name, file, line, use: 'runtime' })) }]
        : [],
    ),
  );
}

/** Services that a host makes for each preview, whether or not the code names them. */
function madeProofs({ services, deployables, made }: ClaimFacts): readonly Proof[] {
  return made.flatMap((one) => {
    const service = services.findIndex(({ name }) => name === one.service);
    if (service < 0) return [];
    const folders = one.deployable === null ? deployables.map(({ folder }) => folder) : [one.deployable];
    const fact: Fact = { kind: 'file', name: one.service, file: one.file, line: one.line, use: 'runtime' };
    return folders.map((folder) => ({ service, folder, facts: [fact] }));
  });
}

/** A kind of database counts only where nobody who provides it is proved, or where the host makes it. */
function withoutEngines(proofs: readonly Proof[], { services, deployables, made }: ClaimFacts): readonly Proof[] {
  const deployed = new Set(deployables.map(({ folder }) => folder));
  const provided = new Map<string, Set<string>>();
  for (const { service, folder } of proofs) {
    // MariaDB speaks MySQL's protocol and provides no MySQL.
    if (services[service]?.isEngine === true) continue;
    for (const engine of services[service]?.engines ?? []) provided.set(folder, (provided.get(folder) ?? new Set()).add(engine));
  }
  return proofs.filter(({ service, folder, facts }) => {
    const { isEngine = false, name = '', engines = [] } = services[service] ?? {};
    // What nothing deploys, such as a worker beside the app, has the database of the others.
    const near = deployed.has(folder) ? [provided.get(folder)] : [...provided.values()];
    if (name === 'sqlite' && isFallback(facts) && proofs.some((one) => one.folder === folder && isOtherSql(services[one.service])))
      return false;
    if (!isEngine || ![name, ...engines].some((engine) => near.some((all) => all?.has(engine)))) return true;
    return made.some((one) => one.service === name && (one.deployable === null || one.deployable === folder));
  });
}

/** Only addresses and modules of settings name SQLite, and no package opens it: without the variable of the real one, settings take a file. */
const isFallback = (facts: readonly Fact[]): boolean => facts.every(({ kind }) => kind === 'scheme' || kind === 'module');

const isOtherSql = (service: Service | undefined): boolean =>
  [service?.name ?? '', ...(service?.engines ?? [])].some((one) => one === 'postgres' || one === 'mysql' || one === 'sqlserver');
