import type { Deployable, HostChoice, Survey } from '../detect/survey.ts';
import type { DraftProvider } from '../draft.ts';

/** A deployable at a host whose previews the plan can reach. */
export interface Site {
  readonly deployable: Deployable;
  readonly host: HostChoice;
  readonly provider: DraftProvider;
  /** Ends the ids of its lines: empty if the repository has one site. */
  readonly suffix: string;
  /** A workflow makes the place of each preview, such as an app for each pull request. */
  readonly isMade: boolean;
}

/** A deployable with its site, or with the reason why no line reaches its previews. */
export interface Deployed {
  readonly deployable: Deployable;
  readonly site: Site | null;
  readonly why: string | null;
}

/** The hosts that lines can be drafted for. `titleOf` gives the name of any host for people. */
export interface Hosts {
  readonly providers: readonly DraftProvider[];
  readonly titleOf: (name: string) => string;
}

/** Tells for each deployable which host has its previews. */
export function sitesOf({ deployables }: Survey, hosts: Hosts): readonly Deployed[] {
  const judged = deployables.map((deployable) => ({ deployable, ...reached(deployable, hosts) }));
  const isAlone = judged.filter(({ provider }) => provider !== null).length === 1;
  const suffixes = new Set<string>();
  return judged.map(({ deployable, provider, why }) => {
    const { host } = deployable;
    if (!host || !provider) return { deployable, site: null, why };
    const suffix = isAlone ? '' : free(`-${slug(deployable.name) || slug(deployable.folder) || 'root'}`, suffixes);
    const isMade = host.previews === 'each' && host.evidence.some(({ by }) => by === 'preview');
    return { deployable, site: { deployable, host, provider, suffix, isMade }, why: null };
  });
}

function reached(
  { kind, host, name }: Deployable,
  { providers, titleOf }: Hosts,
): Pick<Deployed, 'why'> & { provider: DraftProvider | null } {
  const none = (why: string) => ({ provider: null, why });
  if (kind === 'mobile' || kind === 'desktop') return none(`${name} runs on the devices of its users, so no host has a preview of it.`);
  if (!host) return none(`No file tells which host has ${name}.`);
  const title = titleOf(host.provider);
  if (host.previews === 'off')
    return none(`${title} builds no branches of ${name}: ${host.evidence[0]?.file ?? 'its configuration'} switches that off.`);
  const provider = providers.find(({ adapter }) => adapter.name === host.provider && adapter.detect?.hosting !== undefined);
  const hosting = provider?.adapter.detect?.hosting;
  if (!provider || !hosting) return none(`${name} runs at ${title}, and pilotfish has no line for previews there.`);
  if (hosting.product !== undefined && hosting.product !== host.product) {
    const what = host.product === null ? 'this product' : `the product ${host.product}`;
    return none(`${name} runs at ${title}, and pilotfish has lines for its product ${hosting.product} and none for ${what}.`);
  }
  return { provider, why: null };
}

function free(name: string, taken: Set<string>): string {
  let one = name;
  for (let n = 2; taken.has(one); n += 1) one = `${name}-${n}`;
  taken.add(one);
  return one;
}

/** The last part of a name, without the scope of a package. */
const slug = (name: string): string =>
  (name.split('/').at(-1) ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
