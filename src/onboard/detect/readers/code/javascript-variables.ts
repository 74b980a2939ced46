import type { VariableUse } from '../../facts.ts';
import { engineOf, packageOf } from './databases.ts';
import { Senses } from './javascript-senses.ts';
import { nuxtNames } from './nuxt-config.ts';
import type { Code } from './source-code.ts';
import { type Sense, Uses } from './uses.ts';

/**
 * `process.env.X`, `import.meta.env.X`, `Bun.env["X"]`, `c.env.X`, `Deno.env.get("X")`, `env("X")`, `requireEnv("X")`. What stands before
 * `env` is looked at afterwards, so that each match begins at these three letters.
 */
const reading =
  /[eE]nv(?:ironment)?(?:Vars?|Variables?|OrThrow|OrFail|Required|Str|String|Url)?(?:\??\.([A-Z][A-Z0-9_]{1,79})\b(?!\s*\()|(?:\?\.)?\[\s*["'`]([A-Z][A-Z0-9_]{1,79})["'`]\s*\]|(?:\??\.(?:get|fetch|require|getOrThrow|string))?(?:<[^<>()\n]{0,60}>)?\(\s*["'`]([A-Z][A-Z0-9_]{1,79})["'`])/g;
/** `configService.get('X')` of Nest, `Config.redacted("X")` of Effect. */
const asking =
  /[cC]onfig(?:Service|uration)?\s*\??\.(?:get|getOrThrow|string|redacted|secret|integer|number|boolean|url)\s*(?:<[^<>()\n]{0,60}>)?\(\s*["'`]([A-Z][A-Z0-9_]{1,79})["'`]/g;
/** `Config.X` of SST 2, which the stack declares: `new Config.Secret(stack, "X")`. */
const ofStack =
  /(?<![\w$.])Config\.(?:(?:Secret|Parameter)\(\s*[\w$.]{1,40},\s*["'`]([A-Z][A-Z0-9_]{1,79})["'`]|([A-Z][A-Z0-9]*_[A-Z0-9_]{1,78})\b)/g;
/** `const { X, Y: y } = process.env`. */
const taking = /\{([^{}]{1,3000})\}(?:\s*:\s*[\w.<>, ]{1,80})?\s*=\s*(?:process\.env|import\.meta\.env|Bun\.env|env)\b(?![.[(])/g;
/** Modules whose exports are variables. */
const importing = /\bimport\s*\{([^{}]{1,3000})\}\s*from\s*["'](?:\$env\/static\/(?:private|public)|astro:env\/(?:server|client))["']/g;
/** `"use_env_variable": "X"` of Sequelize, `env: 'X'` of convict. */
const naming = /\b(?:use_env_variable|env)["']?\s*:\s*["']([A-Z][A-Z0-9_]{1,79})["']/g;
/** A member of a schema: `X: z.string()`, `X: str()`, `X: envField.string(`. */
const declaring =
  /(?<![\w$.])["']?([A-Z][A-Z0-9_]{1,79})["']?\s*:\s*(?:(?:z|v|s|t|y|S|[jJ]oi|[yY]up|Type|[sS]chema|envField|e|type|core)\s*\.\w|(?:str|url|num|bool|port|host|email|json|string|number|boolean|makeValidator|requiredString|optionalString|zs|envString|envUrl)\s*\(|\w{0,30}(?:[sS]chema|[uU]rl|[sS]tring|[sS]ecret)\s*[.(])/g;
const schemaOf =
  /\b(?:createEnv|cleanEnv|parseEnv|defineEnv|envField|loadEnv|validateEnv|makeEnv|EnvSchema|envSchema|process\.env|import\.meta\.env|Bun\.env|runtimeEnv|validationSchema|ValidateEnv)\b/;

/** The variables that a file of JavaScript or TypeScript reads. */
export function variablesOfJavascript(code: Code): readonly VariableUse[] {
  const { text, path } = code;
  const uses = new Uses(code);
  const senses = new Senses(code);
  for (const match of text.matchAll(reading)) {
    const found = match[1] ?? match[2] ?? match[3] ?? '';
    if (!isRead(text, match.index, match[1] !== undefined) || code.isQuoted(match.index)) continue;
    for (const sense of senses.at(startOf(text, match.index), match.index + match[0].length)) uses.add(found, match.index, sense);
  }
  for (const match of text.matchAll(asking)) {
    if (code.isQuoted(match.index)) continue;
    const around = senses.at(startOf(text, match.index), match.index + match[0].length);
    for (const sense of around) uses.add(match[1] ?? '', match.index, sense);
  }
  if (/["']sst\/(?:node\/config|constructs)["']/.test(text)) {
    for (const match of text.matchAll(ofStack)) uses.add(match[1] ?? match[2] ?? '', match.index);
  }
  for (const pattern of [taking, importing]) {
    for (const match of text.matchAll(pattern)) {
      for (const { variable, local } of taken(match[1] ?? '')) {
        for (const sense of senses.of(local)) uses.add(variable, match.index, sense);
      }
    }
  }
  if (/use_env_variable|convict/.test(text)) {
    for (const match of text.matchAll(naming)) uses.add(match[1] ?? '', match.index, senses.ofSequelize());
  }
  if (schemaOf.test(text) || /(?:^|\/)\.?env(?:[.-]\w+)*\.\w+$/.test(path)) {
    for (const match of text.matchAll(declaring)) uses.add(match[1] ?? '', match.index, {}, 'schema');
  }
  if (/(?:^|\/)nuxt\.config\.\w+$/.test(path)) for (const one of nuxtNames(text)) uses.add(one.name, one.at, {}, 'schema');
  for (const one of impliedBy(senses.imports, text)) uses.add(one.name, one.at, one.sense);
  return uses.list();
}

/** `isMember`: a member of something that ends with `env`. Types and classes (`Env.Production`) have members that are no variables. */
function isRead(text: string, at: number, isMember: boolean): boolean {
  const before = /[\w$.]*$/.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? '';
  if (!isMember) return true;
  const own = before.slice(before.lastIndexOf('.') + 1) + text.slice(at, at + 1);
  return !/^[A-Z]/.test(own) || (/^[A-Z_]+$/.test(own) === false && /(?:process|meta|Bun)\.$/.test(before));
}

/** The begin of the whole expression: `process.env.X` begins at `process`. */
function startOf(text: string, at: number): number {
  const before = /(?:[\w$]+\??\.)*[\w$]*$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? '';
  return at - before.length;
}

interface Taken {
  readonly variable: string;
  readonly local: string;
}

/** `X`, `X: y`, `X as y`, each with a default. */
const taken = (list: string): readonly Taken[] =>
  list.split(',').flatMap((part): Taken[] => {
    const match = /^\s*([A-Z][A-Z0-9_]*)\s*(?:(?::|\bas\b)\s*([\w$]+))?\s*(?:=.*)?$/s.exec(part);
    return match?.[1] === undefined ? [] : [{ variable: match[1], local: match[2] ?? match[1] }];
  });

interface Implied {
  readonly name: string;
  readonly at: number;
  readonly sense: Sense;
}

/** Clients that read variables by themselves. */
function impliedBy(imports: ReadonlyMap<string, string>, text: string): readonly Implied[] {
  return [...imports].flatMap(([local, module]): Implied[] => {
    const known = implied[packageOf(module)];
    if (!known?.isMeant(local, text)) return [];
    const opens = engineOf(module);
    const sense: Sense = opens === undefined ? { givenTo: packageOf(module) } : { opens: { engine: opens, by: packageOf(module) } };
    return known.names.map((one) => ({ name: one, at: Math.max(0, text.indexOf(module)), sense }));
  });
}

const implied: {
  readonly [module: string]: { readonly names: readonly string[]; readonly isMeant: (local: string, text: string) => boolean };
} = {
  '@upstash/redis': {
    names: ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
    isMeant: (local, text) => text.includes(`${local}.fromEnv(`),
  },
  '@vercel/postgres': { names: ['POSTGRES_URL'], isMeant: (local) => local === 'sql' || local === 'db' },
  '@vercel/kv': { names: ['KV_REST_API_URL', 'KV_REST_API_TOKEN'], isMeant: (local) => local === 'kv' },
  '@vercel/blob': { names: ['BLOB_READ_WRITE_TOKEN'], isMeant: () => true },
  '@vercel/edge-config': { names: ['EDGE_CONFIG'], isMeant: (local) => local === 'get' || local === 'getAll' || local === 'has' },
};
