import type { DraftVariable, ValueKind } from '../../ops/detect.ts';
import type { Survey } from '../detect/survey.ts';
import { bare, isConnection, isWholeAddress, kindOf, kindOfName, kindsFor, mayHold, mayShip } from './kinds.ts';
import { type NameInUse, namesOf } from './names.ts';
import { opensAtRuntime, readsAtRuntime, type Use, useOf } from './use.ts';
import type { Source, Unwired, Wired, Wiring } from './wiring.ts';

/**
 * Chooses a value for each name that a deployable reads. The host in the name's own value decides first, then the client that takes it or
 * a word of the provider in it, then what it opens and the provider's usual names. A value whose kind does not fit the use goes nowhere,
 * and so does a value for which two providers are equally likely.
 */
export function wire(survey: Survey, sources: readonly Source[]): Wiring {
  const all = survey.deployables.map(({ folder }) => wireDeployable(survey, folder, sources));
  return { wired: all.flatMap(({ wired }) => wired), unwired: all.flatMap(({ unwired }) => unwired) };
}

function wireDeployable(survey: Survey, folder: string, all: readonly Source[]): Wiring {
  const sources = all.filter((source) => source.deployables.includes(folder) && source.variables.length > 0);
  if (sources.length === 0) return { wired: [], unwired: [] };
  if (survey.template) return { wired: [], unwired: sources.map((source) => ofNone(source, folder, 'The repository is a template.')) };
  const names = namesOf(survey, folder);
  const others = survey.claims.filter((claim) => claim.deployables.includes(folder)).map(({ service }) => service);
  const hasOther = (one: NameInUse) => names.some((name) => name !== one && opensAtRuntime(name));
  const choices = names.map((name) => choose({ name, use: useOf(name, hasOther(name)), sources, others }));
  const chosen = withoutTwins(choices.flatMap(({ choice }) => (choice ? [choice] : [])));
  const refused = [...choices.flatMap(({ refusals }) => refusals), ...chosen.refusals];
  const wired = chosen.kept.map((choice) => wiredBy(choice, folder));
  const silent = sources.filter(
    ({ service }) => ![...wired, ...refused.map(({ source }) => source)].some((one) => one.service === service),
  );
  const place = folder === '' ? 'The code' : `The code in ${folder}`;
  return {
    wired,
    unwired: [
      ...refused.map(({ source, name, why }) => ({ service: source.service, deployable: folder, variable: name, why })),
      ...silent.map((source) => ofNone(source, folder, whySilent(source, names, place))),
    ],
  };
}

/**
 * Code that reads only the key of the account uses the service, and no line gives that key. Code may also open a database by an address of
 * which the lines give parts alone.
 */
function whySilent({ service, title, variables, engine, hosts }: Source, names: readonly NameInUse[], place: string): string {
  const opened = names.find((name) => isWholeAddressOf(name, { engine, hosts }));
  if (opened && !variables.some((given) => isConnection(kindOf(given)))) {
    return `${place} opens ${title} with ${opened.name}, an address of which pilotfish gives parts alone. Write the address, and hand it over yourself.`;
  }
  const key = names.find(({ name, read }) => read.length > 0 && isAccountKey(name) && hasWordOf(name, service));
  const isSecretAlone = variables.every((given) => kindOf(given) === 'signing-secret');
  if (!key || !isSecretAlone) return `${place} reads no name for a value of ${title}.`;
  return `${place} reads ${key.name} of ${title}, and pilotfish gives only the secret that signs its webhooks, which the code does not read.`;
}

function isWholeAddressOf(name: NameInUse, { engine, hosts }: Pick<Source, 'engine' | 'hosts'>): boolean {
  const { kind, engines } = useOf(name, false);
  if (name.read.length === 0 || kind === null || !kindsFor(kind).some(isConnection)) return false;
  return name.hosts.length > 0 ? name.hosts.some((host) => hosts.includes(host)) : engine !== null && engines.includes(engine);
}

function isAccountKey(name: string): boolean {
  const kind = kindOfName(name);
  return kind === 'secret' || (kind !== null && /key$|^token$/.test(kind));
}

const ofNone = ({ service }: Source, deployable: string, why: string): Unwired => ({ service, deployable, variable: null, why });

interface Asking {
  readonly name: NameInUse;
  readonly use: Use;
  readonly sources: readonly Source[];
  /** The services that the deployable uses. */
  readonly others: readonly string[];
}

interface Choice {
  readonly name: NameInUse;
  readonly use: Use;
  readonly source: Source;
  readonly given: DraftVariable;
  readonly strength: number;
  /** The provider documents the name. */
  readonly isUsual: boolean;
}

interface Refusal {
  readonly source: Source;
  readonly name: string;
  readonly why: string;
}

interface Chosen {
  readonly choice: Choice | null;
  readonly refusals: readonly Refusal[];
}

