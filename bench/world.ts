import type { Wanted } from './wish.ts';

/** What a named object of a collection holds. */
export interface Thing {
  readonly id: string;
  readonly collection: string;
  readonly name: string;
  readonly value: string;
  readonly needs: readonly string[];
}

export interface App {
  readonly id: string;
  readonly callbacks: readonly string[];
}

export interface ProjectVariable {
  readonly id: string;
  readonly project: string;
  readonly key: string;
  readonly value: string;
  readonly type: string;
  readonly target: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Everything that the server holds, as the control path tells it. */
export interface Standing {
  readonly things: readonly Thing[];
  readonly apps: readonly App[];
  readonly variables: readonly ProjectVariable[];
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Told {
  readonly status: number;
  readonly body?: unknown;
}

const pageSize = 100;

/**
 * What a provider keeps, and what it answers: named objects in collections, applications that hold a list, projects that hold
 * variables. It refuses what real ones refuse: an unknown member, a second variable of one key, a list where only a filter is
 * served. Names are not unique and ids are its own, so who creates twice has two. It knows nothing of HTTP, and of time
 * only when a variable was made.
 */
export class World {
  readonly #things = new Shelf<Thing>((thing) => `${thing.collection}/${thing.name}`);
  readonly #apps = new Map<string, App>();
  readonly #variables = new Shelf<ProjectVariable>((variable) => `${variable.project}/${variable.key}`);
  #made = 0;

  /** What others made before anybody came; nobody may touch it. */
  static seeded(wanted: Wanted): World {
    const world = new World();
    for (let n = 0; n < foreignObjects; n += 1) {
      if (wanted.shape === 'objects') {
        for (const collection of new Set(wanted.objects.map((wish) => wish.collection))) {
          world.#addThing(collection, { name: `others-${n}`, value: 'theirs', needs: [] });
        }
      }
      if (wanted.shape === 'variables') {
        world.#addVariable(wanted.project, { key: `OTHERS_${n}`, value: 'theirs', type: 'plain', target: ['production'] }, longAgo);
      }
    }
    if (wanted.shape === 'entries') {
      for (const id of new Set(wanted.entries.map((entry) => entry.app))) {
        world.#apps.set(id, { id, callbacks: [`https://others.example/${id}`] });
      }
    }
    return world;
  }

  answer(asked: Asked): Told {
    const [, kind = '', ...rest] = asked.path.split('/');
    if (kind === 'collections') return this.#collection(asked, rest);
    if (kind === 'apps') return this.#app(asked, rest);
    const [where, project = '', what, id] = rest;
    if (/^v\d+$/.test(kind) && where === 'projects' && what === 'env') return this.#env(asked, project, id);
    return notFound;
  }

