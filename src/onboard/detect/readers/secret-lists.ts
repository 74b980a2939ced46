import type { FactReader, Reading, VariableUse } from '../facts.ts';
import { baseOf, linesOf, useOfCode, useOfSettings, withoutComments } from './source.ts';
import { yamlLines } from './yaml-lines.ts';

interface Store {
  /** Its first group is the path of the secret in the store. */
  readonly form: RegExp;
  readonly keptIn: string;
}

/** Forms of references to secrets. A reference says where a value is kept, and holds none. */
const stores: readonly Store[] = [
  { form: /\bop:\/\/([^\s"'`<>)}|]{1,300})/g, keptIn: '1password' },
  { form: /\barn:aws[\w-]{0,20}:secretsmanager:[^:\s"']{0,40}:[^:\s"']{0,60}:secret:([\w/+=.@-]{1,300})/g, keptIn: 'aws-secrets-manager' },
  { form: /\{\{resolve:secretsmanager:([\w/+=.@-]{1,300})/g, keptIn: 'aws-secrets-manager' },
  { form: /\barn:aws[\w-]{0,20}:ssm:[^:\s"']{0,40}:[^:\s"']{0,60}:parameter\/([\w/.-]{1,300})/g, keptIn: 'aws-parameter-store' },
  { form: /\{\{resolve:ssm(?:-secure)?:([\w/.-]{1,300})/g, keptIn: 'aws-parameter-store' },
  {
    form: /\bref\+(?:vault|awssecrets|gcpsecrets|awsssm|azurekeyvault|op|onepasswordconnect|doppler|sops|infisical):\/\/([\w/#.@+-]{1,300})/g,
    keptIn: 'vals',
  },
  { form: /\binfisical:\/\/([\w/#.@-]{1,300})/g, keptIn: 'infisical' },
  { form: /\bdoppler:\/\/([\w/#.@-]{1,300})/g, keptIn: 'doppler' },
  { form: /["'\s=]vault:([\w/.-]{1,200}#[\w.-]{1,100})/g, keptIn: 'vault' },
  { form: /\bsecret\s+"((?:kv|secret)\/[\w/.-]{1,200})"/g, keptIn: 'vault' },
  { form: /\bprojects\/[\w${}.-]{1,80}\/secrets\/([\w-]{1,200})/g, keptIn: 'google-secret-manager' },
  { form: /\.vault\.azure\.net\/secrets\/([\w-]{1,200})/g, keptIn: 'azure-key-vault' },
  { form: /@Microsoft\.KeyVault\([^)\n]{0,200}SecretName=([\w-]{1,200})/g, keptIn: 'azure-key-vault' },
];

/** One search tells whether a file has any of them. */
const any = /op:\/\/|arn:aws|\{\{resolve:|ref\+\w|infisical:\/\/|doppler:\/\/|vault:|secret\s+"|\/secrets\/|Microsoft\.KeyVault/;

const files =
  /(?:^|\/)(?:\.env[\w.-]*|env\.(?!(?:[cm]?[jt]sx?|py|rb|go|rs|php)$)[\w.-]+|[\w.-]+\.(?:env|op|tpl|tmpl)(?:\.[\w-]+)?|Makefile|justfile|Procfile[\w.-]*)$|\.(?:ya?ml|jsonc?|toml|sh|bash|ps1|hcl|tf|bicep|properties)$/;

/** References to secrets in files of variables, workflows, settings and templates: `DATABASE_URL=op://team/neon-shop/url`. */
export const secretReferences: FactReader = {
  name: 'references to secrets',
  endings: [
    'yaml',
    'yml',
    'json',
    'jsonc',
    'toml',
    'sh',
    'bash',
    'ps1',
    'hcl',
    'tf',
    'bicep',
    'properties',
    'op',
    'tpl',
    'tmpl',
    'env',
    'envrc',
    'makefile',
    'justfile',
    'procfile',
    'example',
    'sample',
    'template',
    'dist',
    'local',
    'development',
    'dev',
    'staging',
    'production',
    'prod',
    'preview',
    'test',
    'vault',
    'enc',
  ],
  takes: (path) => files.test(path) && !/(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$/.test(path),
  isCode: true,
  read: (file) => {
    if (!any.test(file.text)) return {};
    const text = withoutComments(file.text, /\.(?:jsonc?|bicep)$/.test(file.path) ? 'slashes' : 'hash');
    const lineOf = linesOf(text);
    const use = useOfCode(file.path) === 'runtime' ? useOfSettings(file.path) : useOfCode(file.path);
    const variables: VariableUse[] = [];
    for (const { form, keptIn } of stores) {
      for (const match of text.matchAll(form)) {
        if (variables.length >= 2000) break;
        const path = match[1] ?? '';
        const name = nameBefore(text, match.index) ?? nameIn(path);
        if (name === null) continue;
        variables.push({
          name,
          file: file.path,
          line: lineOf(match.index),
          where: 'vault',
          use,
          hosts: [],
          schemes: [],
          keptIn,
          words: wordsOf(path, keptIn),
        });
      }
    }
    return { variables };
  },
};

const variable = /^[A-Z][A-Z0-9_]{1,99}$/;

/** The first key of the line, or the name of the line above where this one says only `value`. */
function nameBefore(text: string, offset: number): string | null {
  const before = text.slice(Math.max(0, offset - 1000), offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const own = [...line.matchAll(/(?:^|[\s{,"'(])([A-Za-z_]\w{0,99})["']?\s*[:=]/g)].map((match) => match[1] ?? '');
  const named = own.find((name) => variable.test(name));
  if (named !== undefined) return named;
  const [, above] =
    /\b(?:name|key|Name)["']?\s*[:=]\s*["']?([A-Z][A-Z0-9_]{1,99})["']?\s*,?\s*\n[^\n]*$/.exec(before) ??
    /\b(?:name|key|Name)["']?\s*[:=]\s*["']?([A-Z][A-Z0-9_]{1,99})["']?[^\n]*$/.exec(line) ??
    [];
  return above ?? null;
}

/** A store that names its secrets as the app does: `op://app/production/STRIPE_KEY`. */
const nameIn = (path: string): string | null => path.split(/[/#]/).findLast((part) => variable.test(part) && part.includes('_')) ?? null;

/**
 * The names on the way to a secret, without its field: `team`, `neon-shop`. The field of 1Password is the last part, that of others stands
 * behind `#`. AWS adds six signs to the name of a secret.
 */
function wordsOf(path: string, keptIn: string): readonly string[] {
  const parts = (path.split('#', 1)[0] ?? '').replace(/-[A-Za-z0-9]{6}$/, '').split('/');
  const names = keptIn === '1password' && parts.length > 2 ? parts.slice(0, -1) : parts;
  const words = names.filter((part) => /^[A-Za-z][\w .@%-]{1,80}$/.test(part));
  return words.slice(0, 5).map((word) => word.replaceAll('%20', ' '));
}

/** Lists in which a secret manager keeps encrypted values: SOPS, and the files of fnox and mise. Only the names are read. */
export const encryptedLists: FactReader = {
  name: 'encrypted lists of variables',
  endings: ['yaml', 'yml', 'json', 'toml', 'env', 'enc', 'encrypted', 'vault'],
  takes: (path) =>
    /(?:^|\/)(?:[\w.-]*\.(?:enc|sops|encrypted)\.(?:ya?ml|json|env)|[\w.-]*secrets?[\w.-]*\.(?:ya?ml|json|env)|\.?(?:fnox|mise)(?:\.\w+)?\.toml|\.env[\w.-]*\.(?:enc|encrypted|vault))$/.test(
      path,
    ),
  read: ({ path, text }) => {
    if (path.endsWith('.toml')) return tomlNames(path, text);
    if (!/ENC\[AES|^sops[_:]|"sops"\s*:|encrypted:/m.test(text)) return {};
    const keptIn = /encrypted:/.test(text) && !text.includes('ENC[') ? 'dotenvx' : 'sops';
    return { variables: namesOf(path, text, /^[ \t]*["']?([A-Z][A-Z0-9_]{1,99})["']?[ \t]*[:=][ \t]*["']?(?:ENC\[|encrypted:)/gm, keptIn) };
  },
};

/** `[secrets]` and `[env]`, up to the next section. */
function tomlNames(path: string, text: string): Reading {
  const keptIn = /fnox/.test(baseOf(path)) ? 'fnox' : 'mise';
  let isWanted = false;
  const variables: VariableUse[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const [, section, item] = /^\s*\[{1,2}\s*([\w.-]{1,100}?)(?:\.([A-Z][A-Z0-9_]{1,99}))?\s*\]/.exec(line.slice(0, 300)) ?? [];
    if (section !== undefined) isWanted = /(?:^|\.)(?:secrets|env)$/.test(section);
    const name = isWanted ? (item ?? /^\s*["']?([A-Z][A-Z0-9_]{1,99})["']?\s*=/.exec(line.slice(0, 300))?.[1]) : undefined;
    if (name !== undefined)
      variables.push({ name, file: path, line: i + 1, where: 'vault', use: 'runtime', hosts: [], schemes: [], keptIn });
  }
  return { variables: variables.slice(0, 2000) };
}

function namesOf(file: string, text: string, pattern: RegExp, keptIn: string): readonly VariableUse[] {
  const lineOf = linesOf(text);
  return [...text.matchAll(pattern)].slice(0, 2000).map(
    (match): VariableUse => ({
      name: match[1] ?? '',
      file,
      line: lineOf(match.index + match[0].length - 1),
      where: 'vault',
      use: useOfSettings(file),
      hosts: [],
      schemes: [],
      keptIn,
    }),
  );
}

/** The template of Doppler's projects: `secrets`, then an environment, then names with the first values. Only the names are read. */
export const dopplerTemplates: FactReader = {
  name: 'templates of Doppler',
  endings: ['yaml', 'yml'],
  takes: (path) => /^doppler-template\.ya?ml$/.test(baseOf(path)),
  read: ({ path: file, text }) => ({
    variables: yamlLines(text)
      .filter(({ path }) => path.at(-3) === 'secrets' && variable.test(path.at(-1) ?? ''))
      .slice(0, 2000)
      .map(({ path, line }) => ({
        name: path.at(-1) ?? '',
        file,
        line,
        where: 'vault',
        use: 'runtime',
        hosts: [],
        schemes: [],
        keptIn: 'doppler',
      })),
  }),
};

export const secretListReaders: readonly FactReader[] = [secretReferences, encryptedLists, dopplerTemplates];
