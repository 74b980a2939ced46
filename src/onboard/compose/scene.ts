import type { DraftLine } from '../../ops/detect.ts';
import type { Survey } from '../detect/survey.ts';
import type { DraftedValue } from '../draft.ts';
import { knownParams, type Standing } from '../standing.ts';
import type { Wiring } from '../wiring/wiring.ts';
import { madeBy } from './fill.ts';
import { Ids } from './ids.ts';
import { isFrom, isOfHost } from './lines.ts';
import { type Deployed, type Hosts, type Site, sitesOf } from './sites.ts';
import { providerOf, type Way } from './sources.ts';
import { type Owner, type Target, targetsOf } from './targets.ts';

export interface ComposeRequest extends Hosts {
  readonly survey: Survey;
  readonly wiring: Wiring;
  /** Goes into the names of objects, so that two repositories on one provider project stay apart. */
  readonly repository: string;
  /** The managed ways to a database whose provider nobody can tell. */
  readonly ways: readonly Way[];
  /** An existing plan. Its ids and values go before those of files. */
  readonly standing: Standing | null;
}

/** A line of a service with its id, at one target. */
export interface Placed {
  readonly owner: Owner;
  readonly line: DraftLine;
  readonly target: Target;
  readonly id: string;
}

/** The sites and services of a repository, and the ids of their lines. A name is given once, so all are given before the first line. */
export class Scene {
  readonly request: ComposeRequest;
  readonly ids: Ids;
  readonly deployed: readonly Deployed[];
  readonly sites: readonly Site[];
  readonly owners: readonly Owner[];
  readonly placed: readonly Placed[];
  readonly #siteIds: ReadonlyMap<Site, ReadonlyMap<string, string>>;

  constructor(request: ComposeRequest) {
    this.request = request;
    this.ids = new Ids(request.standing);
    this.deployed = sitesOf(request.survey, request);
    this.sites = this.deployed.flatMap(({ site }) => (site ? [site] : []));
    this.owners = this.#ownersOf();
    // Names follow the order of the plan: the first provider keeps the short name.
    const databases = this.owners.flatMap((owner) => this.#place(owner, (line) => line.part === 'database'));
    this.#siteIds = new Map(this.sites.map((site) => [site, this.#idsOfSite(site)]));
    this.placed = [...databases, ...this.owners.flatMap((owner) => this.#place(owner, (line) => line.part !== 'database'))];
  }

  idAt(site: Site, { id }: DraftLine): string {
    return this.#siteIds.get(site)?.get(id) ?? id;
  }

  /** The only site of its host: the plan may call its lines as it likes. */
  isAlone({ provider }: Site): boolean {
    return this.sites.filter((one) => one.provider === provider).length === 1;
  }

  /** Services with lines of their own. What the host makes for each preview is left to the host. */
  #ownersOf(): readonly Owner[] {
    const { survey, providers } = this.request;
    const owners = survey.claims.flatMap((claim): Owner[] => {
      if (claim.madeByHost !== null || claim.from === 'catalogue') return [];
      const provider = providerOf(claim, providers);
      return provider?.adapter.detect?.draft ? [{ claim, provider }] : [];
    });
    const rank = ({ provider }: Owner): number => provider.adapter.detect?.database?.rank ?? Number.POSITIVE_INFINITY;
    return owners.toSorted((a, b) => Number(this.#isWired(b)) - Number(this.#isWired(a)) || compare(rank(a), rank(b)));
  }

  #isWired({ provider }: Owner): boolean {
    return this.request.wiring.wired.some((one) => one.service === provider.adapter.name && isFrom(one, provider));
  }

  #place(owner: Owner, isMeant: (line: DraftLine) => boolean): readonly Placed[] {
    const { survey, titleOf } = this.request;
    const isDatabase = owner.provider.adapter.detect?.database !== undefined && this.#isWired(owner);
    return (owner.provider.adapter.detect?.draft ?? []).flatMap((line) => {
      if (!isMeant(line) || isOfHost(owner.provider, line) || (line.where !== undefined && (line.where === 'database') !== isDatabase))
        return [];
      const targets = targetsOf(owner, line, { survey, deployed: this.deployed, titleOf });
      return targets.map((target) => {
        const suffix = targets.length > 1 ? (target.site?.suffix ?? '') : '';
        const isAlone = targets.length === 1;
        const wanted = { natural: line.id + suffix, provider: owner.provider, op: line.op, isAlone, marks: {} };
        return { owner, line, target, id: this.ids.of(wanted) };
      });
    });
  }

  #idsOfSite(site: Site): ReadonlyMap<string, string> {
    const { provider, suffix } = site;
    const isAlone = this.isAlone(site);
    const lines = (provider.adapter.detect?.draft ?? []).filter((line) => isOfHost(provider, line) && line.part !== 'variable');
    return new Map(lines.map(({ id, op }) => [id, this.ids.of({ natural: id + suffix, provider, op, isAlone, marks: site.host.ids })]));
  }

  /** The ids of a service's lines: those for the site, where it has lines of its own there. */
  renamed(owner: Owner, site: Site | null): ReadonlyMap<string, string> {
    const own = this.placed.filter((one) => one.owner === owner);
    const here = own.filter(({ target }) => target.site === site);
    return new Map([...own.toReversed(), ...here].map(({ line, id }) => [line.id, id]));
  }

  siteFacts(site: Site | null) {
    return {
      repository: this.request.repository,
      renamed: (site && this.#siteIds.get(site)) ?? new Map<string, string>(),
      made: site ? madeBy(site) : new Map<string, DraftedValue>(),
    };
  }

  lineFacts(site: Site) {
    const { provider, host, suffix } = site;
    // Each of several sites of a host names its objects after itself: two apps of one preview cannot share a name.
    const repository = this.request.repository + (this.isAlone(site) ? '' : suffix);
    return { provider, ids: this.#knownAt(site), unclear: host.unclear, holes: {}, ...this.siteFacts(site), repository };
  }

  /** A value of the plan goes before a value of a file, which may come from another checkout or an older project. */
  knownOf({ provider, claim }: Owner): Owner['claim']['ids'] {
    const { standing } = this.request;
    return { ...claim.ids, ...(standing && knownParams(standing, provider.adapter.name)) };
  }

  #knownAt(site: Site): Owner['claim']['ids'] {
    const { provider, host, suffix } = site;
    const { standing } = this.request;
    if (!standing) return host.ids;
    const isAlone = this.isAlone(site);
    const lines = isAlone ? standing.lines : standing.lines.filter(({ id }) => id.endsWith(suffix));
    return { ...host.ids, ...knownParams({ ...standing, lines }, provider.adapter.name) };
  }
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