  standing(): Standing {
    return { things: this.#things.all(), apps: [...this.#apps.values()], variables: this.#variables.all() };
  }

  /** Changes every tenth object of ours as somebody does who clicks; entries of lists are taken out. */
  drift(): number {
    let count = 0;
    const isNext = (): boolean => count++ % 10 === 0;
    for (const thing of this.#things.all()) {
      if (!thing.name.startsWith('others-') && isNext()) this.#things.replace({ ...thing, value: 'changed elsewhere' });
    }
    for (const variable of this.#variables.all()) {
      if (!variable.key.startsWith('OTHERS_') && isNext()) {
        this.#variables.replace({ ...variable, value: 'changed elsewhere', updatedAt: variable.updatedAt + 1 });
      }
    }
    for (const app of this.#apps.values()) {
      const callbacks = app.callbacks.filter((url) => url.includes('others.example') || !isNext());
      this.#apps.set(app.id, { ...app, callbacks });
    }
    return Math.ceil(count / 10);
  }

  #collection({ method, query, body }: Asked, [collection = '', id]: readonly string[]): Told {
    if (id === undefined) {
      if (method === 'POST') {
        const given = thingOf(body);
        return given ? { status: 201, body: this.#addThing(collection, given) } : invalid('a thing has name, value and needs');
      }
      if (method !== 'GET') return notAllowed;
      const name = query.get('name');
      if (name !== null) return { status: 200, body: { items: this.#things.named(`${collection}/${name}`), next: null } };
      if (collection.startsWith(byNameOnly)) return invalid('name is required');
      const page = this.#things.page(query.get('cursor'), (thing) => thing.collection === collection);
      return page ? { status: 200, body: { items: page.items, next: page.next } } : invalid('cursor is not one of ours');
    }
    const thing = this.#things.get(id);
    if (!thing || thing.collection !== collection) return notFound;
    if (method === 'GET') return { status: 200, body: thing };
    if (method === 'DELETE') {
      this.#things.delete(id);
      return { status: 204 };
    }
    if (method !== 'PATCH') return notAllowed;
    const given = thingOf({ ...thing, ...objectOf(body) });
    if (!given) return invalid('a thing has name, value and needs');
    return { status: 200, body: this.#things.replace({ ...thing, ...given }) };
  }

  #app({ method, body }: Asked, [id = '']: readonly string[]): Told {
    const app = this.#apps.get(id);
    if (!app) return notFound;
    if (method === 'GET') return { status: 200, body: app };
    if (method !== 'PATCH') return notAllowed;
    const { callbacks, ...rest } = objectOf(body);
    if (!isTexts(callbacks) || Object.keys(rest).length > 0) return invalid('an application takes callbacks');
    if (new Set(callbacks).size < callbacks.length) return invalid('a callback stands there twice');
    const now = { ...app, callbacks };
    this.#apps.set(id, now);
    return { status: 200, body: now };
  }

  #env({ method, query, body }: Asked, project: string, id: string | undefined): Told {
    if (id === undefined && method === 'GET') {
      const page = this.#variables.page(query.get('until'), (variable) => variable.project === project);
      if (!page) return invalid('until is not one of ours');
      return { status: 200, body: { envs: page.items, pagination: { count: page.items.length, next: page.next } } };
    }
    if (id === undefined && method === 'POST') return this.#postVariables(project, body);
    const variable = id === undefined ? undefined : this.#variables.get(id);
    if (!variable || variable.project !== project) return notFound;
    if (method === 'DELETE') {
      this.#variables.delete(variable.id);
      return { status: 200, body: variable };
    }
    if (method !== 'PATCH') return notAllowed;
    const given = variableOf({ key: variable.key, value: variable.value, type: variable.type, target: variable.target, ...objectOf(body) });
    if (!given) return invalid('a variable has key, value, type and target');
    return { status: 200, body: this.#variables.replace({ ...variable, ...given, updatedAt: variable.updatedAt + 1 }) };
  }

  /** One variable or a list of them; in a list each that is refused stands in `failed`, and the others are made. */
  #postVariables(project: string, body: unknown): Told {
    const created: ProjectVariable[] = [];
    const failed: unknown[] = [];
    for (const one of Array.isArray(body) ? body : [body]) {
      const given = variableOf(one);
      if (!given) return invalid('a variable has key, value, type and target');
      const isThere = this.#variables.named(`${project}/${given.key}`).some((other) => other.target.join() === given.target.join());
      if (isThere) failed.push({ error: { code: 'ENV_ALREADY_EXISTS', message: 'It exists.', envVarKey: given.key } });
      else created.push(this.#addVariable(project, given, Date.now()));
    }
    if (!Array.isArray(body) && failed.length > 0) return { status: 403, body: failed[0] };
    return { status: 201, body: { created: Array.isArray(body) ? created : created[0], failed } };
  }

  #addThing(collection: string, given: Pick<Thing, 'name' | 'value' | 'needs'>): Thing {
    return this.#things.add({ id: this.#nextId('thing'), collection, ...given });
  }

  #addVariable(project: string, given: Pick<ProjectVariable, 'key' | 'value' | 'type' | 'target'>, at: number): ProjectVariable {
    const id = this.#nextId('env');
    // A moment of its own for each: no test may hang on the clock.
    const createdAt = at + this.#made;
    return this.#variables.add({ id, project, ...given, createdAt, updatedAt: createdAt });
  }

  #nextId(kind: string): string {
    this.#made += 1;
    return `${kind}_${this.#made.toString(36).padStart(8, '0')}`;
  }
}

/** Collections of these names answer a list without a filter with 400. */
export const byNameOnly = 'filtered';
const foreignObjects = 20;
const longAgo = Date.UTC(2026, 0, 1);

const notFound: Told = { status: 404, body: { error: { code: 'not_found', message: 'There is no such object.' } } };
const notAllowed: Told = { status: 405, body: { error: { code: 'not_allowed', message: 'There is no such request.' } } };
const invalid = (message: string): Told => ({ status: 400, body: { error: { code: 'invalid', message } } });

/** Objects in the order they were made, by id and by name. What is gone leaves a hole, so that a cursor stays true. */
class Shelf<T extends { readonly id: string }> {
  readonly #order: (T | null)[] = [];
  readonly #places = new Map<string, number>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #nameOf: (item: T) => string;

