import type { DraftLine } from '../../ops/detect.ts';
import { type Draft, type DraftedBlock, type DraftedValue, type DraftProvider, type Holes, paramsOf, references } from '../draft.ts';
import { knownParams } from '../standing.ts';
import { addressOf, blocksFor } from './fill.ts';
import { handedIn } from './hand.ts';
import { type Candidate, judge, type Role } from './judge.ts';
import { draftsOf, isOfHost, roleOf, withPath } from './lines.ts';
import { addressAt, paramsAt } from './named.ts';
import { type Handed, unreadReason } from './reasons.ts';
import { type ComposeRequest, type Placed, Scene } from './scene.ts';
import type { Deployed, Site } from './sites.ts';
import type { Way } from './sources.ts';
import type { Owner } from './targets.ts';
import { handsOfWay } from './ways.ts';

/** A draft, and what it says about each deployable. */
export interface Composed extends Draft {
  readonly deployed: readonly Deployed[];
}

/**
 * Drafts a plan for a repository. A database gets a line where a deployable reads its outputs, its values become variables at the host of
 * that deployable, and the lines that need the address of a preview take that of the site which answers. A line that nobody can use is a
 * comment with the reason. Nothing found gives no line.
 */
export function compose(request: ComposeRequest): Composed {
  return new Composer(request).draft();
}

class Composer {
  readonly #request: ComposeRequest;
  readonly #scene: Scene;
  readonly #handed: readonly Handed[];
  readonly #lines: Candidate[] = [];
  /** The lines of variables. */
  readonly #lineOf = new Map<Handed, string>();

  constructor(request: ComposeRequest) {
    this.#request = request;
    this.#scene = new Scene(request);
    this.#handed = handedIn(this.#scene);
  }

  draft(): Composed {
    const { wiring, survey } = this.#request;
    for (const one of this.#scene.placed) if (one.line.part === 'database') this.#addPlaced(one);
    for (const way of this.#request.ways) this.#addWay(way);
    for (const site of this.#scene.sites) this.#addSite(site, ['address', undefined]);
    for (const one of this.#rest()) if (this.#isBefore(one)) this.#addPlaced(one);
    for (const site of this.#scene.sites) {
      const variables = this.#handed.flatMap((handed) =>
        handed.site === site && handed.where === 'host' ? [this.#addHanded(site, handed)] : [],
      );
      this.#addSite(site, ['deployment'], variables);
    }
    for (const one of this.#rest()) if (!this.#isBefore(one)) this.#addPlaced(one);
    const isTemplate = survey.template !== null;
    const lines = judge(isTemplate ? this.#lines.map((line) => ({ ...line, aside: line.aside ?? ofTemplate })) : this.#lines);
    const live = new Set(lines.flatMap(({ id, aside }) => (aside === null ? [id] : [])));
    return {
      lines: lines.map(({ role: _, needs: _1, group: _2, unread: _3, ...line }) => line),
      blocks: this.#blocks(lines),
      wired: this.#handed.flatMap((handed) => (handed.where === 'job' || live.has(this.#lineOf.get(handed) ?? '') ? [docOf(handed)] : [])),
      unwired: [...wiring.unwired, ...this.#handed.flatMap(({ service, why }) => (why === null ? [] : [{ service, why }]))],
      deployed: this.#scene.deployed,
    };
  }

  #rest(): readonly Placed[] {
    const rest = this.#scene.placed.filter(({ line }) => line.part !== 'database');
    return [...rest.filter(({ line }) => line.part !== 'flags'), ...rest.filter(({ line }) => line.part === 'flags')];
  }

  /** Tells whether the build of its own site needs a value of the line. */
  #isBefore({ id, target }: Placed): boolean {
    return this.#handed.some(({ where, site, needs }) => where === 'host' && site === target.site && site !== null && needs.includes(id));
  }

  #addPlaced(placed: Placed): void {
    const { owner, line, target, id } = placed;
    const { provider, claim } = owner;
    const filled = addressOf(target.site, { isBefore: this.#isBefore(placed), ...this.#scene.siteFacts(target.site) });
    const params = paramsOf(withPath(line, target, provider), {
      provider,
      ids: this.#scene.knownOf(owner),
      unclear: claim.unclear,
      repository: this.#request.repository,
      holes: target.site && !this.#scene.isAlone(target.site) ? addressAt(target.site, filled) : filled,
      renamed: this.#scene.renamed(owner, target.site),
    });
    const role = roleOf(provider, line);
    const handed = this.#handed.filter((one) => one.owner === owner);
    const unread =
      role === 'report' ? 'A report of a version is no reason for a plan by itself.' : unreadReason(owner, handed, this.#request.wiring);
    const isReady = [...params, ...this.#blockKeys(owner)].every(([, { todo }]) => todo === undefined);
    const unfilled =
      provider.isRecipe && role !== 'source' && !isReady && !this.#isBefore(placed) ? 'It is ready once you fill in its values.' : null;
    const aside = role === 'example' ? 'This is an example: a flag line names one flag.' : (target.why ?? unfilled);
    this.#push(provider, line, { id, params, role, aside, unread });
  }

  #addWay(way: Way): void {
    const { provider, engine, variable } = way;
    const { name, title } = provider.adapter;
    const { repository, standing } = this.#request;
    const drafts = draftsOf(provider, 'database');
    const idOf = ({ id, op }: DraftLine): string =>
      this.#scene.ids.of({ natural: `${id}-${name.replaceAll('_', '-')}`, provider, op, isAlone: true, marks: {} });
    const renamed = new Map(drafts.map((line) => [line.id, idOf(line)]));
    const readers = handsOfWay(way, this.#scene.sites, { repository, renamed });
    const there = `Use it if the ${engine} database is at ${title}`;
    const also = readers.length > 0 ? ', with the line of its variable below' : '';
    const aside = `${there}${variable === null || also !== '' ? also : `, and hand its address to ${variable}`}.`;
    for (const line of drafts) {
      const ids = standing ? knownParams(standing, name) : {};
      const params = paramsOf(line, { provider, ids, unclear: {}, repository, holes: {}, renamed });
      this.#push(provider, line, { id: renamed.get(line.id) ?? line.id, params, role: 'source', aside, unread: aside });
    }
    for (const { site, key, value } of readers)
      this.#addVariable(site, { key, value, suffix: `-${name.replaceAll('_', '-')}${site.suffix}` });
  }

  #addSite(site: Site, parts: readonly DraftLine['part'][], dependsOn: readonly string[] = []): void {
    const { provider } = site;
    for (const line of provider.adapter.detect?.draft ?? []) {
      if (!isOfHost(provider, line) || !parts.includes(line.part) || (site.isMade && line.part === undefined)) continue;
      const hasBefore = this.#rest().some((one) => one.target.site === site && this.#isBefore(one) && this.#isLive(one.id));
      const own = { ...line, params: hasBefore ? { ...line.params, ...line.withAddress } : line.params };
      const params = this.#paramsAt(site, own);
      const role = line.part === 'address' || line.part === 'deployment' ? line.part : 'host';
      const group = role === 'address' ? `${provider.adapter.name}${site.suffix}` : null;
      const unread = role === 'host' ? 'No line needs it yet.' : 'Only comments need it.';
      this.#push(provider, line, {
        id: this.#scene.idAt(site, line),
        params,
        role,
        aside: null,
        unread,
        dependsOn,
        group,
      });
    }
  }

  #paramsAt(site: Site, line: DraftLine, holes: Holes = {}): Candidate['params'] {
    const params = paramsOf(line, { ...this.#scene.lineFacts(site), holes });
    return this.#scene.isAlone(site) ? params : paramsAt(site, params);
  }

  /** A comment is no reason to hold the deployment against an address. */
  #isLive(id: string): boolean {
    return this.#lines.some((line) => line.id === id && line.aside === null);
  }

  #addHanded(site: Site, handed: Handed): string {
    const { variable: key, value, needs } = handed;
    const id = this.#addVariable(site, { key, value, needs });
    this.#lineOf.set(handed, id);
    return id;
  }

  #addVariable(site: Site, { key, value, suffix = site.suffix, needs = [] }: Variable): string {
    const { provider, host } = site;
    const [line] = draftsOf(provider, 'variable');
    if (!line) throw new Error(`${provider.adapter.name} has no line for a variable`);
    const isAlone = this.#scene.isAlone(site);
    const natural = key.toLowerCase().replaceAll('_', '-') + suffix;
    const id = this.#scene.ids.of({ natural, provider, op: line.op, isAlone, marks: host.ids, key });
    const holes = { 'variable.key': { value: key }, 'variable.value': value };
    const params = this.#paramsAt(site, line, holes);
    this.#push(provider, line, { id, params, role: 'variable', aside: null, unread: '', extra: needs });
    return id;
  }

  #push(provider: DraftProvider, line: DraftLine, given: Given): void {
    const { params, extra = [], dependsOn = [], group = null, ...rest } = given;
    const needs = [...new Set([...params.flatMap(([, { value }]) => references(value)), ...extra])];
    this.#lines.push({
      ...rest,
      provider,
      op: line.op,
      comment: line.comment,
      params,
      needs,
      dependsOn,
      group,
      isVariable: rest.role === 'variable',
    });
  }

