import type { DraftLine } from '../ops/detect.ts';
import {
  type Draft,
  type DraftedBlock,
  type DraftedLine,
  type DraftedValue,
  type DraftProvider,
  fill,
  fillGiven,
  type Holes,
  paramsOf,
  references,
} from './draft.ts';
import { type NamedVariable, type NamesInUse, nameVariables } from './variable-names.ts';

/** A provider that a repository uses, with the values that its files hold. */
export interface Seen {
  readonly provider: DraftProvider;
  readonly ids: { readonly [param: string]: string };
  /** Several values of one param: a person must choose. */
  readonly unclear: { readonly [param: string]: readonly string[] };
}

export interface ComposeFacts {
  /** Goes into the names of objects, so that two repositories on one provider project stay apart. */
  readonly repository: string;
  readonly names: NamesInUse;
  /** An existing plan: its ids by `<adapter or family>.<op>`, and all taken ids. */
  readonly standing?: { readonly ids: ReadonlyMap<string, string>; readonly taken: readonly string[] };
}

/**
 * Drafts a plan for a repository, by the specification's rules: one database, its address as a variable of the preview under the name that
 * the code reads, the wait for the deployment, then the lines that need the preview's address. Flags, the lines of another database, and
 * recipe lines that lack a value are comments.
 */
export function compose(seen: readonly Seen[], facts: ComposeFacts): Draft {
  return new Composer(seen, facts).draft();
}

/** A line that may still become a comment. */
interface Candidate extends DraftedLine {
  readonly part: DraftLine['part'];
}

/** The lines of a provider whose values the build needs, and the variables that hold them. */
interface Before {
  readonly lines: ReadonlySet<string>;
  readonly variables: readonly NamedVariable[];
}

/** The host that gets a variable, and the provider that gives its value. */
interface VariablePlace {
  readonly host: Seen;
  readonly template: DraftLine;
  readonly of: Seen;
}

class Composer {
  readonly #seen: readonly Seen[];
  readonly #facts: ComposeFacts;
  readonly #hosts: readonly Seen[];
  readonly #database: Seen | undefined;
  readonly #ids = new Map<Seen, ReadonlyMap<string, string>>();
  readonly #taken = new Set<string>();
  readonly #lines: Candidate[] = [];
  readonly #before: ReadonlyMap<Seen, Before>;

