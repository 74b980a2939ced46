import type { Random } from './random.ts';

/** How one kind of things behaves; the seed decides. */
export interface Collection {
  readonly name: string;
  /** A second thing of one name is refused with 409. */
  readonly unique: boolean;
  /** Answers tell when a thing was made. */
  readonly tellsMade: boolean;
  /** Lists show a change so many seconds late. */
  readonly lag: number;
  /** The create answer, and nothing after it, shows a secret. */
  readonly once: boolean;
  /** `kind` cannot change. */
  readonly fixed: boolean;
  /** Pages are counted from the front: what goes away moves the rest. Otherwise a cursor stands where it stood. */
  readonly shifts: boolean;
  /** An `Idempotency-Key` is honoured. */
  readonly replays: boolean;
  /** Texts are kept and shown in capitals. */
  readonly shouts: boolean;
  /** Lists show each thing twice. */
  readonly doubles: boolean;
  /** A page never has more things, whatever is asked for. */
  readonly cap: number;
}

/** Who did it: a scope, or a person at the console. */
export type Author = string;
export const person: Author = 'a person';

export interface Thing {
  readonly id: string;
  readonly collection: string;
  readonly name: string;
  note: string;
  kind: string;
  /** Never shown. */
  token: string | null;
  readonly secret: string | null;
  /** Its place in the list. */
  readonly order: number;
  readonly madeAt: number;
  /** When lists show it. */
  readonly shownAt: number;
  readonly by: Author;
  /** A person made it where a run may take it for its own: the window that the documentation states. */
  isClaimable: boolean;
  /** Its scope let it go: `destroy: keep`. */
  isKept: boolean;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: unknown;
  readonly by: Author;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
}

type Body = { readonly [name: string]: unknown };

export const pageSize = 3;

/**
 * A provider that holds things in collections, keys under names of the caller's choice, boxes with lists of entries, and takes
 * notes. It knows who asks, so that it can tell when a run touches what is not its own.
 */
export class Provider {
  readonly collections: ReadonlyMap<string, Collection>;
  things: Thing[] = [];
  /** What was deleted and is still in lists. */
  readonly #ghosts: { readonly thing: Thing; readonly until: number }[] = [];
  readonly #byHand = new Set<string>();
  readonly keys = new Map<string, { note: string; readonly by: Author; isKept: boolean }>();
  readonly boxes = new Map<string, { title: string; entries: string[] }>();
  /** Who added an entry, by box and entry. */
  readonly entryBy = new Map<string, Author>();
  readonly notes: { readonly by: Author; readonly text: string }[] = [];
  /** What a run did that it never may. */
  readonly wrongs: string[] = [];
  #made = 0;
  readonly #answers = new Map<string, { readonly text: string; readonly reply: Reply }>();
  readonly #random: Random;
  readonly #now: () => number;
  /** Entries of boxes are kept and shown in capitals. */
  readonly #boxesShout: boolean;

  constructor(collections: readonly Collection[], random: Random, now: () => number, boxesShout: boolean) {
    this.#boxesShout = boxesShout;
    this.collections = new Map(collections.map((one) => [one.name, one]));
    this.#random = random;
    this.#now = now;
  }

  isWrite(request: Pick<Request, 'method'>): boolean {
    return request.method !== 'GET';
  }

  answer(request: Request): Reply {
    if (request.headers.get('authorization') !== 'Bearer the-token-of-the-workshop')
      return { status: 401, body: { error: 'who are you?' } };
    const [, place = '', name = '', id] = request.path.split('/').map(decodeURIComponent);
    const what = `${request.method} ${place}${id === undefined ? '' : '/…'}`;
    const collection = this.collections.get(name);
    if (place === 'things' && !collection) return missing;
    switch (what) {
      case 'GET things':
        return this.#list(name, request.query);
      case 'POST things':
        return collection ? this.#make(collection, request) : missing;
      case 'GET things/…':
        return this.#on(name, id, (thing) => ({ status: 200, body: this.#shown(thing) }));
      case 'PATCH things/…':
        return this.#on(name, id, (thing) => this.#change(thing, request));
      case 'DELETE things/…':
        return this.#on(name, id, (thing) => this.#remove(thing, request.by));
      case 'GET keys':
        return this.#key(name);
      case 'PUT keys':
        return this.#putKey(name, request);
      case 'DELETE keys':
        return this.#removeKey(name, request.by);
      case 'GET boxes':
        return this.#box(name);
      case 'PATCH boxes':
        return this.#fill(name, request);
      case 'POST notes':
        this.notes.push({ by: request.by, text: String((request.body as Body | null)?.text) });
        return { status: 201, body: { number: this.notes.length } };
      default:
        this.wrongs.push(`${request.method} ${request.path} is no request that this provider has`);
        return { status: 404, body: { error: 'no such door' } };
    }
  }

