import { type Context, contextAt, isPiece } from './context.ts';
import { engineOf, engineOfScheme, engineOfWord, isPart, packageOf } from './databases.ts';
import { importsIn } from './javascript-imports.ts';
import type { Code } from './source-code.ts';
import type { Sense } from './uses.ts';

/** What the code around a value says of it. */
export class Senses {
  readonly #code: Code;
  /** A file with more places than this is data. */
  #left = 400;
  #imports: ReadonlyMap<string, string> | null = null;

  constructor(code: Code) {
    this.#code = code;
  }

  get imports(): ReadonlyMap<string, string> {
    this.#imports ??= importsIn(this.#code.text);
    return this.#imports;
  }

  /** The senses of an expression: of the calls around it, or of the uses of the variable that it goes into. */
  at(start: number, end: number): readonly Sense[] {
    const { text } = this.#code;
    this.#left -= 1;
    if (this.#left < 0) return [{}];
    const context = contextAt(text, start);
    const own = this.#senseOf(context, text.slice(end, end + 80));
    if (own) return [this.#placed(own, start)];
    return context.assigned === null ? [{}] : this.of(context.assigned, context.member);
  }

  /** The senses of a local variable, by the first calls that take it. */
  of(local: string, member: string | null = null): readonly Sense[] {
    const { text } = this.#code;
    const found: Sense[] = [];
    if (this.imports.size === 0 || local.length < 2) return [{}];
    let count = 0;
    for (let at = text.indexOf(local); at >= 0 && count < 30 && this.#left > 0; at = text.indexOf(local, at + local.length)) {
      count += 1;
      if (/[\w$.]/.test(text[at - 1] ?? '') || /[\w$]/.test(text[at + local.length] ?? '') || this.#code.isQuoted(at)) continue;
      this.#left -= 1;
      const context = contextAt(text, at);
      const after = text.slice(at + local.length, at + local.length + 80);
      const sense = this.#senseOf({ ...context, member: context.member ?? member }, after);
      if (sense) found.push(this.#placed(sense, at));
    }
    return found.length > 0 ? found : [{}];
  }

  /** The configuration of Sequelize names variables; its dialect tells the engine. */
  ofSequelize(): Sense {
    return /use_env_variable/.test(this.#code.text) ? { opens: { engine: this.#engineOfSettings(), by: 'sequelize' } } : {};
  }

  #senseOf({ calls, places, member, members }: Context, after: string): Sense | null {
    const configured = configurations.find(({ path }) => path.test(this.#code.path));
    for (const [i, call] of calls.entries()) {
      const root = call.replace(/^new\s+/, '').split(/\??\./, 1)[0] ?? '';
      const module = this.imports.get(root);
      if (module === undefined || isSchema.test(module)) continue;
      const engine = engineOf(module);
      if (engine === undefined && configured && isConfig.test(root)) continue;
      if (engine === undefined) return { givenTo: packageOf(module), ...givenAs(places[i] ?? null, member, after) };
      return this.#opening(module, engine, member, members, after);
    }
    if (!configured || (calls.length > 0 && !calls.some((call) => isConfig.test(call)))) return null;
    if (member === null || !holdsAddress.test(member)) return member !== null && isPart(member) ? this.#part(configured.by) : null;
    return { opens: { engine: this.#engineOfSettings(), by: configured.by, ...(configured.role && { role: configured.role }) } };
  }

  #opening(module: string, engine: string | null, member: string | null, members: readonly string[], after: string): Sense {
    const by = packageOf(module);
    const own = engine ?? this.#engineOfSettings() ?? engineOfScheme(/["'`]([a-z+]+:\/\/)/.exec(after)?.[1] ?? '');
    if (member !== null && isPart(member)) return { opens: { engine: own, by, role: 'part' } };
    // A client takes other settings too, such as a name or a size.
    if (member !== null && !holdsAddress.test(member) && !members.some((one) => one !== member && holdsAddress.test(one))) return {};
    const role =
      by === 'drizzle-kit' ? 'migrate' : /shadow/i.test(member ?? '') ? 'shadow' : /direct|unpooled/i.test(member ?? '') ? 'direct' : null;
    return { opens: { engine: own, by, ...(role && { role }) } };
  }

  /** The user in `mongodb://${user}@${host}` is a part of the address, whatever call takes the whole. */
  #placed(sense: Sense, at: number): Sense {
    return sense.opens && isPiece(this.#code.text, at) ? { ...sense, opens: { ...sense.opens, role: 'part' } } : sense;
  }

  #part = (by: string): Sense => ({ opens: { engine: this.#engineOfSettings(), by, role: 'part' } });

  /** The engine that the settings of an ORM name: `dialect: 'postgresql'`, `client: 'pg'`. */
  #engineOfSettings(): string | null {
    for (const match of this.#code.text.matchAll(/\b(?:dialect|type|client|provider|driver|adapter)["']?\s*:\s*["'`]([\w-]+)["'`]/g)) {
      const engine = engineOfWord(match[1] ?? '');
      if (engine !== null) return engine;
    }
    return null;
  }
}

/** Clients take an address and then a key, or members that say which they are. */
function givenAs(place: number | null, member: string | null, after: string): Pick<Sense, 'givenAs'> {
  if (place === 1) return { givenAs: 'key' };
  if (place === 0) return /^!?(?:\s+as\s+string)?(?:\s*(?:\?\?|\|\|)\s*["'`]{2})?\s*,\s*[^\s{)]/.test(after) ? { givenAs: 'address' } : {};
  if (member === null) return {};
  if (/(?:url|uri|endpoint|address)$/i.test(member)) return { givenAs: 'address' };
  return /key$/i.test(member) ? { givenAs: 'key' } : {};
}

const holdsAddress =
  /^(?:url|uri|connectionString|connection|connectionUri|dsn|clientUrl|datasourceUrl|databaseUrl|databaseURL|shadowDatabaseUrl|shadow|directUrl|DATABASE_URL|mongoUrl|redisUrl|redis|db|store|conString|filename|mongoUri|unpooled)$/i;
const isSchema =
  /^(?:zod|valibot|yup|joi|envalid|znv|arktype|@t3-oss\/[\w-]+|superstruct|@sinclair\/typebox|invariant|tiny-invariant|assert|ts-invariant|effect|@effect\/[\w-]+)(?:\/|$)/;
const isConfig = /^(?:defineConfig|module\.exports|createConfig)$/;

/** Files whose settings open a database, whatever calls are in them. */
const configurations: readonly { readonly path: RegExp; readonly by: string; readonly role?: 'migrate' }[] = [
  { path: /(?:^|\/)drizzle(?:[.-]\w+)*\.config(?:[.-]\w+)*\.\w+$|(?:^|\/)drizzle-\w+\.config\.\w+$/, by: 'drizzle-kit', role: 'migrate' },
  { path: /(?:^|\/)prisma(?:[.-]\w+)*\.config(?:[.-]\w+)*\.\w+$/, by: 'prisma', role: 'migrate' },
  { path: /(?:^|\/)knexfile\.\w+$/, by: 'knex' },
  { path: /(?:^|\/)(?:ormconfig|typeorm(?:[.-]\w+)*\.config)\.\w+$|(?:^|\/)data-?source\.\w+$/i, by: 'typeorm' },
  { path: /(?:^|\/)mikro-orm(?:[.-]\w+)*\.config\.\w+$/, by: '@mikro-orm/core' },
  { path: /(?:^|\/)kysely(?:[.-]\w+)*\.config\.\w+$/, by: 'kysely' },
  { path: /(?:^|\/)config\/(?:config|database)\.\w+$|(?:^|\/)\.sequelizerc$/, by: 'sequelize' },
];
