import type { Asked, Fact, FactReader, Reading, Schedule } from '../../facts.ts';
import { Routes, type Spot } from '../routes/routes.ts';
import { contextAt, isPiece } from './context.ts';
import { engineOfWord, isPart } from './databases.ts';
import { databasesOf } from './opened.ts';
import { type Code, type Comments, codeOf, isMade } from './source-code.ts';
import { type Sense, Uses } from './uses.ts';

/** A call or a setting that opens a database, or hands a value to a client. */
export interface Opening {
  /** The text of the call: `create_engine`, `PG.connect`. */
  readonly call?: RegExp;
  /** The name that gets the value: `SQLALCHEMY_DATABASE_URI`. */
  readonly name?: RegExp;
  /** The text before the value. */
  readonly before?: RegExp;
  /** `null`: a word in the file tells it. */
  readonly engine: string | null;
  readonly by: string;
}

/** A call of a provider's client, which takes an address and then a key. */
export interface Client {
  readonly call: RegExp;
  readonly package: string;
}

/** A variable that a library reads by itself. */
export interface Implied {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly sense?: Sense;
}

export interface Language {
  readonly name: string;
  readonly endings: readonly string[];
  readonly comments: Comments;
  /** Cheap words without which a file is not read. */
  readonly tells: RegExp;
  /** The first group that matches is a variable's name. */
  readonly reads: readonly RegExp[];
  readonly openings: readonly Opening[];
  readonly clients?: readonly Client[];
  readonly implied?: readonly Implied[];
  /** Names that need more than a pattern. */
  readonly more?: (code: Code, uses: Uses) => void;
  /** Names under which a framework keeps credentials, and modules, which are no variables. */
  readonly facts?: (code: Code, asked: Asked) => readonly Fact[];
  readonly routes?: (code: Code) => readonly Spot[];
  /** Tells whether every app of a framework has the name in this file, whatever services it uses. */
  readonly isOfSkeleton?: (path: string, name: string) => boolean;
  /** Calls that run something at times. */
  readonly schedules?: RegExp;
}

/** A reader of one language. */
export function readerOf(language: Language): FactReader {
  const { name, endings, comments, tells } = language;
  const files = new RegExp(`\\.(?:${endings.join('|')})$`);
  return {
    name,
    isCode: true,
    endings,
    takes: (path) => files.test(path),
    read: (file, asked) => (tells.test(file.text) && !isMade(file) ? readCode(codeOf(file, comments), language, asked) : {}),
  };
}

function readCode(code: Code, language: Language, asked: Asked): Reading {
  const routes = new Routes(code);
  routes.spots(language.routes?.(code) ?? []);
  const variables = variablesOf(code, language);
  return {
    variables,
    routes: routes.list(),
    schedules: language.schedules && code.use !== 'develop' ? schedulesOf(code, language.schedules) : [],
    facts: [...databasesOf(variables, asked), ...(language.facts?.(code, asked) ?? [])],
  };
}

function variablesOf(code: Code, language: Language) {
  const uses = new Uses(code, language.isOfSkeleton);
  const senses = new OpeningsIn(code, language);
  const matches = language.reads.flatMap((pattern) => [...code.text.matchAll(pattern)]).toSorted((a, b) => a.index - b.index);
  for (const match of matches) {
    if (code.isQuoted(match.index)) continue;
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    for (const sense of senses.at(startOf(code.text, match.index))) uses.add(name, match.index, sense);
  }
  for (const { pattern, names, sense = {} } of language.implied ?? []) {
    const at = pattern.exec(code.text)?.index;
    if (at !== undefined) for (const name of names) uses.add(name, at, sense);
  }
  language.more?.(code, uses);
  return uses.list();
}

/** The begin of the whole expression: `os.environ[` begins at `os`, `&std::env::var(` at the sign. */
function startOf(text: string, at: number): number {
  const before = /[&*\\]*(?:\w+(?:\.|::|->))*$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? '';
  return at - before.length;
}

const schedulesOf = (code: Code, pattern: RegExp): readonly Schedule[] =>
  [...code.text.matchAll(pattern)]
    .slice(0, 20)
    .flatMap(({ index }) => (code.isQuoted(index) ? [] : [{ file: code.path, line: code.lineAt(index), by: 'code' }]));

/** What a language's calls do with a value. */
class OpeningsIn {
  readonly #code: Code;
  readonly #openings: readonly Opening[];
  readonly #clients: readonly Client[];
  #left = 300;
  #engine: string | null | undefined;

  constructor(code: Code, { openings, clients = [] }: Language) {
    this.#code = code;
    this.#openings = openings;
    this.#clients = clients;
  }

  /** The senses of a value: of what stands around it, or of the uses of the variable that gets it. */
  at(place: number): readonly Sense[] {
    const own = this.#senseAt(place);
    if (own.sense) return [own.sense];
    return own.assigned === null ? [{}] : this.#of(own.assigned);
  }

  #of(local: string): readonly Sense[] {
    const { text } = this.#code;
    if (local.length < 3 || this.#openings.length + this.#clients.length === 0) return [{}];
    let count = 0;
    for (let at = text.indexOf(local); at >= 0 && count < 30; at = text.indexOf(local, at + local.length)) {
      count += 1;
      if (/[\w$]/.test(text[at - 1] ?? '') || /[\w$]/.test(text[at + local.length] ?? '')) continue;
      const { sense } = this.#senseAt(at);
      if (sense) return [sense];
    }
    return [{}];
  }

  #senseAt(at: number): { readonly sense: Sense | null; readonly assigned: string | null } {
    this.#left -= 1;
    if (this.#left < 0) return { sense: null, assigned: null };
    const { text } = this.#code;
    const { calls, places, member, members, assigned } = contextAt(text, at);
    const before = text.slice(Math.max(0, at - 200), at);
    const names = [...members, ...(assigned === null ? [] : [assigned])];
    for (const { call, name, before: ahead, engine, by } of this.#openings) {
      const fits =
        (call === undefined || calls.some((one) => call.test(one))) &&
        (name === undefined || names.some((one) => name.test(one))) &&
        (ahead === undefined || ahead.test(before));
      if (!fits) continue;
      const role = (member !== null && isPart(member)) || isPiece(text, at) ? { role: 'part' as const } : {};
      return { sense: { opens: { engine: engine ?? this.#engineOfFile(), by, ...role } }, assigned };
    }
    const index = calls.findIndex((one) => this.#clients.some(({ call }) => call.test(one)));
    const client = this.#clients.find(({ call }) => call.test(calls[index] ?? ''));
    if (!client) return { sense: null, assigned };
    const as = ([{ givenAs: 'address' }, { givenAs: 'key' }] as const)[places[index] ?? 2] ?? {};
    return { sense: { givenTo: client.package, ...as }, assigned };
  }

  /** The engine of the first word in the file that names one: `"postgres"`, `postgresql+asyncpg://`, `django.db.backends.mysql`. */
  #engineOfFile(): string | null {
    if (this.#engine === undefined) {
      const words =
        /\b(postgres(?:ql)?|pgsql|postgis|psycopg\w?|asyncpg|pgx|mysql\d?|mariadb|sqlite\d?|sqlserver|mongodb|Postgrex?|MyXQL|SQLite3|mysqli)\b/i.exec(
          this.#code.text,
        );
      const word = (words?.[1] ?? '').toLowerCase();
      this.#engine = /^(?:psycopg|pgx|postgrex)/.test(word) ? 'postgres' : /^(?:myxql|mysqli)/.test(word) ? 'mysql' : engineOfWord(word);
    }
    return this.#engine;
  }
}
