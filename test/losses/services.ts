import { type Collection, Provider, person } from '../crash/simulate/provider.ts';
import type { Random } from '../crash/simulate/random.ts';
import { ownerOf, shops } from './plan.ts';

const collection = (name: string, more: Partial<Collection> = {}): Collection => ({
  name,
  unique: false,
  tellsMade: true,
  lag: 0,
  once: false,
  fixed: false,
  shifts: false,
  replays: false,
  shouts: false,
  doubles: false,
  cap: 100,
  ...more,
});

/** An object of a repository as it stands at the provider. */
export interface Standing {
  readonly name: string;
  readonly kind: 'thing' | 'once' | 'key' | 'entry';
  readonly note: string | null;
}

/** One account, which both repositories and people use. */
export class Services {
  readonly provider: Provider;
  /** When each object was first seen, by kind and name. */
  readonly #since = new Map<string, number>();
  readonly #foreign: string;

  constructor(random: Random, now: () => number) {
    this.provider = new Provider([collection('thing'), collection('once', { once: true })], random, now, false);
    for (const { box, prefix } of shops) {
      this.provider.boxes.set(box, { title: box, entries: [] });
      for (const name of ['entry of a person', `${prefix}-pr-old`, `${prefix}-main`]) this.#addEntry(box, name);
      this.provider.makeByHand('thing', `${prefix}-main-l0`, false);
      this.provider.makeByHand('once', `${prefix}-pr-l1`, false);
      this.provider.keys.set(`${prefix}-main-l0`, { note: 'by hand', by: person, isKept: false });
    }
    this.#foreign = this.#foreignNow();
  }

  #addEntry(box: string, entry: string): void {
    this.provider.boxes.get(box)?.entries.push(entry);
    this.provider.entryBy.set(this.provider.entryKey(box, entry), person);
  }

  /** Everything of the repositories. */
  standing(): readonly Standing[] {
    const { things, keys, boxes, entryBy, entryKey } = this.provider;
    return [
      ...things.flatMap(({ name, collection: kind, note, by }) => (by === person ? [] : [{ name, kind: kind as 'thing' | 'once', note }])),
      ...[...keys].flatMap(([name, { note, by }]) => (by === person ? [] : [{ name, kind: 'key' as const, note }])),
      ...[...boxes.values()].flatMap(({ title, entries }) =>
        entries.flatMap((name) => (entryBy.get(entryKey(title, name)) === person ? [] : [{ name, kind: 'entry' as const, note: null }])),
      ),
    ];
  }

  /** Called after each write: what is new from now on has an age. Gives the names of what went. */
  noteAges(now: number): readonly string[] {
    const keys = this.standing().map(keyOf);
    const standing = new Set(keys);
    const gone = [...this.#since.keys()].filter((key) => !standing.has(key));
    for (const key of gone) this.#since.delete(key);
    for (const key of keys) if (!this.#since.has(key)) this.#since.set(key, now);
    return gone.map((key) => key.slice(key.indexOf(' ') + 1));
  }

  sinceOf(one: Standing): number {
    return this.#since.get(keyOf(one)) ?? 0;
  }

  /** What was done to objects of others: writes that the provider saw, and what does not stand as it stood. */
  harm(): readonly string[] {
    const strange = this.standing().filter(({ name }) => ownerOf(name) === null);
    return [
      ...this.provider.wrongs,
      ...strange.map(({ name }) => `${name} is of no line`),
      ...(this.#foreignNow() === this.#foreign ? [] : [`objects of people stood as ${this.#foreign} and stand as ${this.#foreignNow()}`]),
    ];
  }

  #foreignNow(): string {
    const { things, keys, boxes, entryBy, entryKey } = this.provider;
    return JSON.stringify([
      things.filter(({ by }) => by === person),
      [...keys].filter(([, { by }]) => by === person),
      [...boxes.values()].map(({ title, entries }) => [title, entries.filter((entry) => entryBy.get(entryKey(title, entry)) === person)]),
    ]);
  }
}

const keyOf = ({ kind, name }: Standing): string => `${kind} ${name}`;
