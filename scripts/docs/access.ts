import type { AuthForm } from '../../src/http/types.ts';
import { type Ecosystem, ecosystems } from '../../src/ops/signals.ts';
import type { Subject } from '../../src/recipes/subjects.ts';
import { prose } from './markdown.ts';

/**
 * The access to a provider: its address, its credential with the least rights that it needs, and the headers of every request. If the
 * provider has built-in operations and recipes, `more` holds the others of the same page.
 */
export function accessOf({ name, adapter: { provider: defaults, setup, detect } }: Subject, more: readonly Subject[] = []): string {
  const variables = variablesOf(defaults.auth).map((variable) => `\`${variable}\``);
  const base = defaults.base_url === null ? 'must be given as `base_url`' : `\`${defaults.base_url}\``;
  const override = `\`${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_URL\``;
  const overrides =
    defaults.base_url_env === undefined ? `${override} overrides it` : `${override} or \`${defaults.base_url_env}\` overrides it`;
  // Without address and credential there is no API: each line names an address of its own.
  const isNone = defaults.base_url === null && defaults.auth === null;
  const refused = defaults.refuse_credential;
  return [
    '## Access\n',
    isNone ? '- Base URL: none; each line names an address of its own.' : `- Base URL: ${base}; ${overrides}.`,
    `- Credential: ${credentialText(defaults.auth, variables)}`,
    ...(setup ? [`- Made at ${setup.page}; it needs at least: ${setup.needs}`] : []),
    ...more.flatMap(({ kind, adapter }) =>
      adapter.setup && adapter.setup.needs !== setup?.needs
        ? [`- For its ${kind === 'recipe' ? 'recipes' : 'built-in operations'} it needs at least: ${adapter.setup.needs}`]
        : [],
    ),
    ...proofs(setup, defaults.auth !== null),
    ...(refused
      ? [
          `- Refused before any request: a credential that begins with ${refused.prefixes.map((prefix) => `\`${prefix}\``).join(' or ')}${refused.unless_env === undefined ? '' : `, unless \`${refused.unless_env}\` is 1 or true`}.`,
        ]
      : []),
    ...Object.entries(defaults.headers ?? {}).map(([header, value]) => `- Every request says \`${header}: ${value}\`.`),
    ...(defaults.auth !== null && 'aws_v4' in defaults.auth && defaults.region === undefined
      ? ['- `region` of the API block names the region that signatures are for.']
      : []),
    ...(defaults.media_type === undefined ? [] : [`- Every request takes and sends \`${defaults.media_type}\`.`]),
    ...(defaults.concurrency === undefined
      ? []
      : [`- At most ${defaults.concurrency === 1 ? 'one request' : `${defaults.concurrency} requests`} at once.`]),
    ...Object.entries(defaults.settings ?? {}).map(
      ([key, setting]) => `- \`${key}\`${setting.required ? ' (required)' : ''}: ${setting.doc}`,
    ),
    ...traces(detect),
  ]
    .map(prose)
    .join('\n');
}

/** The reads by which `init --setup` checks the credential, and the rights that they do not prove. */
function proofs(setup: Subject['adapter']['setup'], hasCredential: boolean): readonly string[] {
  if (!setup) return [];
  const { check, check_by: by = [], check_refuses: refuses, unproven = 'the right to write' } = setup;
  const reads = [...new Set([...by, ...(check ? [check] : [])].map(({ method, path }) => `\`${method} ${path}\``))];
  const [only, ...more] = reads;
  if (only === undefined) return hasCredential ? ['- No read proves it beforehand: the first plan does.'] : [];
  return [
    `- \`init --setup\` checks it with ${more.length === 0 ? only : `the first of these that the line fills in: ${reads.join(', ')}`}. A read says nothing of ${unproven}.`,
    ...(refuses === undefined ? [] : [`- The last of them proves less: ${refuses}`]),
  ];
}

/** The registries by the names that people know. */
const titles: { readonly [ecosystem in Ecosystem]: string } = {
  npm: 'npm',
  pypi: 'PyPI',
  rubygems: 'RubyGems',
  go: 'Go',
  cargo: 'Cargo',
  composer: 'Composer',
  hex: 'Hex',
  maven: 'Maven',
  nuget: 'NuGet',
  pub: 'pub.dev',
  swift: 'Swift',
};

/** The signals that prove the provider in a repository for `init`, and the lines that it then writes. */
function traces(detect: Subject['adapter']['detect']): readonly string[] {
  const uses = detect?.uses ?? {};
  const all = [
    ...ecosystems.map((ecosystem) => [`packages of ${titles[ecosystem]}`, uses.packages?.[ecosystem]] as const),
    ['variables', uses.variables],
    ['hosts', uses.hosts?.map((host) => (host.startsWith('.') ? `*${host}` : host))],
    ['schemes', uses.schemes?.map((scheme) => `${scheme}://`)],
    ['files', uses.files],
    ['keys', uses.holds?.map(({ file, at }) => `${at.slice(1).replaceAll('/', '.')} in ${file}`)],
    ['commands', uses.commands],
    ['actions', uses.actions],
    ['orbs', uses.orbs],
    ['images', uses.images],
    ['resources', uses.resources],
    ['modules', uses.modules],
    ['settings', uses.settings],
  ] as const;
  const told = all.flatMap(([what, names]) =>
    names && names.length > 0 ? [`${what} ${names.map((one) => `\`${one}\``).join(', ')}`] : [],
  );
  if (told.length === 0) return [];
  const ops = [...new Set((detect?.draft ?? []).map(({ op }) => `\`${op}\``))];
  const isExample = detect?.draft?.every(({ part }) => part === 'flags') === true;
  const writes =
    ops.length === 0
      ? ''
      : ` A first plan has ${isExample ? 'an example of' : ops.length === 1 ? 'a line of' : 'lines of'} ${ops.join(' and ')}.`;
  return [`- \`pilotfish init\` recognises it by ${told.join('; ')}.${writes}`];
}

function credentialText(auth: AuthForm | null, variables: readonly string[]): string {
  if (auth !== null && 'command' in auth) return `the token that \`${auth.command.join(' ')}\` prints.`;
  return variables.length > 0 ? `${variables.join(' and ')} in the environment.` : 'none.';
}

/** The names under keys that end in `_env`, anywhere in a credential form. */
function variablesOf(form: unknown): readonly string[] {
  if (Array.isArray(form)) return form.flatMap(variablesOf);
  if (typeof form !== 'object' || form === null) return [];
  const all = Object.entries(form).flatMap(([key, value]) => {
    if (typeof value === 'string') return key.endsWith('_env') && !/url|audience/.test(key) ? [value] : [];
    return variablesOf(value);
  });
  return [...new Set(all)];
}
