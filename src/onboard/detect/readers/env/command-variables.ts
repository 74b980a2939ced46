import type { FactReader, VariableUse } from '../../facts.ts';

/** Programs that read a variable by themselves, as they are started. */
const programs: readonly { readonly pattern: RegExp; readonly name: string; readonly opens?: VariableUse['opens'] }[] = [
  { pattern: /\bconvex\s+deploy\b/, name: 'CONVEX_DEPLOY_KEY' },
  { pattern: /\bdbmate\s+(?:-\S+\s+){0,4}(?:up|migrate)\b/, name: 'DATABASE_URL', opens: { engine: null, by: 'dbmate', role: 'migrate' } },
  {
    pattern: /\bsqlx\s+(?:migrate\s+run|database\s+(?:create|setup))\b/,
    name: 'DATABASE_URL',
    opens: { engine: null, by: 'sqlx', role: 'migrate' },
  },
  {
    pattern: /\bdiesel\s+(?:migration\s+run|setup|database\s+setup)\b/,
    name: 'DATABASE_URL',
    opens: { engine: null, by: 'diesel', role: 'migrate' },
  },
];

/** Reads the commands of a build for programs that read variables by themselves. */
export const commandVariables: FactReader = {
  name: 'command-variables',
  endings: ['json', 'toml', 'sh', 'makefile', 'justfile', 'procfile', 'dockerfile'],
  takes: (path) =>
    /(?:^|\/)(?:package\.json|vercel\.json|netlify\.toml|railway\.(?:json|toml)|nixpacks\.toml|Makefile|[jJ]ustfile|Procfile|[\w.-]*\.sh|(?:[\w.-]*\.)?Dockerfile)$/.test(
      path,
    ),
  read: ({ path, text }) => ({
    variables: programs.flatMap(({ pattern, name, opens }): VariableUse[] => {
      const at = lineOfCommand(text, pattern);
      return at === 0
        ? []
        : [{ name, file: path, line: at, where: 'script', use: 'runtime', hosts: [], schemes: [], ...(opens && { opens }) }];
    }),
  }),
};

/** The line of the first command that is no comment; 0 if there is none. */
function lineOfCommand(text: string, pattern: RegExp): number {
  if (!pattern.test(text)) return 0;
  return text.split('\n').findIndex((line) => pattern.test(line) && !/^\s*(?:#|\/\/)/.test(line)) + 1;
}
