/** A variable of an `.env*` file. Its value stays in the file. */
export interface EnvVariable {
  readonly name: string;
  /** Those of the suffixes asked for that a host in the value ends with. */
  readonly hosts: readonly string[];
}

/** Names as every tool can pass them on. Lower case is left out: there a piece of a key that spans lines could pass for a name. */
const assignment = /[ \t]*(?:export[ \t]+)?([A-Z_][A-Z0-9_]{0,99})[ \t]*=(?!=)[ \t]*/y;

/** As dotenv has it: a quoted value may span lines, and nothing but a comment follows it. */
const quoted = /(?:"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^']*'|`[^`]*`)[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/y;

/**
 * The names in an `.env*` file, each once. A quoted value may span lines and so may an unquoted private key: what stands inside is
 * not taken for names. `parseEnv` of `node:util` (24.21) reads names in such a key, and of a name that comes twice the last value alone.
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

/** Behind the `+` is a driver, as in SQLAlchemy, or the way to find the server. */
const databaseUrl =
  /^(?:jdbc:)?(?:postgres|postgresql|cockroachdb|mysql|mysql2|mariadb|mongodb|libsql|redis|rediss|sqlserver|prisma|ecto)(?:\+[a-z0-9_]+)?:\/\//i;

/** The only look into a value: whether it is the address of a database, or names its host, and how that host ends. */
function suffixesIn(name: string, value: string, suffixes: readonly string[]): readonly string[] {
  if (suffixes.length === 0) return [];
  const hosts = hostsIn(name, value.replace(/^["'`]/, '').split(/["'`\s]/, 1)[0] ?? '');
  return suffixes.filter((suffix) => hosts.some((host) => host.endsWith(suffix.toLowerCase())));
}

function hostsIn(name: string, value: string): readonly string[] {
  const scheme = databaseUrl.exec(value)?.[0];
  if (scheme === undefined) return /HOST(NAME)?$/.test(name) ? [hostOf(value)] : [];
  const address = value.slice(scheme.length).split('?', 1)[0] ?? '';
  // A password may hold `/` and `@` where nobody encoded it, so the host begins after the last `@`.
  const place = address.slice(address.lastIndexOf('@') + 1).split(/[/#;]/, 1)[0] ?? '';
  return place.split(',').map(hostOf);
}

const hostOf = (text: string): string => text.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
