import { buildPrefixes, type Signals } from '../../../ops/signals.ts';
import type { FactKind } from '../facts.ts';
import { type Service, type Strength, signalsOf } from '../service.ts';

/** A service that asks for a fact. */
export interface Hit {
  /** Its place in the list of services. */
  readonly service: number;
  readonly strength: Strength;
  /** The signal is the whole name, and not a beginning of it. */
  readonly isWhole: boolean;
  /** The length of the signal, without `*`. */
  readonly length: number;
}

/** Signals that are looked up by a name. Files depend on folders and are found in another way. */
type NamedKind = Exclude<FactKind, 'file' | 'reference'>;

/** The signals of one kind, by their names. */
interface Table {
  readonly whole: Map<string, readonly Hit[]>;
  /** Signals that end with `*`, without it. */
  readonly beginnings: Map<string, readonly Hit[]>;
  longest: number;
}

/**
 * Finds the services that ask for a fact, with one look-up for each fact. All services have thousands of signals, so those of a kind, and
 * the packages of an ecosystem, are sorted in when somebody first asks for one.
 */
export class SignalIndex {
  readonly #services: readonly Service[];
  readonly #tables = new Map<string, Table>();

  constructor(services: readonly Service[]) {
    this.#services = services;
  }

  /** The services that a fact tells of. Of several signals of one service the one that says most decides. */
  find(kind: NamedKind, name: string): readonly Hit[] {
    const colon = kind === 'package' ? name.indexOf(':') : -1;
    const { whole, beginnings, longest } = this.#tableOf(kind, colon < 0 ? '' : name.slice(0, colon));
    const key = spelled(kind, name.slice(colon + 1));
    const found = new Map<number, Hit>();
    const take = (hits: readonly Hit[] | undefined): void => {
      for (const hit of hits ?? []) if (!found.has(hit.service)) found.set(hit.service, hit);
    };
    take(whole.get(key));
    for (let end = Math.min(key.length, longest); end >= 0; end -= 1) take(beginnings.get(key.slice(0, end)));
    return [...found.values()];
  }

  /** Tells whether any signal begins so: `STRIPE_`. */
  begins(kind: NamedKind, text: string): boolean {
    const { whole, beginnings } = this.#tableOf(kind, '');
    return [...whole.keys(), ...beginnings.keys()].some((name) => name.startsWith(text));
  }

  #tableOf(kind: NamedKind, ecosystem: string): Table {
    const key = `${kind} ${ecosystem}`;
    const table = this.#tables.get(key) ?? this.#made(kind, ecosystem);
    this.#tables.set(key, table);
    return table;
  }

  #made(kind: NamedKind, ecosystem: string): Table {
    const table: Table = { whole: new Map(), beginnings: new Map(), longest: 0 };
    for (const [service, one] of this.#services.entries()) {
      for (const [strength, signals] of signalsOf(one)) {
        const names = namesIn(signals, kind, ecosystem);
        if (names.length === 0) continue;
        for (const name of names) add(table, name, { service, strength });
      }
    }
    return table;
  }
}

function add(table: Table, name: string, own: Pick<Hit, 'service' | 'strength'>): void {
  const isBeginning = name.endsWith('*');
  const key = isBeginning ? name.slice(0, -1) : name;
  const map = isBeginning ? table.beginnings : table.whole;
  map.set(key, [...(map.get(key) ?? []), { ...own, isWhole: !isBeginning, length: key.length }]);
  if (isBeginning) table.longest = Math.max(table.longest, key.length);
}

/** A key in a file as one name: `wrangler.toml#/d1_databases`. */
export const nameOfKey = (file: string, at: string): string => `${file}#${at}`;

const lists = {
  variable: 'variables',
  command: 'commands',
  action: 'actions',
  orb: 'orbs',
  image: 'images',
  resource: 'resources',
  module: 'modules',
  setting: 'settings',
  host: 'hosts',
  scheme: 'schemes',
  snippet: 'snippets',
} as const;

/** The names that signals of one kind have: of packages those of one ecosystem, without it. */
function namesIn(signals: Signals, kind: NamedKind, ecosystem: string): readonly string[] {
  if (kind === 'package') return Object.entries(signals.packages ?? {}).find(([one]) => one === ecosystem)?.[1] ?? [];
  if (kind === 'key') return (signals.holds ?? []).map(({ file, at }) => nameOfKey(file, at));
  const names = signals[lists[kind]] ?? [];
  if (kind === 'host' || kind === 'scheme') return names.map((name) => name.toLowerCase());
  return names.map((name) => spelled(kind, name));
}

/** Names of actions, orbs and images may be written in capitals as well. */
const spelled = (kind: NamedKind, name: string): string =>
  kind === 'action' || kind === 'orb' || kind === 'image' ? name.toLowerCase() : name;

/** The names under which a service may know a variable: its own, that without the prefix of a build, and that with its words apart. */
export function namesOfVariable(name: string): readonly string[] {
  const prefix = buildPrefixes.find((one) => name.startsWith(one) && name.length > one.length);
  // A tool may ask for a second one: `VITE_PUBLIC_`.
  if (prefix !== undefined) return [name, ...namesOfVariable(name.slice(prefix.length))];
  const apart = name.replace(/_(CLIENT|APP|API|SECRET|ACCESS|ZONE|ACCOUNT|PROJECT)(ID|KEY|SECRET|TOKEN)$/, '_$1_$2');
  return apart === name ? [name] : [name, apart];
}