  #blockKeys({ provider, claim }: Owner): DraftedBlock['keys'] {
    return blocksFor([{ provider, ids: claim.ids }], this.#request.repository).flatMap(({ keys }) => keys);
  }

  #blocks(lines: readonly Candidate[]): readonly DraftedBlock[] {
    const owners = [
      ...this.#scene.owners.map(({ provider, claim }) => ({ provider, ids: claim.ids })),
      ...this.#scene.sites.map(({ provider, host }) => ({ provider, ids: host.ids })),
      ...this.#request.ways.map(({ provider }) => ({ provider, ids: {} })),
    ];
    return blocksFor(owners, this.#request.repository).flatMap((block) => {
      const users = lines.filter(({ provider }) => provider === block.provider);
      return users.length === 0 ? [] : [{ ...block, isAside: users.every(({ aside }) => aside !== null) }];
    });
  }
}

interface Given {
  readonly id: string;
  readonly params: Candidate['params'];
  readonly role: Role;
  readonly aside: string | null;
  readonly unread: string;
  /** Lines that it needs without a reference. */
  readonly extra?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly group?: string | null;
}

/** A variable of the build at a host. */
interface Variable {
  readonly key: string;
  readonly value: DraftedValue;
  /** Ends the id of its line. */
  readonly suffix?: string;
  readonly needs?: readonly string[];
}

const ofTemplate = 'This repository is a template: the line is for a repository that is made from it.';

const docOf = ({ variable, deployable, service, value, needs, where }: Handed): Draft['wired'][number] => {
  const { value: given } = value;
  const from = typeof given === 'object' && given !== null && 'from' in given ? String(given.from) : (needs[0] ?? service);
  return { variable, deployable, service, from, where: where === 'job' ? 'job' : 'host' };
};