  /** A thing that somebody makes at the console. */
  makeByHand(collection: string, name: string, isClaimable: boolean): Thing {
    const thing = this.#newThing(collection, { name, note: 'by hand', kind: 'k0' }, person, isClaimable);
    this.things.push(thing);
    this.#byHand.add(this.entryKey(collection, name));
    return thing;
  }

  /** An apply begins: what a person made and no list shows yet, its looks cannot tell from what it makes. */
  beginsToLook(scope: string): void {
    for (const thing of this.things)
      if (thing.by === person && thing.shownAt > this.#now() && thing.name.startsWith(`${scope}-`)) thing.isClaimable = true;
  }

  /** Whether a person ever made a thing of that name. */
  wasMadeByHand(collection: string, name: string): boolean {
    return this.#byHand.has(this.entryKey(collection, name));
  }

  removeByHand(thing: Thing): void {
    this.things = this.things.filter((one) => one !== thing);
  }

  named(collection: string, name: string): readonly Thing[] {
    return this.things.filter((thing) => thing.collection === collection && thing.name === name);
  }

  entryKey = (box: string, entry: string): string => `${box}\n${entry}`;

  #list(name: string, query: URLSearchParams): Reply {
    const now = this.#now();
    const all = this.things.filter((thing) => thing.collection === name && thing.shownAt <= now);
    for (const { thing, until } of this.#ghosts) if (until > now && thing.collection === name) all.push(thing);
    all.sort((a, b) => a.order - b.order);
    const after = query.get('after');
    const left = after === null ? all.slice(Number(query.get('start') ?? 0)) : all.filter(({ order }) => order > Number(after));
    const { cap = pageSize, doubles = false } = this.collections.get(name) ?? {};
    const page = left.slice(0, cap);
    const next = left.length > cap ? String(page.at(-1)?.order) : null;
    const items = page.map((thing) => this.#shown(thing));
    return { status: 200, body: { items: doubles && !query.has('start') ? [...items, ...items] : items, next } };
  }

  #make(collection: Collection, request: Request): Reply {
    const body = request.body as Body;
    const key = collection.replays ? request.headers.get('idempotency-key') : undefined;
    const text = JSON.stringify(body);
    const before = key === undefined ? undefined : this.#answers.get(`${collection.name} ${key}`);
    if (before) return before.text === text ? before.reply : { status: 400, body: { error: 'the key was used with another body' } };
    const reply = this.#make1(collection, body, request.by);
    if (key !== undefined && reply.status === 201) this.#answers.set(`${collection.name} ${key}`, { text, reply });
    return reply;
  }

  #make1(collection: Collection, body: Body, by: Author): Reply {
    const name = String(body.name);
    if (collection.unique && this.named(collection.name, name).length > 0) return { status: 409, body: { error: 'the name is taken' } };
    const thing = this.#newThing(collection.name, body, by, false);
    this.things.push(thing);
    return { status: 201, body: { ...this.#shown(thing), ...(thing.secret !== null && { secret: thing.secret }) } };
  }

  #newThing(collection: string, body: Body, by: Author, isClaimable: boolean): Thing {
    const rules = this.collections.get(collection);
    this.#made += 1;
    const id = `t${this.#random.int(100_000, 999_999)}${this.#made}`;
    return {
      id,
      collection,
      name: String(body.name),
      note: String(body.note),
      kind: String(body.kind),
      token: typeof body.token === 'string' ? body.token : null,
      secret: rules?.once ? `secret-of-${id}-${this.#random.int(100_000, 999_999)}` : null,
      order: this.#made,
      madeAt: this.#now(),
      shownAt: this.#now() + (rules?.lag ?? 0) * 1000,
      by,
      isClaimable,
      isKept: false,
    };
  }

  #shown(thing: Thing): Body {
    const { id, name, note, kind, madeAt } = thing;
    const { tellsMade = false, shouts = false } = this.collections.get(thing.collection) ?? {};
    const made = tellsMade ? { made: new Date(Date.UTC(2026, 10, 21) + madeAt).toISOString() } : {};
    return { id, name: said(name, shouts), note: said(note, shouts), kind: said(kind, shouts), ...made };
  }

