/** A variable of an `.env*` file. Its value stays in the file. */
export interface EnvVariable {
  readonly name: string;
  /** The requested suffixes that a host in the value ends with. */
  readonly hosts: readonly string[];
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
export function readEnvFile(text: string, suffixes: readonly string[]): readonly EnvVariable[] {
  const found = new Map<string, Set<string>>();
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    assignment.lastIndex = at;
    const name = assignment.exec(text)?.[1];
    if (name === undefined) continue;
    const start = assignment.lastIndex;
    at = valueEnd(text, start);
    const hosts = found.get(name) ?? new Set<string>();
    for (const suffix of suffixesIn(name, text.slice(start, at), suffixes)) hosts.add(suffix);
    found.set(name, hosts);
  }
  return [...found].map(([name, hosts]) => ({ name, hosts: [...hosts] }));
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

/** The part after `+` is a driver, as in SQLAlchemy, or the way to find the server. */
const databaseUrl =
  /^(?:jdbc:)?(?:postgres|postgresql|cockroachdb|mysql|mysql2|mariadb|mongodb|libsql|redis|rediss|sqlserver|prisma|ecto)(?:\+[a-z0-9_]+)?:\/\//i;

/**
 * The only look into a value. It finds the requested suffixes of a database's host, if the value is the address of a database or names its
 * host.
 */
function suffixesIn(name: string, value: string, suffixes: readonly string[]): readonly string[] {
  if (suffixes.length === 0) return [];
  const hosts = hostsIn(name, value.replace(/^["'`]/, '').split(/["'`\s]/, 1)[0] ?? '');
  return suffixes.filter((suffix) => hosts.some((host) => host.endsWith(suffix.toLowerCase())));
}

function hostsIn(name: string, value: string): readonly string[] {
  const scheme = databaseUrl.exec(value)?.[0];
  if (scheme === undefined) return /HOST(NAME)?$/.test(name) ? [hostOf(value)] : [];
  const address = value.slice(scheme.length).split('?', 1)[0] ?? '';
  // A password without encoding may hold `/` and `@`, so the host begins after the last `@`.
  const place = address.slice(address.lastIndexOf('@') + 1).split(/[/#;]/, 1)[0] ?? '';
  return place.split(',').map(hostOf);
}

const hostOf = (text: string): string => text.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