  constructor(seen: readonly Seen[], facts: ComposeFacts) {
    this.#seen = seen;
    this.#facts = facts;
    this.#hosts = byRank(seen, ({ provider }) => provider.adapter.detect?.hosting?.rank);
    for (const id of facts.standing?.taken ?? []) this.#taken.add(id);
    [this.#database] = byRank(seen, ({ provider }) => provider.adapter.detect?.database?.rank);
    this.#before = this.#linesBefore();
    // Names follow the order of the plan: the first provider keeps the short name.
    for (const one of this.#inOrder()) this.#ids.set(one, this.#idsOf(one));
  }

  draft(): Draft {
    const databases = this.#inOrder().filter(({ provider }) => provider.adapter.detect?.database !== undefined);
    for (const one of databases) this.#add(one, 'database');
    for (const one of this.#hosts.slice(0, 1)) this.#add(one, 'address');
    for (const one of this.#inOrder()) this.#add(one, undefined, [], (id) => this.#isBefore(one, id));
    for (const one of this.#hosts) {
      const variables = [...this.#addVariables(one), ...this.#addSecrets(one)];
      this.#add(one, 'deployment', variables);
    }
    for (const one of this.#inOrder()) this.#add(one, undefined, [], (id) => !this.#isBefore(one, id));
    for (const one of this.#inOrder()) this.#add(one, 'flags');
    return this.#judged();
  }

  /** The database and the hosts come first, then the others in the given order. */
  #inOrder(): readonly Seen[] {
    return [...new Set([...(this.#database ? [this.#database] : []), ...this.#hosts, ...this.#seen])];
  }

  #idsOf({ provider }: Seen): ReadonlyMap<string, string> {
    const { adapter } = provider;
    const ids = new Map<string, string>();
    for (const { id, op, part, where } of adapter.detect?.draft ?? []) {
      if (part === 'variable' || !this.#isPlace(provider, where)) continue;
      const standing = this.#facts.standing?.ids.get(`${adapter.name}.${op}`);
      ids.set(id, standing ?? this.#free(id, adapter.name));
    }
    return ids;
  }

  #free(id: string, provider: string): string {
    const suffix = provider.replaceAll('_', '-');
    let one = id;
    for (let n = 1; this.#taken.has(one); n += 1) one = n === 1 ? `${id}-${suffix}` : `${id}-${suffix}-${n}`;
    this.#taken.add(one);
    return one;
  }

  #add(one: Seen, part: DraftLine['part'], dependsOn: readonly string[] = [], isMeant: (id: string) => boolean = () => true): void {
    for (const line of draftsOf(one, part)) {
      if (!this.#isPlace(one.provider, line.where) || !isMeant(line.id)) continue;
      const holes = this.#holes(part === undefined && this.#isBefore(one, line.id));
      const params = this.#before.size > 0 ? { ...line.params, ...line.withAddress } : line.params;
      this.#push(one, { ...line, params }, this.#idOf(one, line.id), holes, dependsOn);
    }
  }

  #isBefore(one: Seen, id: string): boolean {
    return this.#before.get(one)?.lines.has(id) === true;
  }

  /** The lines whose values the build needs, each provider with the variables that the repository names. */
  #linesBefore(): ReadonlyMap<Seen, Before> {
    const [host] = this.#hosts;
    if (!host || draftsOf(host, 'variable').length === 0) return new Map();
    const all = this.#inOrder().flatMap((one): [Seen, Before][] => {
      const given = (one.provider.adapter.detect?.variables ?? []).map((variable) => ({ ...variable, optional: true }));
      const variables = nameVariables(given, [], this.#facts.names);
      const lines = new Set(variables.flatMap(({ variable }) => references(variable.value)));
      return variables.length === 0 ? [] : [[one, { variables, lines }]];
    });
    return new Map(all);
  }

  /** Adds a line for each value that a line before the build gives. The first host has the address, so its build needs the value. */
  #addSecrets(host: Seen): readonly string[] {
    const [template] = draftsOf(host, 'variable');
    if (!template || host !== this.#hosts[0]) return [];
    return [...this.#before].flatMap(([one, { variables }]) =>
      variables.map((named) => this.#addVariable({ host, template, of: one }, named)),
    );
  }

  #isPlace(provider: DraftProvider, where: DraftLine['where']): boolean {
    return where === undefined || (where === 'database') === (this.#database?.provider === provider);
  }

  /** Adds a line for each variable that the database gives. Returns the ids of these lines. */
  #addVariables(host: Seen): readonly string[] {
    const [template] = draftsOf(host, 'variable');
    const database = this.#database;
    const detect = database?.provider.adapter.detect;
    if (!template || !database || !detect?.database) return [];
    const named = nameVariables(detect.database.variables, detect.uses?.hosts ?? [], this.#facts.names);
    return named.map((one) => this.#addVariable({ host, template, of: database }, one));
  }

  #addVariable({ host, template, of }: VariablePlace, { key, isGuess, variable }: NamedVariable): string {
    const id = this.#free(key.toLowerCase().replaceAll('_', '-'), host.provider.adapter.name);
    const check = 'The name under which your code reads it.';
    const isPrisma = this.#facts.names.prisma?.includes(key) === true;
    const value = fill((isPrisma ? variable.prisma : undefined) ?? variable.value, {
      holes: {},
      repository: this.#facts.repository,
      renamed: this.#renamed(of),
    });
    const holes = {
      ...this.#holes(),
      'variable.key': { value: key, ...(isGuess && { check }) },
      'variable.value': { ...value, ...(variable.todo !== undefined && { todo: variable.todo }) },
    };
    this.#push(host, template, id, holes, []);
    return id;
  }

  #push(one: Seen, line: DraftLine, id: string, holes: Holes, dependsOn: readonly string[]): void {
    const { provider, ids, unclear } = one;
    const params = paramsOf(line, { provider, ids, unclear, repository: this.#facts.repository, holes, renamed: this.#renamed(one) });
    const isVariable = line.part === 'variable';
    this.#lines.push({ id, provider, op: line.op, comment: line.comment, params, dependsOn, isVariable, aside: null, part: line.part });
  }

  readonly #renamed = (one: Seen): ReadonlyMap<string, string> => this.#ids.get(one) ?? new Map();
  readonly #idOf = (one: Seen, id: string): string => this.#renamed(one).get(id) ?? id;

  /** The preview's address from the first host. `isBefore`: for a line whose values the build needs. */
  #holes(isBefore = false): Holes {
    const [host] = this.#hosts;
    const own = host?.provider.adapter.detect?.hosting;
    const hosting = isBefore ? (own?.before ?? own) : own;
    const facts = { holes: {}, repository: this.#facts.repository, renamed: host ? this.#renamed(host) : new Map<string, string>() };
    const todo = 'the address of the preview at its host.';
    const url: DraftedValue = hosting ? fillGiven(hosting.url, facts) : { value: 'https://your-preview.example.com', todo };
    const host_: DraftedValue = hosting?.host ? fillGiven(hosting.host, facts) : hostOf(url, todo);
    return { 'preview.url': url, 'preview.host': host_ };
  }

  /** The lines that need a line of the part `address`, which is there for them alone. */
  #needing(): readonly Candidate[] {
    const addresses = new Set(this.#lines.filter(isAddress).map(({ id }) => id));
    const needs = ({ params }: Candidate) => params.some(([, { value }]) => references(value).some((id) => addresses.has(id)));
    return this.#lines.filter((line) => !isAddress(line) && needs(line));
  }

  /** Decides which lines are comments. */
  #judged(): Draft {
    const blocks = this.#inOrder().flatMap((one) => blockOf(one, this.#facts.repository));
    const asides = new Map<string, string>();
    for (const line of this.#lines) {
      const why = this.#aside(line, blocks);
      if (why !== null) asides.set(line.id, why);
    }
    this.#spread(asides);
    const needing = this.#needing();
    const lines = this.#lines
      .filter((line) => needing.length > 0 || !isAddress(line))
      .map(({ part: _, ...line }) => ({
        ...line,
        dependsOn: line.dependsOn.filter((id) => !asides.has(id)),
        aside: asides.get(line.id) ?? null,
      }));
    return { lines, blocks: blocksFor(lines, blocks) };
  }

  /** A line that refers to a comment is a comment, and so are the address lines that only comments need. */
  #spread(asides: Map<string, string>): void {
    const needing = this.#needing();
    for (let before = -1; before !== asides.size; ) {
      before = asides.size;
      for (const line of this.#lines) {
        const needed = line.params.flatMap(([, { value }]) => references(value)).find((id) => asides.has(id));
        if (needed !== undefined && !asides.has(line.id)) asides.set(line.id, `It needs ${needed}.`);
      }
      if (!needing.every(({ id }) => asides.has(id))) continue;
      for (const { id } of this.#lines.filter(isAddress)) asides.set(id, 'Only comments need it.');
    }
  }

  #aside(line: Candidate, blocks: readonly DraftedBlock[]): string | null {
    const { provider, part } = line;
    if (part === 'flags') return 'This is an example: a flag line names one flag.';
    if (part === 'database' && provider !== this.#database?.provider) {
      return `Use it instead of ${this.#database?.provider.adapter.title ?? 'another database'} if this is the database of the app.`;
    }
    const keys = blocks.find((block) => block.provider === provider)?.keys ?? [];
    const isReady = [...line.params, ...keys].every(([, { todo }]) => todo === undefined);
    return provider.isRecipe && !isReady ? 'It is ready once you fill in its values.' : null;
  }
}

const isAddress = ({ part }: Candidate): boolean => part === 'address';

const draftsOf = ({ provider }: Seen, part: DraftLine['part']): readonly DraftLine[] =>
  (provider.adapter.detect?.draft ?? []).filter((line) => line.part === part);

function byRank(seen: readonly Seen[], rankOf: (one: Seen) => number | undefined): readonly Seen[] {
  return seen.filter((one) => rankOf(one) !== undefined).toSorted((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
}

function hostOf({ value, todo, check }: DraftedValue, fallback: string): DraftedValue {
  if (typeof value !== 'string') return { value: 'your-preview.example.com', todo: fallback };
  const host = value.replace(/^https:\/\//, '').replace(/\/.*$/, '');
  return { value: host, ...(todo !== undefined && { todo }), ...(check !== undefined && { check }) };
}

/** The keys that the provider's block needs in every plan. A value from files goes before a placeholder. */
function blockOf({ provider, ids }: Seen, repository: string): readonly DraftedBlock[] {
  const prefix = 'provider.';
  const found = Object.entries(ids).flatMap(([name, value]): [string, DraftedValue][] =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), { value }]] : [],
  );
  const given = Object.entries(provider.adapter.detect?.provider ?? {}).flatMap(([key, how]): [string, DraftedValue][] =>
    found.some(([name]) => name === key) ? [] : [[key, fillGiven(how, { holes: {}, repository, renamed: new Map() })]],
  );
  const keys = [...found, ...given];
  return keys.length === 0 ? [] : [{ provider, keys, isAside: false }];
}

function blocksFor(lines: readonly DraftedLine[], blocks: readonly DraftedBlock[]): readonly DraftedBlock[] {
  return blocks.flatMap((block) => {
    const users = lines.filter(({ provider }) => provider === block.provider);
    return users.length === 0 ? [] : [{ ...block, isAside: users.every(({ aside }) => aside !== null) }];
  });
}