  #on(collection: string, id: string | undefined, answer: (thing: Thing) => Reply): Reply {
    const thing = this.things.find((one) => one.collection === collection && one.id === id);
    return thing ? answer(thing) : missing;
  }

  #change(thing: Thing, { body, by }: Request): Reply {
    this.#mustOwn(thing, by, 'changed');
    const { note, kind, token } = body as Body;
    if (this.collections.get(thing.collection)?.fixed && kind !== undefined && kind !== thing.kind)
      return { status: 400, body: { error: 'kind cannot change' } };
    if (note !== undefined) thing.note = String(note);
    if (kind !== undefined) thing.kind = String(kind);
    if (typeof token === 'string') thing.token = token;
    return { status: 200, body: this.#shown(thing) };
  }

  #remove(thing: Thing, by: Author): Reply {
    this.#mustOwn(thing, by, 'deleted');
    this.things = this.things.filter((one) => one !== thing);
    const lag = this.collections.get(thing.collection)?.lag ?? 0;
    if (lag > 0) this.#ghosts.push({ thing, until: this.#now() + lag * 1000 });
    return { status: 204, body: null };
  }

  #mustOwn(thing: Thing, by: Author, what: string): void {
    if (thing.by !== by && !thing.isClaimable) this.wrongs.push(`${by} ${what} ${thing.name} (${thing.id}), which ${thing.by} made`);
  }

  #key(name: string): Reply {
    const key = this.keys.get(name);
    return key ? { status: 200, body: { name, note: key.note } } : missing;
  }

  #putKey(name: string, { body, by }: Request): Reply {
    const key = this.keys.get(name);
    if (key && key.by !== by) this.wrongs.push(`${by} wrote the key ${name} of ${key.by}`);
    const note = String((body as Body).note);
    this.keys.set(name, { note, by, isKept: false });
    return { status: key ? 200 : 201, body: { name, note } };
  }

  #removeKey(name: string, by: Author): Reply {
    const key = this.keys.get(name);
    if (!key) return missing;
    if (key.by !== by) this.wrongs.push(`${by} deleted the key ${name} of ${key.by}`);
    this.keys.delete(name);
    return { status: 204, body: null };
  }

  #box(name: string): Reply {
    const box = this.boxes.get(name);
    return box
      ? { status: 200, body: { name, title: box.title, entries: box.entries.map((entry) => said(entry, this.#boxesShout)) } }
      : missing;
  }

  #fill(name: string, { body, by }: Request): Reply {
    const box = this.boxes.get(name);
    const entries = (body as Body).entries;
    if (!box || !Array.isArray(entries)) return missing;
    const next: readonly string[] = entries.map((entry) => (this.#boxesShout ? String(entry).toLowerCase() : String(entry)));
    for (const entry of box.entries) {
      const owner = this.entryBy.get(this.entryKey(name, entry));
      if (!next.includes(entry) && owner !== by) this.wrongs.push(`${by} took ${entry} of ${owner} out of ${name}`);
    }
    for (const entry of next) if (!box.entries.includes(entry)) this.entryBy.set(this.entryKey(name, entry), by);
    if (new Set(next).size < next.length) this.wrongs.push(`${by} wrote an entry twice into ${name}`);
    box.entries = [...next];
    return this.#box(name);
  }
}

const said = (text: string, isLoud: boolean): string => (isLoud ? text.toUpperCase() : text);

const missing: Reply = { status: 404, body: { error: 'no such thing' } };
