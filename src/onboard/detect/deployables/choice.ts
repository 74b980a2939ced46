import type { HostEvidence } from '../facts.ts';
import type { Deployable, HostChoice } from '../survey.ts';
import type { Framework } from './frameworks.ts';

/** How much each kind of evidence shows. The lowest decides. */
const strengths: { readonly [by in HostEvidence['by']]: number } = {
  preview: 0,
  deploy: 1,
  link: 2,
  config: 3,
  script: 4,
  package: 5,
  word: 6,
};

/** Hosts that only serve files. */
export const filesOnly: ReadonlySet<string> = new Set(['github_pages', 'gitlab_pages', 'surge', 'aws_s3_website', 'azure_storage_website']);
/** A server is in no store: its tests may start an app for phones. */
const stores = new Set(['app_stores', 'expo_eas']);

/** Where everything else is equal. Files for one-click installs stand in many repositories whose owners deploy elsewhere. */
const order = ['vercel', 'netlify', 'cloudflare', 'fly'];
const last = ['own_server', 'kubernetes', 'caprover', 'coolify', 'dokku', 'app_engine', 'railway', 'render', 'digitalocean', 'heroku'];

/**
 * Chooses the host of one deployable. The strongest evidence decides, then how much of it there is. The others stay known, because a
 * person may see a mistake in them.
 */
export function chooseHost(evidence: readonly HostEvidence[], framework: Framework | null): Pick<Deployable, 'host' | 'others'> {
  const strengthOf = (one: HostEvidence): number =>
    ((filesOnly.has(one.provider) || stores.has(one.provider)) && framework?.kind === 'web') || one.isPartial
      ? strengths.word
      : strengths[one.by];
  const isServed = framework?.kind === 'web' && framework.isWeak !== true;
  const own = isServed ? evidence.filter(({ isOfDocs }) => isOfDocs !== true) : evidence;
  const groups = [
    ...Map.groupBy(withoutMachines(withoutClouds(own)), ({ provider, product }) =>
      product === 'functions' ? `${provider}/${product}` : provider,
    ).values(),
  ];
  const ranked = groups
    .map((group) => group.toSorted((a, b) => strengthOf(a) - strengthOf(b) || compare(a.file, b.file) || a.line - b.line))
    .map((group) => ({ group, strength: Math.min(...group.map(strengthOf)), kinds: new Set(group.map(({ by }) => by)).size }))
    .sort(
      (a, b) =>
        a.strength - b.strength || b.kinds - a.kinds || lateness(a.group) - lateness(b.group) || compare(nameOf(a.group), nameOf(b.group)),
    );
  const [host = null, ...others] = ranked.map(({ group }) => choiceOf(group));
  return { host, others };
}

/** Hosts that show pages about an app, or whose evidence stands beside that of another name for the same. */
const beside = new Set(['github_pages', 'gitlab_pages', 'surge', 'kubernetes', 'aws', 'azure', 'convex', 'supabase']);
const isDeploying = ({ evidence }: HostChoice): boolean => evidence.some(({ by }) => by === 'preview' || by === 'deploy');

/** The other hosts to which CI deploys the same folder: a site and the app in the stores, a server and the functions beside it. */
export function alsoOn({ host, others }: Pick<Deployable, 'host' | 'others'>): readonly HostChoice[] {
  if (host === null || !isDeploying(host)) return [];
  const isSame = (one: HostChoice): boolean => one.provider === host.provider || (isStore(one) && isStore(host));
  return others.filter((one) => isDeploying(one) && !beside.has(one.provider) && !isSame(one));
}

const isStore = ({ provider }: HostChoice): boolean => provider === 'app_stores' || provider === 'expo_eas';

const nameOf = ([first]: readonly HostEvidence[]): string => first?.provider ?? '';
const lateness = (group: readonly HostEvidence[]): number =>
  last.includes(nameOf(group))
    ? order.length + 1 + last.indexOf(nameOf(group))
    : order.includes(nameOf(group))
      ? order.indexOf(nameOf(group))
      : order.length;

/** Tools for a whole cloud (CDK, `azd`) tell its name alone. Other evidence tells which of its products runs the app. */
function withoutClouds(evidence: readonly HostEvidence[]): readonly HostEvidence[] {
  const productOf = (cloud: string): string | undefined => evidence.find(({ provider }) => provider.startsWith(`${cloud}_`))?.provider;
  const products = { aws: productOf('aws'), azure: productOf('azure') };
  return evidence.map((one) =>
    one.provider === 'aws' || one.provider === 'azure' ? { ...one, provider: products[one.provider] ?? one.provider } : one,
  );
}

/** Hosts whose machines people reach by `ssh`. */
const machines = new Set(['pythonanywhere', 'laravel_forge']);

/** A deployment by `ssh` does not say whose machine it is. What names such a host does. */
function withoutMachines(evidence: readonly HostEvidence[]): readonly HostEvidence[] {
  const named = new Set(evidence.filter(({ provider }) => machines.has(provider)).map(({ provider }) => provider));
  const [only, ...more] = named;
  if (only === undefined || more.length > 0) return evidence;
  return evidence.map((one) => (one.provider === 'own_server' ? { ...one, provider: only } : one));
}

/** Joins the evidence of one host, the strongest first. */
function choiceOf(evidence: readonly HostEvidence[]): HostChoice {
  const { ids, unclear } = joinIds(evidence);
  return {
    provider: nameOf(evidence),
    ids,
    unclear,
    builds: evidence.find(({ builds }) => builds !== undefined)?.builds ?? 'host',
    previews: previewsOf(evidence),
    product: evidence.find(({ product }) => product !== undefined)?.product ?? null,
    evidence,
  };
}

function previewsOf(evidence: readonly HostEvidence[]): HostChoice['previews'] {
  if (evidence.some(({ by }) => by === 'preview')) return 'each';
  if (evidence.some(({ previews }) => previews === 'off')) return 'off';
  return evidence.some(({ previews }) => previews === 'each') ? 'each' : null;
}

/** The strongest evidence with a value for a param gives it. Where that disagrees with itself, only a person knows. */
function joinIds(evidence: readonly HostEvidence[]): Pick<HostChoice, 'ids' | 'unclear'> {
  const ids: { [param: string]: string } = {};
  const unclear: { [param: string]: readonly string[] } = {};
  for (const param of new Set(evidence.flatMap((one) => Object.keys(one.ids)))) {
    const with_ = evidence.filter((one) => one.ids[param] !== undefined);
    const values = new Set(with_.filter(({ by }) => by === with_[0]?.by).map((one) => one.ids[param] ?? ''));
    const [value = '', ...more] = values;
    if (more.length === 0) ids[param] = value;
    else unclear[param] = [...values];
  }
  return { ids, unclear };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
