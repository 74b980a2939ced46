import { type Answers, answersIn } from '../addresses.ts';
import type { Asked, FactReader } from '../facts.ts';
import { baseOf } from '../paths.ts';
import { engineOfScheme, formOf } from './code/databases.ts';

/** Reads the names of `.env*` files, of examples under other names, and of Wrangler's variables. */
export const envFiles: FactReader = {
  name: 'env-file',
  names: (name) => isEnvFile(name),
  takes: (path) => isEnvFile(baseOf(path)),
  read: ({ path, text }, asked) => {
    const found = readEnvFile(text, asked);
    const isLaravel = found.some(({ name }) => name === 'APP_KEY') && found.some(({ name }) => /^(?:BROADCAST|FILESYSTEM)_/.test(name));
    return {
      variables: found.map(({ engine, form, ...variable }) => ({
        ...variable,
        file: path,
        where: 'env-file',
        use: /(?:^|\.)(?:test|testing|ci|e2e)\b/.test(baseOf(path)) ? 'local' : 'runtime',
        ...(engine !== null && { opens: { engine, by: 'value' } }),
        ...(form !== null && { form }),
        ...(isLaravel && ofSkeleton.test(variable.name) && { isSkeleton: true }),
      })),
    };
  },
};

const isEnvFile = (name: string): boolean =>
  name.startsWith('.env') ||
  name.startsWith('.dev.vars') ||
  /^(?:[\w-]+\.env|env\.(?:example|sample|template|dist|local))(?:\.\w+)?$/.test(name);

/** Variables that every new app of Laravel has in its example file. */
const ofSkeleton = /^(?:AWS|MAIL|REDIS|MEMCACHED|PUSHER|VITE_PUSHER|DB|SESSION|QUEUE|CACHE|BROADCAST|FILESYSTEM)_/;

/** A variable of an `.env*` file. Its value stays in the file. */
export interface EnvVariable extends Answers {
  readonly name: string;
  /** The line of its first assignment, from 1. */
  readonly line: number;
  /** The engine of the database whose address the value is; `null` for any other value. */
  readonly engine: string | null;
  /** `VariableUse.form` of its value. */
  readonly form: string | null;
}

/** Names that every tool can pass on. Lower case is left out, because a piece of a key that spans lines could look like a name. */
const assignment = /[ \t]*(?:export[ \t]+)?([A-Z_][A-Z0-9_]{0,99})[ \t]*=(?!=)[ \t]*/y;

/** The rule of dotenv: a quoted value may span lines, and only a comment may follow it. */
const quoted = /(?:"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^']*'|`[^`]*`)[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/y;

/**
 * Finds the names in an `.env*` file, each once. A quoted value may span lines, and so may a private key without quotes: text inside them
 * never counts as a name. `parseEnv` of `node:util` (24.21) finds names in such a key, and keeps only the last value of a name that comes
 * twice.
 */
export function readEnvFile(text: string, asked: Pick<Asked, 'hosts' | 'schemes'>): readonly EnvVariable[] {
  const found = new Map<string, { line: number; engine: string | null; form: string | null; hosts: Set<string>; schemes: Set<string> }>();
  const lineAt = countLines(text);
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    assignment.lastIndex = at;
    const name = assignment.exec(text)?.[1];
    if (name === undefined) continue;
    const start = assignment.lastIndex;
    at = valueEnd(text, start);
    const known = found.get(name) ?? { line: lineAt(start), engine: null, form: null, hosts: new Set(), schemes: new Set() };
    const value = firstWord(text.slice(start, at));
    known.engine ??= engineOfScheme(value);
    known.form ??= formOf(value);
    const answers = answersIn(value, asked, namesHost.test(name));
    for (const host of answers.hosts) known.hosts.add(host);
    for (const scheme of answers.schemes) known.schemes.add(scheme);
    found.set(name, known);
  }
  return [...found].map(([name, { hosts, schemes, ...one }]) => ({ name, ...one, hosts: [...hosts], schemes: [...schemes] }));
}

/** The names of variables whose value is a host without a scheme. */
const namesHost = /(?:HOST|HOSTNAME|SERVER|ENDPOINT|DOMAIN|ADDRESS|ADDR)$/;

/** A comment may follow a value, and an address in it says nothing of the value. */
const firstWord = (value: string): string => value.replace(/^["'`]/, '').split(/["'`\s]/, 1)[0] ?? '';

/** Gives the number of the line at growing places of a text, in one pass in all. */
function countLines(text: string): (at: number) => number {
  let [line, seen] = [1, 0];
  return (at) => {
    for (let next = text.indexOf('\n', seen); next >= 0 && next < at; next = text.indexOf('\n', seen)) {
      line += 1;
      seen = next + 1;
    }
    return line;
  };
}

function valueEnd(text: string, start: number): number {
  quoted.lastIndex = start;
  if (quoted.test(text)) return quoted.lastIndex;
  const end = lineEnd(text, start);
  if (!text.slice(start, end).includes('-----BEGIN ')) return end;
  const closed = text.indexOf('-----END ', start);
  return closed < 0 ? text.length : lineEnd(text, closed);
}

function lineEnd(text: string, from: number): number {
  const end = /[\r\n]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}