function choose(asking: Asking): Chosen {
  const { name, sources } = asking;
  const bests = sources.flatMap((source) => bestOf(asking, source));
  if (bests.length === 0) return { choice: null, refusals: refusalsOf(asking) };
  const owners = sources.filter((source) => owns(source, name));
  if (name.hosts.length > 0 && owners.length === 0) {
    const why = `The value of ${name.name} in ${fileOf(name)} is an address of another provider.`;
    return { choice: null, refusals: bests.map(({ source }) => ({ source, name: name.name, why })) };
  }
  const most = Math.max(...bests.map(({ strength }) => strength));
  const [first, ...equal] = bests.filter(({ strength }) => strength === most);
  if (!first) return { choice: null, refusals: [] };
  if (equal.length === 0) return { choice: first, refusals: [] };
  const titles = [first, ...equal].map(({ source }) => source.title);
  const why = `${name.name} may hold a value of ${titles.slice(0, -1).join(', ')} or of ${titles.at(-1)}, and no file says which.`;
  return { choice: null, refusals: [first, ...equal].map(({ source }) => ({ source, name: name.name, why })) };
}

/** A host may be known by a longer suffix than the provider's own: `.pooler.supabase.com`. */
const owns = ({ hosts }: Source, name: NameInUse): boolean =>
  hosts.some((own) => name.hosts.some((host) => host === own || (own.startsWith('.') && host.endsWith(own))));

const fileOf = ({ listed, read }: NameInUse): string => [...listed, ...read].find(({ hosts }) => hosts.length > 0)?.file ?? 'its file';

/** The best value of one provider for a name. */
function bestOf(asking: Asking, source: Source): readonly Choice[] {
  const { name, use } = asking;
  const order = use.kind === null ? [] : kindsFor(use.kind);
  const rank = (given: DraftVariable) => {
    const at = order.indexOf(kindOf(given));
    return at < 0 ? order.length : at;
  };
  const [best] = source.variables
    .flatMap((given): Choice[] => {
      const strength = strengthOf(asking, source, given);
      return strength === 0 ? [] : [{ name, use, source, given, strength, isUsual: isUsual(name.name, given) }];
    })
    .toSorted((a, b) => b.strength - a.strength || rank(a.given) - rank(b.given) || Number(b.isUsual) - Number(a.isUsual));
  return best ? [best] : [];
}

const isUsual = (name: string, { names }: DraftVariable): boolean => names.some((one) => one === name || bare(one) === bare(name));

/**
 * 4: the host of its value. 3: the client that takes it, or a word of the provider. 2: it opens such a database, or is a usual name. 1: its
 * words say that it is a database's address.
 */
function strengthOf({ name, use, others }: Asking, source: Source, given: DraftVariable): number {
  const kind = kindOf(given);
  const usual = isUsual(name.name, given);
  const fits = use.kind !== null && kindsFor(use.kind).includes(kind);
  if (!(fits || (usual && mayHold(use.kind, kind)))) return 0;
  if (use.isShipped && !mayShip(kind)) return 0;
  // A string of MySQL opens no Postgres.
  if (isConnection(kind) && (isOther(use.form) || !speaks(use.engines, source.engine))) return 0;
  const isTaken = source.packages.some((one) => use.clients.includes(one));
  // The address of a page, or of one part of the API, is another one.
  if (kind === 'url' && !usual && !isTaken && !isWholeAddress(name.name, wordIn(name.name, source.service))) return 0;
  if (owns(source, name)) return 4;
  if (isTaken) return 3;
  const [own, foreign] = [hasWordOf(name.name, source.service), others.some((one) => one !== source.service && hasWordOf(name.name, one))];
  // A key under a name that the provider does not document may be the one that manages the account.
  if (own && (usual || !isCredentialOf(kind))) return 3;
  if (usual) return 2;
  if (foreign || !isConnection(kind)) return 0;
  if (use.isOpened) return 2;
  // Code reads the name of a database, and this is the only one.
  const isOnly = others.every((one) => !engines.has(one) || speaks([one], source.engine));
  return name.read.length > 0 && isOnly ? 1 : 0;
}

/** A client of Java or .NET opens no plain address, and no word in front makes it one that it opens. */
const isOther = (form: string | null): boolean => form !== null && !form.includes('+');

/** Engines that speak the same protocol. */
const protocols: { readonly [engine: string]: string } = {
  cockroachdb: 'postgres',
  postgresql: 'postgres',
  mariadb: 'mysql',
  valkey: 'redis',
};

/** Engines whose address has such names too. */
const engines = new Set(['postgres', 'mysql', 'mariadb', 'mongodb', 'libsql', 'sqlserver', 'oracle']);

function speaks(engines: readonly string[], engine: string | null): boolean {
  const own = engine === null ? null : (protocols[engine] ?? engine);
  return engines.length === 0 || own === null || engines.some((one) => (protocols[one] ?? one) === own);
}

