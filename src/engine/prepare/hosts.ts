import { tokenAddress } from '../../http/auth/token-address.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { ProviderDefaults } from '../../ops/op.ts';
import type { Registry } from '../../ops/registry.ts';
import { schemeOf } from '../../secrets/reference.ts';
import type { HostDoc } from '../document.ts';
import type { PreparedLine } from '../types.ts';
import { secretsOf } from './access.ts';

/** A line of a plan, or a fact of the ledger, by the members that say where its requests go. */
export interface Addressed {
  readonly adapter: string;
  readonly recipe: string | null;
  readonly block: ProviderBlock;
  /** Absolute addresses beside the base URL. */
  readonly elsewhere: readonly string[];
  /** References of the secrets that it is sent with. */
  readonly secrets: readonly string[];
}

/** The origins of all that one run sends to. Origins only: a path may be a secret, as that of a webhook is. */
export class Hosts {
  readonly #env: NodeJS.ProcessEnv;
  readonly #registry: Registry;
  readonly #seen = new Map<string, { readonly lines: Set<string>; readonly whose: Addressed; readonly origins: readonly string[] }>();

  constructor(env: NodeJS.ProcessEnv, registry: Registry) {
    this.#env = env;
    this.#registry = registry;
  }

  /** Call this before the line's first request. */
  note(line: string, whose: Addressed): void {
    const origins = originsOf(whose, this.#env, this.#registry);
    const key = [whose.adapter, whose.recipe, whose.block.api, ...origins].join(' ');
    const known = this.#seen.get(key) ?? { lines: new Set(), whose, origins };
    this.#seen.set(key, known);
    known.lines.add(line);
  }

  /** Notes a line of the plan as it is written, and again once values that came by reference say more. */
  noteLine(prepared: PreparedLine, sends: PreparedLine['sends']): void {
    const { line, adapter, recipe, block } = prepared;
    const secrets = secretsOf(prepared).map(({ reference }) => reference);
    this.note(line.id, { adapter, recipe, ...(sends ?? { block, elsewhere: [] }), secrets });
  }

  /** The origins that are not the provider's own, each with its lines. */
  async foreign(): Promise<readonly HostDoc[]> {
    const found = new Map<string, Set<string>>();
    for (const { lines, whose, origins } of this.#seen.values()) {
      const own = await ownOrigins(whose, this.#registry);
      for (const origin of origins.filter((one) => !own.has(one))) found.set(origin, new Set([...(found.get(origin) ?? []), ...lines]));
    }
    return [...found].map(([origin, lines]) => ({ origin, lines: [...lines].sort() })).sort((a, b) => (a.origin < b.origin ? -1 : 1));
  }
}

/** Every origin that requests of the line, its tokens or its secrets go to, each once and in one order. */
export function originsOf(
  { block, elsewhere, secrets }: Pick<Addressed, 'block' | 'elsewhere' | 'secrets'>,
  env: NodeJS.ProcessEnv,
  registry: Pick<Registry, 'secretSource'>,
): readonly string[] {
  const variables = secrets.flatMap((reference) => registry.secretSource(schemeOf(reference))?.addressEnv ?? []);
  const addresses = [block.base_url, tokenAddress(block, env) ?? '', ...elsewhere, ...variables.map((name) => env[name] ?? '')];
  return [...new Set(addresses.flatMap((address) => originOf(address) ?? []))].sort();
}

/** `null` for a text that is no web address: a namespace, or nothing. */
function originOf(address: string): string | null {
  const url = URL.parse(address.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/** The origins that the provider's own documentation gives: the defaults of its adapter or its recipe family. */
async function ownOrigins({ adapter, recipe, block }: Addressed, registry: Registry): Promise<ReadonlySet<string>> {
  const families = [recipe?.split('.', 1)[0] ?? '', block.api];
  const known = adapter === 'http' ? await Promise.all(families.map((name) => registry.family(name))) : [await registry.adapter(adapter)];
  return new Set(known.flatMap((one) => (one && !one.isByHand ? defaultOrigins(one.provider) : [])));
}

function defaultOrigins({ base_url: base, auth }: ProviderDefaults): readonly string[] {
  if (base === null) return [];
  const addresses = [base, tokenAddress({ base_url: base, auth }, {}) ?? ''];
  return addresses.flatMap((address) => originOf(address) ?? []);
}
