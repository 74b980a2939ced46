import { Failure, Failures } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { Problems } from '../plan/problems.ts';
import type { Plan, PlanLine, ProviderEntry } from '../plan/types.ts';
import type { Adapter, Op, ProviderDefaults } from './op.ts';
import { resolveBlock } from './provider.ts';
import type { Registry } from './registry.ts';

/**
 * The API block of each line: a block of the plan, or else the defaults of a known family, under any of the family's names. Each block is
 * resolved once, and its mistakes are reported once.
 */
export class Blocks {
  readonly #plan: Plan;
  readonly #registry: Registry;
  readonly #env: NodeJS.ProcessEnv;
  readonly #problems: Problems;
  readonly #resolved = new Map<string, ProviderBlock | null>();

  constructor(options: { plan: Plan; registry: Registry; env: NodeJS.ProcessEnv; problems: Problems }) {
    this.#plan = options.plan;
    this.#registry = options.registry;
    this.#env = options.env;
    this.#problems = options.problems;
  }

  /** `providers.<name>` must name an adapter: the run would silently ignore a wrong name. */
  checkNames(): void {
    const { providers } = this.#plan;
    const known = [...this.#registry.adapterNames().filter((name) => name !== 'http'), 'http'];
    for (const entry of providers.values()) {
      const spellings = this.#registry.adapterSpellings(entry.name);
      if (spellings.length > 0) this.#refuseTwice(providers, spellings);
      else {
        const isApi = this.#registry.familyNames().includes(entry.name);
        this.#problems.add('PLAN_INVALID', {
          detail: `providers.${entry.name} names no adapter.${didYouMean(entry.name, known)} The known ones are ${known.join(', ')}.`,
          ...(isApi && { fix: `${entry.name} is a recipe family: move its settings to providers.http.${entry.name}.` }),
          place: entry.place,
        });
      }
    }
  }

  /** The block of a line of a built-in or plugged-in adapter. */
  ofAdapter(adapter: Adapter, line: PlanLine): ProviderBlock | null {
    const entry = firstEntry(this.#plan.providers, this.#registry.adapterSpellings(adapter.name));
    return this.#resolve({ name: adapter.name, defaults: adapter.provider, entry, line, isApi: false, baseless: false });
  }

  /** The block of a line of the generic adapter; `family` is its recipe's. */
  async ofHttp(line: PlanLine, family: Adapter | null, op: Op): Promise<ProviderBlock | null> {
    const { apis } = this.#plan;
    const wanted = line.api ?? family?.name;
    if (wanted === undefined) return op.kind === 'action' ? bareBlock : this.#refuseNameless(line);
    const spellings = this.#registry.familySpellings(wanted);
    const names = spellings.length > 0 ? spellings : [wanted];
    this.#refuseTwice(apis, names);
    const entry = apis.get(wanted) ?? firstEntry(apis, names);
    const own = await this.#registry.family(wanted);
    if (!entry && !own) return this.#refuseUnknown(line, wanted);
    const stated = entry ? await this.#statedFamily(entry) : null;
    if (stated === 'unknown') return null;
    // A recipe on a block of another name, such as a second tenant, keeps its family's defaults.
    const source = stated ?? own ?? family;
    return this.#resolve({
      name: names[0] ?? wanted,
      defaults: source?.provider ?? noDefaults,
      from: source?.name ?? '',
      entry,
      line,
      isApi: true,
      baseless: op.kind === 'action' && (source?.provider.auth ?? null) === null,
    });
  }

  #resolve(what: {
    name: string;
    defaults: ProviderDefaults;
    from?: string;
    entry: ProviderEntry | undefined;
    line: PlanLine;
    isApi: boolean;
    baseless: boolean;
  }): ProviderBlock | null {
    const { name, entry, line, isApi, baseless, defaults } = what;
    const key = JSON.stringify([isApi, name, what.from ?? '', baseless]);
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    let block: ProviderBlock | null = null;
    try {
      block = resolveBlock({ name, defaults, entry, env: this.#env, isApi, baseless });
    } catch (thrown) {
      if (!(thrown instanceof Failures)) throw thrown;
      // A block without an entry in the plan has its mistakes at the first line that uses it.
      for (const failure of thrown.failures) this.#problems.take(failure.place ? failure : placed(failure, line));
    }
    this.#resolved.set(key, block);
    return block;
  }

  async #statedFamily(entry: ProviderEntry): Promise<Adapter | null | 'unknown'> {
    const { recipe } = entry.values;
    if (recipe === undefined) return null;
    const family = typeof recipe === 'string' ? await this.#registry.family(recipe) : null;
    if (family) return family;
    const known = this.#registry.familyNames();
    const hint = typeof recipe === 'string' ? didYouMean(recipe, known) : '';
    this.#problems.add('PLAN_INVALID', {
      detail: `providers.http.${entry.name}.recipe names no recipe family.${hint} The known ones are ${known.join(', ')}.`,
      place: entry.placeOf(['recipe']),
    });
    return 'unknown';
  }

  #refuseTwice(entries: ReadonlyMap<string, ProviderEntry>, names: readonly string[]): void {
    const [first, second] = names.flatMap((name) => entries.get(name) ?? []);
    if (!first || !second) return;
    this.#problems.add('PLAN_INVALID', {
      detail: `${first.name} and ${second.name} are two names of one provider, but the plan has settings for both.`,
      fix: `Move the settings below ${first.name}.`,
      place: second.place,
    });
  }

  #refuseNameless(line: PlanLine): null {
    this.#problems.add('PLAN_INVALID', {
      detail: `${line.id} does not say which API it uses. ${this.#knownApis()}`,
      fix: 'Add `api: <name>` and a block `providers.http.<name>`.',
      place: line.place,
    });
    return null;
  }

  #refuseUnknown(line: PlanLine, name: string): null {
    const known = [...this.#plan.apis.keys()];
    this.#problems.add('PLAN_INVALID', {
      detail: `${line.id} uses the API ${JSON.stringify(name)}, but the plan has no such block.${didYouMean(name, [...known, ...this.#registry.familyNames()])} ${this.#knownApis()}`,
      fix: `Add a block \`providers.http.${name}\`, or name one of the known APIs.`,
      place: line.placeOf(['api']),
    });
    return null;
  }

  #knownApis(): string {
    const apis = [...this.#plan.apis.keys()];
    const families = this.#registry.familyNames();
    return `The plan has blocks for ${apis.length > 0 ? apis.join(', ') : 'no API'}. APIs that need no block: ${families.join(', ') || 'none'}.`;
  }
}

/** The block of an action without an API: it adds nothing to the request. */
const bareBlock: ProviderBlock = { api: 'http', base_url: '', auth: null };
const noDefaults: ProviderDefaults = { base_url: null, auth: null };

const firstEntry = (entries: ReadonlyMap<string, ProviderEntry>, names: readonly string[]): ProviderEntry | undefined =>
  names.map((name) => entries.get(name)).find((entry) => entry !== undefined);

function placed(failure: Failure, line: PlanLine): Failure {
  return new Failure(failure.code, { detail: failure.detail, fix: failure.fix, place: line.place });
}