const isCredentialOf = (kind: ValueKind): boolean => kind === 'key' || kind === 'secret-key' || kind === 'token' || kind === 'id';

/** Tells whether a name holds the name of a service: `SUPABASE_DB_URL`, `UPSTASH_REDIS_URL`. */
const hasWordOf = (name: string, service: string): boolean => wordIn(name, service) !== null;

/** The word of a service in a name; `null` if it has none. */
function wordIn(name: string, service: string): string | null {
  const word = service.toUpperCase();
  const [first = ''] = word.split('_', 1);
  return [word, first].find((one) => !generic.has(one) && `_${bare(name)}_`.includes(`_${one}_`)) ?? null;
}

/** Words of names that say nothing of a provider. */
const generic = new Set(['POSTGRES', 'POSTGRESQL', 'MYSQL', 'MONGODB', 'REDIS', 'SQLITE', 'PRISMA', 'GOOGLE', 'AZURE', 'AWS', 'DB', 'SQL']);

/** The reasons for which a name that a provider documents gets nothing. */
function refusalsOf({ name, use, sources }: Asking): readonly Refusal[] {
  if (name.read.length === 0) return [];
  return sources.flatMap((source) => {
    const isAddress = use.isOpened && isOther(use.form);
    const given = source.variables.find((one) => isUsual(name.name, one) || (isAddress && isConnection(kindOf(one))));
    if (!given) return [];
    const why = whyNot(name, use, source, given);
    return why === null ? [] : [{ source, name: name.name, why }];
  });
}

function whyNot({ name }: NameInUse, use: Use, source: Source, given: DraftVariable): string | null {
  const kind = kindOf(given);
  if (use.isShipped && !mayShip(kind)) return `A browser reads ${name}, so it gets no secret.`;
  if (isConnection(kind) && !speaks(use.engines, source.engine)) {
    return `The code opens ${use.engines.join(' or ')} with ${name}, and ${source.title} is ${source.engine}.`;
  }
  if (isConnection(kind) && isOther(use.form)) {
    const taken = use.form === 'keys' ? 'a list of keys and values' : `an address that begins with ${use.form}`;
    return `${name} takes ${taken}, and ${source.title} gives a plain address. Set it by hand.`;
  }
  return use.kind === 'other' ? `${name} names another environment than the preview.` : null;
}

/**
 * One endpoint has one signing secret, and one branch is one database. A name that the provider or the code binds to it gets the value; of
 * several other names each may mean another one, so none does.
 */
function withoutTwins(choices: readonly Choice[]): { readonly kept: readonly Choice[]; readonly refusals: readonly Refusal[] } {
  const refused = choices.filter((one) => {
    const why = twinsOf(kindOf(one.given));
    if (why === null || isBound(one)) return false;
    const twins = choices.filter((other) => other !== one && other.source === one.source && isSameValue(other.given, one.given));
    return twins.length > 0 && !isTheDatabase(one, twins);
  });
  return {
    kept: choices.filter((one) => !refused.includes(one)),
    refusals: refused.map(({ source, name, given }) => ({
      source,
      name: name.name,
      why: twinsOf(kindOf(given))?.(source.title, name.name) ?? '',
    })),
  };
}

/** An own name of the team is bound by nothing but its words, or by a database that some client opens. */
const isBound = ({ isUsual: usual, strength, given }: Choice): boolean => usual || (kindOf(given) !== 'signing-secret' && strength > 2);

/** The app opens its database with this name alone: the others stand in lists, scripts and the configuration of migrations. */
const isTheDatabase = ({ name, given }: Choice, twins: readonly Choice[]): boolean =>
  isConnection(kindOf(given)) && opensAtRuntime(name) && !twins.some((twin) => readsAtRuntime(twin.name));

/** Why one of several names gets nothing; `null` for a kind of which several names may be one value. */
function twinsOf(kind: ValueKind): ((title: string, name: string) => string) | null {
  if (kind === 'signing-secret')
    return (title) => `The code reads several secrets of ${title}, and no file says which one checks its webhooks.`;
  return isConnection(kind)
    ? (title, name) => `${name} may be another database than the one of ${title}: the code reads several names.`
    : null;
}

const isSameValue = (a: DraftVariable, b: DraftVariable): boolean => JSON.stringify(a.value) === JSON.stringify(b.value);

function wiredBy({ name, use, source, given }: Choice, folder: string): Wired {
  const [place] = [...name.read, ...name.listed];
  return {
    variable: name.name,
    deployable: folder,
    service: source.service,
    from: source.from,
    given,
    isPrisma: use.isPrisma && given.prisma !== undefined,
    driver: isConnection(kindOf(given)) ? use.form : null,
    evidence: { file: place?.file ?? '', what: `variable ${name.name}` },
  };
}
