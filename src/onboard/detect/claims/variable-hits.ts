import type { Fact } from '../facts.ts';
import type { Units } from '../units/units.ts';
import { general } from './general-words.ts';
import { type Hit, namesOfVariable, type SignalIndex } from './signal-index.ts';

/** Words that frameworks and their starters put before the names of all variables. */
const usual = new Set([
  'DJANGO',
  'FLASK',
  'FASTAPI',
  'RAILS',
  'LARAVEL',
  'PHX',
  'PHOENIX',
  'SPRING',
  'APP',
  'BACKEND',
  'FRONTEND',
  'SERVER',
  'CLIENT',
]);

/** As many names as these with one beginning are no accident. */
const least = 5;

/**
 * The services that a variable's name tells of. Apps put words of their own before the names that a service is known by: one for all
 * variables (`SHOP_PLAUSIBLE_URL`), or one that tells several accounts apart (`ALERTS_SLACK_WEBHOOK`).
 */
export class VariableHits {
  readonly #index: SignalIndex;
  readonly #units: Units;
  readonly #prefixes: ReadonlyMap<string, readonly string[]>;
  readonly #known = new Map<string, readonly Hit[]>();

  constructor(index: SignalIndex, units: Units, facts: readonly Fact[]) {
    this.#index = index;
    this.#units = units;
    this.#prefixes = prefixesOf(facts, units, index);
  }

  of({ name, file }: Fact): readonly Hit[] {
    const { folder } = this.#units.ownerOf(file);
    const key = `${folder}\n${name}`;
    const known = this.#known.get(key) ?? this.#find(name, folder);
    this.#known.set(key, known);
    return known;
  }

  #find(name: string, folder: string): readonly Hit[] {
    const names = namesOfVariable(name);
    const own = once(names.flatMap((one) => this.#index.find('variable', one)));
    if (own.length > 0) return own;
    const bare = names.at(-1) ?? name;
    const prefixes = [...(this.#prefixes.get(folder) ?? []), ...(this.#prefixes.get('') ?? [])];
    const prefix = prefixes.find((one) => bare.startsWith(one));
    const rest = prefix === undefined ? '' : bare.slice(prefix.length);
    const cut = rest.includes('_') ? once(namesOfVariable(rest).flatMap((one) => this.#index.find('variable', one))) : [];
    return cut.length > 0 ? cut : endOf(bare, this.#index);
  }
}

const once = (hits: readonly Hit[]): readonly Hit[] =>
  hits.filter(({ service }, i) => hits.findIndex((other) => other.service === service) === i);

/** Words that say that a value is none of the app that runs. */
const isForTests = /(?:^|_)(?:TEST|TESTS|TESTING|E2E|CI|MOCK|FAKE|DUMMY|LOCAL|DEV|DEVELOPMENT|EXAMPLE|LEGACY|OLD)_$/;

/** An app reaches a service with such a value. Behind the beginning of a service's names (`STRIPE_*`) it makes a name of that service. */
const leaf =
  /^(?:(?:API|AUTH|ACCESS|BOT|SECRET|PRIVATE|PUBLIC|PUBLISHABLE|SITE|WEBHOOK|CLIENT|APP|ACCOUNT|PROJECT|REST|SIGNING)_)?(?:KEY|TOKEN|SECRET|DSN|ID|WEBHOOK|WEBHOOK_URL)$/;

/** The services that are known by the end of a name, if what stands before it is no name of another service. */
function endOf(name: string, index: SignalIndex): readonly Hit[] {
  const parts = name.split('_');
  for (let at = 1; at < parts.length - 1; at += 1) {
    const [before, end] = [`${parts.slice(0, at).join('_')}_`, parts.slice(at).join('_')];
    const [word = ''] = parts.slice(at, at + 1);
    if (word.length < 3 || general.has(word.toLowerCase()) || isForTests.test(before)) continue;
    const hits = index
      .find('variable', end)
      .filter(({ isWhole, strength, length }) => isWhole || (strength === 'uses' && leaf.test(end.slice(length))));
    if (hits.length === 0) continue;
    const isOfOther = parts.slice(0, at).some((_, i) => index.find('variable', `${parts.slice(i, at).join('_')}_X`).length > 0);
    return isOfOther ? [] : hits;
  }
  return [];
}

/** The beginnings that an app gives its own names, by the folder of a unit; `''` has those of the whole repository. */
function prefixesOf(facts: readonly Fact[], units: Units, index: SignalIndex): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, Set<string>>([['', new Set()]]);
  for (const { kind, name, file, use } of facts) {
    if (kind !== 'variable' || use !== 'runtime') continue;
    const bare = namesOfVariable(name).at(-1) ?? name;
    const { folder } = units.ownerOf(file);
    for (const one of new Set(['', folder])) names.set(one, (names.get(one) ?? new Set()).add(bare));
  }
  return new Map([...names].map(([folder, own]) => [folder, beginningsOf(own, index)]));
}

function beginningsOf(names: ReadonlySet<string>, index: SignalIndex): readonly string[] {
  const found: string[] = [];
  for (const [word, own] of Map.groupBy(names, (name) => name.slice(0, name.indexOf('_') + 1))) {
    if (word === '') continue;
    const isOwn = own.length >= least && own.length * 3 > names.size && !index.begins('variable', word);
    if (!isOwn && !usual.has(word.slice(0, -1))) continue;
    // `GO_SHOP_`: most of these names share the second word too.
    const seconds = Map.groupBy(own, (name) => name.slice(0, name.indexOf('_', word.length) + 1));
    for (const [second, all] of seconds) if (second !== '' && all.length >= least && all.length * 2 > own.length) found.push(second);
    found.push(word);
  }
  return found;
}
