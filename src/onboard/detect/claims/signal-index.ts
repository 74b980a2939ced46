import { buildPrefixes, ecosystems, type Signals } from '../../../ops/signals.ts';
import type { FactKind } from '../facts.ts';
import { type Service, type Strength, signalsOf } from '../service.ts';

/** A service that asks for a fact. */
export interface Hit {
  /** Its place in the list of services. */
  readonly service: number;
  readonly strength: Strength;
}

/** Signals that are looked up by a name. Files depend on folders and are found in another way. */
type NamedKind = Exclude<FactKind, 'file' | 'reference'>;

/** Finds the services that ask for a fact. It holds the signals of all services, so that each fact costs one look-up. */
export class SignalIndex {
  readonly #whole = new Map<string, Hit[]>();
  /** Signals that end with `*`, without it. */
  readonly #beginnings = new Map<string, Hit[]>();
  #longest = 0;

  constructor(services: readonly Service[]) {
    for (const [service, one] of services.entries()) {
      for (const [strength, signals] of signalsOf(one)) {
        for (const [kind, name] of namesIn(signals)) this.#add(kind, name, { service, strength });
      }
    }
  }

  /** The services that a fact tells of. Of several signals of one service the one that says most decides. */
  find(kind: NamedKind, name: string): readonly Hit[] {
    const found = new Map<number, Hit>();
    const take = (hits: readonly Hit[] | undefined): void => {
      for (const hit of hits ?? []) if (!found.has(hit.service)) found.set(hit.service, hit);
    };
    const key = `${kind} ${spelled(kind, name)}`;
    take(this.#whole.get(key));
    for (let end = Math.min(key.length, this.#longest); end > kind.length; end -= 1) take(this.#beginnings.get(key.slice(0, end)));
    return [...found.values()];
  }

  #add(kind: NamedKind, name: string, hit: Hit): void {
    const isBeginning = name.endsWith('*');
    const key = `${kind} ${isBeginning ? name.slice(0, -1) : name}`;
    const map = isBeginning ? this.#beginnings : this.#whole;
    const known = map.get(key);
    if (known) known.push(hit);
    else map.set(key, [hit]);
    if (isBeginning) this.#longest = Math.max(this.#longest, key.length);
  }
}

/** A key in a file as one name: `wrangler.toml#/d1_databases`. */
export const nameOfKey = (file: string, at: string): string => `${file}#${at}`;

function* namesIn(signals: Signals): Generator<readonly [NamedKind, string]> {
  for (const ecosystem of ecosystems) for (const name of signals.packages?.[ecosystem] ?? []) yield ['package', `${ecosystem}:${name}`];
  for (const { file, at } of signals.holds ?? []) yield ['key', nameOfKey(file, at)];
  for (const name of signals.hosts ?? []) yield ['host', name.toLowerCase()];
  for (const name of signals.schemes ?? []) yield ['scheme', name.toLowerCase()];
  const lists = {
    variable: signals.variables,
    command: signals.commands,
    action: signals.actions,
    orb: signals.orbs,
    image: signals.images,
    resource: signals.resources,
    module: signals.modules,
    setting: signals.settings,
  } as const;
  for (const kind of ['variable', 'command', 'action', 'orb', 'image', 'resource', 'module', 'setting'] as const) {
    for (const name of lists[kind] ?? []) yield [kind, spelled(kind, name)];
  }
}

/** Names of actions, orbs and images may be written in capitals as well. */
const spelled = (kind: NamedKind, name: string): string =>
  kind === 'action' || kind === 'orb' || kind === 'image' ? name.toLowerCase() : name;

/** The names under which a service may know a variable: its own, and that without the prefix of a build. */
export function namesOfVariable(name: string): readonly string[] {
  const prefix = buildPrefixes.find((one) => name.startsWith(one) && name.length > one.length);
  // A tool may ask for a second one: `VITE_PUBLIC_`.
  return prefix === undefined ? [name] : [name, ...namesOfVariable(name.slice(prefix.length))];
}
