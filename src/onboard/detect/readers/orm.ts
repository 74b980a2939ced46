import type { FactReader, VariableUse } from '../facts.ts';

/** Names of files that give ORMs and query builders the address of the database, and of files in which apps usually open it. */
const names =
  /^(?:.+\.prisma|\.sequelizerc|(?:prisma|drizzle|kysely|mikro-orm|typeorm)(?:[.-]\w+)*\.config(?:[.-]\w+)*\.(?:[cm]?[jt]s|json)|(?:knexfile|ormconfig|data-?source|DataSource)\.(?:[cm]?[jt]s|json)|(?:db|database)\.[cm]?[jt]s)$/;
/** Names that mean this only together with their folder. */
const namesInFolders = /(?:^|\/)(?:config\/(?:config|database)\.(?:[cm]?[jt]s|json|ya?ml)|(?:db|database)\/(?:index|client)\.[cm]?[jt]s)$/;

/** `env("X")`, `env<Env>('X')`, `requireEnv('X')`, `env.X`, `process.env.X`, `process.env["X"]`, `Deno.env.get("X")`, `ENV.fetch("X")`. */
const reading = /env(?:<[^<>()]*>)?(?:\(\s*["'`]|\??\.(?:get|fetch)\(\s*["'`]|\??\.|(?:\?\.)?\[\s*["'`])([A-Z_][A-Z0-9_]*)\b/gi;
/** `const { X, Y } = process.env`. */
const taking = /\{([^{}]{1,500})\}\s*=\s*(?:process|import\.meta)\.env\b/g;
/** Sequelize names the variable: `"use_env_variable": "X"`. */
const naming = /\buse_env_variable["']?\s*:\s*["']([A-Z_][A-Z0-9_]*)["']/g;

/** Reads from which variables ORMs take the address of the database. */
export const ormFiles: FactReader = {
  name: 'orm',
  takes: isOrmFile,
  endings: ['prisma', 'sequelizerc', 'json', 'yaml', 'yml', 'js', 'cjs', 'mjs', 'ts', 'cts', 'mts'],
  read: ({ path, text }) => ({
    variables: namesInOrmFile(path, text).map(
      (name): VariableUse => ({
        name,
        file: path,
        line: 0,
        where: path.endsWith('.prisma') ? 'schema' : 'code',
        use: 'runtime',
        hosts: [],
        schemes: [],
        opens: { engine: null, by: isPrismaFile(path) ? 'prisma' : 'orm' },
      }),
    ),
  }),
};

export function isOrmFile(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return names.test(name) || (/^(?:config|database|index|client)\./.test(name) && namesInFolders.test(file));
}

/** Prisma opens connections in its own way, and a pooler must know that. */
export const isPrismaFile = (file: string): boolean => /(?:\.prisma|(?:^|\/)prisma(?:[.-]\w+)*\.config(?:[.-]\w+)*\.\w+)$/.test(file);

/** The variables from which such a file reads the address of the database, in the file's order. */
export function namesInOrmFile(file: string, text: string): readonly string[] {
  const code = withoutComments(file, text);
  if (file.endsWith('.prisma')) return unique(datasourcesIn(code).flatMap((block) => namesOf(block, reading)));
  const taken = [...code.matchAll(taking)].flatMap((match) => (match[1] ?? '').split(',').map((part) => part.split(/[:=]/, 1)[0] ?? ''));
  const read = [...namesOf(code, reading), ...taken.map((name) => name.trim())].filter(isAddressName);
  return unique([...namesOf(code, naming), ...read]);
}

/** Tells whether a name means the address of the database. Such files also read users, passwords, modes and other addresses. */
function isAddressName(name: string): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name) || /^(?:NEXT_PUBLIC|NUXT_PUBLIC|PUBLIC|VITE|REACT_APP|EXPO_PUBLIC|GATSBY)_/.test(name)) return false;
  if (
    /^(?:API|APP|BASE|SITE|WEB|CACHE|REDIS|FRONTEND|BACKEND|SERVER|CLIENT|WEBHOOK|AUTH|NEXTAUTH|SENTRY|VERCEL)_(?:URL|URI|DSN)$/.test(name)
  ) {
    return false;
  }
  return /(?:^|_|DATABASE|DB)(?:URL|URI|DSN|CONNECTION|CONNECTION_STRING)(?:_|$)/.test(name);
}

const datasourcesIn = (code: string): readonly string[] =>
  [...code.matchAll(/^[ \t]*datasource[ \t]+\w+[ \t]*\{([^}]*)\}/gm)].map((match) => match[1] ?? '');

const namesOf = (code: string, pattern: RegExp): readonly string[] =>
  [...code.matchAll(pattern)].flatMap(([, name]) => (name !== undefined && /^[A-Z_][A-Z0-9_]*$/.test(name) ? [name] : []));

/** Removes comments. `//` begins one only where a comment can begin, not in `postgres://`. */
function withoutComments(file: string, text: string): string {
  if (/\.ya?ml$/.test(file)) return text.replace(/(^|[ \t])#.*$/gm, '$1');
  return blocksRemoved(text).replace(/(^|[\s;{}(),])\/\/.*$/gm, '$1');
}

/** Removes block comments. A `/*` without an end is no comment, and a search for the end from every `/*` would take quadratic time. */
function blocksRemoved(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let start = text.indexOf('/*'); start >= 0; start = text.indexOf('/*', at)) {
    const end = text.indexOf('*/', start + 2);
    if (end < 0) break;
    kept.push(text.slice(at, start), ' ');
    at = end + 2;
  }
  return kept.join('') + text.slice(at);
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