  constructor(nameOf: (item: T) => string) {
    this.#nameOf = nameOf;
  }

  add(item: T): T {
    this.#places.set(item.id, this.#order.push(item) - 1);
    this.#idsOf(item).add(item.id);
    return item;
  }

  get(id: string): T | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : (this.#order[place] ?? undefined);
  }

  named(name: string): T[] {
    return [...(this.#byName.get(name) ?? [])].flatMap((id) => this.get(id) ?? []);
  }

  all(): T[] {
    return this.#order.filter((item) => item !== null);
  }

  replace(item: T): T {
    const place = this.#places.get(item.id);
    const before = this.get(item.id);
    if (place === undefined || !before) throw new Error(`there is no ${item.id}`);
    this.#idsOf(before).delete(item.id);
    this.#idsOf(item).add(item.id);
    this.#order[place] = item;
    return item;
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    const before = this.get(id);
    if (place === undefined || !before) return;
    this.#idsOf(before).delete(id);
    this.#order[place] = null;
    this.#places.delete(id);
  }

  /** `null` for a cursor that was never given. */
  page(cursor: string | null, isMeant: (item: T) => boolean): { readonly items: T[]; readonly next: string | null } | null {
    const start = cursor === null ? 0 : Number(cursor);
    if (!Number.isInteger(start) || start < 0 || start > this.#order.length) return null;
    const items: T[] = [];
    for (let at = start; at < this.#order.length; at += 1) {
      const item = this.#order[at];
      if (!item || !isMeant(item)) continue;
      if (items.length === pageSize) return { items, next: String(at) };
      items.push(item);
    }
    return { items, next: null };
  }

  #idsOf(item: T): Set<string> {
    const name = this.#nameOf(item);
    const ids = this.#byName.get(name) ?? new Set<string>();
    this.#byName.set(name, ids);
    return ids;
  }
}

function thingOf(body: unknown): Pick<Thing, 'name' | 'value' | 'needs'> | null {
  const { name, value, needs = [], id: _id, collection: _collection, ...rest } = objectOf(body);
  if (typeof name !== 'string' || typeof value !== 'string' || !isTexts(needs) || Object.keys(rest).length > 0) return null;
  return { name, value, needs };
}

function variableOf(body: unknown): Pick<ProjectVariable, 'key' | 'value' | 'type' | 'target'> | null {
  const { key, value, type, target, ...rest } = objectOf(body);
  if (typeof key !== 'string' || typeof value !== 'string' || typeof type !== 'string' || !isTexts(target)) return null;
  return Object.keys(rest).length > 0 ? null : { key, value, type, target };
}

const objectOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
