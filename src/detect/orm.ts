/** Files in which ORMs and query builders are told the address of the database, and where apps usually open it. */
const files: readonly RegExp[] = [
  /(^|\/)[^/]+\.prisma$/,
  /(^|\/)(prisma|drizzle|kysely|mikro-orm|typeorm)([.-][\w-]+)*\.config\.([cm]?[jt]s|json)$/,
  /(^|\/)(drizzle|kysely|mikro-orm|typeorm)\.config\.([cm]?[jt]s|json)$/,
  /(^|\/)prisma\.config\.[cm]?[jt]s$/,
  /(^|\/)(knexfile|ormconfig|data-?source)\.([cm]?[jt]s|json)$/i,
  /(^|\/)\.sequelizerc$/,
  /(^|\/)config\/(config|database)\.([cm]?[jt]s|json|ya?ml)$/,
  /(^|\/)(db|database)\.[cm]?[jt]s$/,
  /(^|\/)(db|database)\/(index|client)\.[cm]?[jt]s$/,
];

/** `env("X")`, `env<Env>('X')`, `requireEnv('X')`, `env.X`, `process.env.X`, `process.env["X"]`, `Deno.env.get("X")`. */
const reading = /env(?:<[^<>()]*>)?(?:\(\s*["'`]|\.get\(\s*["'`]|\?*\.|\[\s*["'`])([A-Z_][A-Z0-9_]*)\b/gi;
/** `ENV["X"]` and `ENV.fetch("X")` of Ruby. */
const ruby = /\bENV(?:\[|\.fetch\()\s*["']([A-Z_][A-Z0-9_]*)["']/g;
/** `const { X, Y } = process.env`. */
const taking = /\{([^{}]{1,500})\}\s*=\s*(?:process|import\.meta)\.env\b/g;
/** Sequelize names the variable: `"use_env_variable": "X"`. */
const naming = /\buse_env_variable["']?\s*:\s*["']([A-Z_][A-Z0-9_]*)["']/g;

export const isOrmFile = (file: string): boolean => files.some((pattern) => pattern.test(file));

/** The variables under which such a file reads the address of the database, in the file's order. */
export function namesInOrmFile(file: string, text: string): readonly string[] {
  const code = withoutComments(file, text);
  if (file.endsWith('.prisma')) return unique(datasourcesIn(code).flatMap((block) => namesOf(block, reading)));
  const named = namesOf(code, naming);
  const taken = [...code.matchAll(taking)].flatMap((match) =>
    (match[1] ?? '').split(',').map((part) => part.split(/[:=]/, 1)[0]?.trim() ?? ''),
  );
  return unique([...named, ...[...namesOf(code, reading), ...namesOf(code, ruby), ...taken].filter(isAddressName)]);
}

/** Beside the address, configs read users, passwords and modes. */
const isAddressName = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(name) && /(?:^|_)(?:URL|URI|DSN|CONNECTION|CONNECTION_STRING)(?:_|$)|DATABASE_?URL/.test(name);

const datasourcesIn = (code: string): readonly string[] =>
  [...code.matchAll(/^\s*datasource\s+\w+\s*\{([^}]*)\}/gm)].map((match) => match[1] ?? '');

const namesOf = (code: string, pattern: RegExp): readonly string[] =>
  [...code.matchAll(pattern)].flatMap((match) => (match[1] !== undefined && /^[A-Z_][A-Z0-9_]*$/.test(match[1]) ? [match[1]] : []));

/** `//` counts where a comment can begin, not in `postgres://`. */
function withoutComments(file: string, text: string): string {
  if (/\.ya?ml$/.test(file)) return text.replace(/(^|\s)#.*$/gm, '$1');
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|[\s;{}(),])\/\/.*$/gm, '$1');
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
