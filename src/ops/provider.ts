import { canonicalJson, sha256 } from '../core/canonical.ts';
import { Failure, Failures } from '../core/errors.ts';
import { isMap, type Json, type JsonMap } from '../core/json.ts';
import { didYouMean } from '../core/nearest.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { ProviderEntry } from '../plan/types.ts';
import type { ProviderDefaults } from './op.ts';
import { isHeaderName, isHeaderText, readAuth } from './provider-auth.ts';
import { readSigning, signingKeys } from './provider-signing.ts';
import { type BlockProblem, baseUrl } from './provider-url.ts';

export interface BlockRequest {
  /** Canonical name of the block: it makes the `<NAME>_API_URL` variable. */
  readonly name: string;
  readonly defaults: ProviderDefaults;
  /** The plan's entry for the API, if there is one. */
  readonly entry: ProviderEntry | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** A line that sends to absolute URLs only needs no base URL. */
  readonly baseless?: boolean;
  /** A block of `providers.http`, which may name the recipe family that supplies its defaults. */
  readonly isApi?: boolean;
}

/**
 * One API as the run uses it: the provider's defaults, the plan's settings over them, and the variables that override the base
 * URL. Throws `Failures` with every mistake of the block and its place.
 */
export function resolveBlock(request: BlockRequest): ProviderBlock {
  const { name, defaults, entry, env } = request;
  const problems: BlockProblem[] = [];
  const values: JsonMap = entry?.values ?? {};
  const read = <T>(key: string, parse: Parse<T>): T | undefined => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) return undefined;
    const parsed = parse(value, [key]);
    if ('problems' in parsed) {
      problems.push(...parsed.problems);
      return undefined;
    }
    return parsed.value;
  };

  const settingNames = Object.keys(defaults.settings ?? {});
  for (const key of Object.keys(values)) {
    const known = [...(request.isApi ? ['recipe'] : []), ...commonKeys, ...settingNames];
    if (!known.includes(key)) problems.push({ at: [key], detail: `${name} has no setting ${key}.${didYouMean(key, known)}` });
  }

  const urlVariable = read('base_url_env', parseVariable) ?? defaults.base_url_env;
  const base = baseUrl(name, urlVariable, read('base_url', parseText) ?? defaults.base_url, env);
  if (base.problem && !(request.baseless && base.url === '')) problems.push(base.problem);

  const auth = Object.hasOwn(values, 'auth') ? read('auth', parseAuth) : defaults.auth;
  // A form that cannot be read has an error of its own.
  const { signing, problems: unsigned } = auth === undefined ? nothing : readSigning({ name, auth, values, defaults });
  problems.push(...unsigned);
  const headers = mergeHeaders(defaults.headers, read('headers', parseHeaders));
  const encoding = read('encoding', oneOf('json', 'form', 'xml', 'multipart')) ?? defaults.encoding;
  const formArrays = read('form_arrays', oneOf('repeat', 'index', 'brackets')) ?? defaults.form_arrays;
  const mediaType = read('media_type', parseMediaType) ?? defaults.media_type;
  const refuse = read('refuse_credential', parseRefuse) ?? defaults.refuse_credential;
  const concurrency = read('concurrency', parseConcurrency) ?? defaults.concurrency;
  const settings: { [setting: string]: string } = {};
  for (const [setting, spec] of Object.entries(defaults.settings ?? {})) {
    const value = read(setting, parseText);
    if (value !== undefined && value !== '') settings[setting] = value;
    else if (spec.required && !Object.hasOwn(values, setting)) problems.push({ at: [], detail: `${name} needs ${setting}: ${spec.doc}` });
  }
  throwAll(problems, entry);
  return {
    api: name,
    base_url: base.url,
    ...(base.variable !== undefined && { base_url_env: base.variable }),
    auth: auth ?? null,
    ...signing,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(encoding !== undefined && { encoding }),
    ...(formArrays !== undefined && { form_arrays: formArrays }),
    ...(mediaType !== undefined && { media_type: mediaType }),
    ...(refuse !== undefined && { refuse_credential: refuse }),
    ...(concurrency !== undefined && { concurrency }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** The part of a block that is identity: two blocks with equal requests are the same provider. */
export function blockIdentity(block: ProviderBlock): JsonMap {
  const headers = Object.entries(block.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    base_url: block.base_url,
    auth: block.auth,
    ...(block.region !== undefined && { region: block.region }),
    ...(block.session_token_env !== undefined && { session_token_env: block.session_token_env }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(block.encoding !== undefined && block.encoding !== 'json' && { encoding: block.encoding }),
    ...(block.form_arrays !== undefined && { form_arrays: block.form_arrays }),
    ...(block.media_type !== undefined && { media_type: block.media_type }),
    ...(block.settings !== undefined && { settings: block.settings }),
  };
}

/** The identity of an object in the ledger: adapter, provider block as resolved, key. Never the line's id. */
export function identityOf(adapter: string, block: ProviderBlock, key: string): string {
  // This is canonical JSON: the three names are in order.
  return sha256(`{"adapter":${canonicalJson(adapter)},"key":${canonicalJson(key)},"provider":${blockText(block)}}`);
}

/** Thousands of lines share one block, which never changes, so its text is kept. */
function blockText(block: ProviderBlock): string {
  const known = blockTexts.get(block);
  if (known !== undefined) return known;
  const text = canonicalJson(blockIdentity(block));
  blockTexts.set(block, text);
  return text;
}

const blockTexts = new WeakMap<ProviderBlock, string>();

const nothing = { signing: {}, problems: [] };

const commonKeys = [
  'base_url',
  'base_url_env',
  'auth',
  ...signingKeys,
  'headers',
  'encoding',
  'form_arrays',
  'media_type',
  'refuse_credential',
  'concurrency',
];

type Parsed<T> = { readonly value: T } | { readonly problems: readonly BlockProblem[] };
type Parse<T> = (value: Json, at: readonly (string | number)[]) => Parsed<T>;

const wrong = (at: readonly (string | number)[], detail: string, fix?: string): { problems: BlockProblem[] } => ({
  problems: [{ at, detail, ...(fix !== undefined && { fix }) }],
});

const parseText: Parse<string> = (value, at) => (typeof value === 'string' ? { value } : wrong(at, `${at.join('.')} must be text.`));

const parseVariable: Parse<string> = (value, at) =>
  typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value)
    ? { value }
    : wrong(at, `${at.join('.')} must hold the name of an environment variable.`);

const parseAuth: Parse<ProviderBlock['auth']> = (value, at) => {
  if (value === null) return { value: null };
  return readAuth(value, at);
};

const oneOf =
  <T extends string>(...known: readonly T[]): Parse<T> =>
  (value, at) => {
    const found = known.find((item) => item === value);
    return found === undefined ? wrong(at, `${at.join('.')} must be one of ${known.join(', ')}.`) : { value: found };
  };

const parseMediaType: Parse<string> = (value, at) =>
  typeof value === 'string' && /^[a-z]+\/[A-Za-z0-9.+_-]+(\s*;\s*[a-z-]+=[^\s;]+)*$/.test(value)
    ? { value }
    : wrong(at, 'media_type must be a media type such as application/vnd.example.v3+json.');

const parseConcurrency: Parse<number> = (value, at) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 64
    ? { value }
    : wrong(at, 'concurrency must be a whole number from 1 to 64.');

const parseRefuse: Parse<{ prefixes: string[]; unless_env?: string }> = (value, at) => {
  const shape = 'refuse_credential must be { prefixes: [text, …], unless_env?: VARIABLE }.';
  if (!isMap(value) || Object.keys(value).some((key) => key !== 'prefixes' && key !== 'unless_env')) return wrong(at, shape);
  const { prefixes, unless_env: unless } = value;
  if (!Array.isArray(prefixes) || prefixes.length === 0) return wrong(at, shape);
  const texts = prefixes.filter((prefix: unknown): prefix is string => typeof prefix === 'string' && prefix !== '');
  if (texts.length !== prefixes.length) return wrong(at, shape);
  if (unless === undefined) return { value: { prefixes: texts } };
  return typeof unless === 'string' && unless !== '' ? { value: { prefixes: texts, unless_env: unless } } : wrong(at, shape);
};

const parseHeaders: Parse<{ [name: string]: string }> = (value, at) => {
  if (!isMap(value)) return wrong(at, 'headers must be a map of header name to text.');
  const problems: BlockProblem[] = [];
  const headers: { [name: string]: string } = {};
  for (const [name, content] of Object.entries(value)) {
    const here = [...at, name];
    if (!isHeaderName(name)) problems.push({ at: here, detail: `${JSON.stringify(name)} is not the name of a header.` });
    else if (credentialHeaders.has(name.toLowerCase())) {
      problems.push({
        at: here,
        code: 'SECRET_LITERAL',
        detail: `The header ${name} carries a credential, but an API block holds names of variables only.`,
        fix: 'Use `auth: { header: …, value_env: … }`.',
      });
    } else if (clientHeaders.has(name.toLowerCase())) {
      problems.push({ at: here, detail: `pilotfish sets the header ${name} itself, so the plan cannot give it.` });
    } else if (typeof content !== 'string' || !isHeaderText(content)) {
      problems.push({ at: here, detail: `The header ${name} must be text without line breaks.` });
    } else headers[name] = content;
  }
  return problems.length > 0 ? { problems } : { value: headers };
};

const credentialHeaders = new Set(['authorization', 'proxy-authorization', 'cookie']);
const clientHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'te', 'keep-alive']);

/** The plan's headers over the defaults. The case of their names does not count. */
function mergeHeaders(defaults: ProviderDefaults['headers'], own: { [name: string]: string } | undefined): { [name: string]: string } {
  const given = new Set(Object.keys(own ?? {}).map((name) => name.toLowerCase()));
  const kept = Object.entries(defaults ?? {}).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

function throwAll(problems: readonly BlockProblem[], entry: ProviderEntry | undefined): void {
  const [first, ...rest] = problems.map(
    ({ at, detail, fix, code }) =>
      new Failure(code ?? 'PLAN_INVALID', {
        detail,
        ...(fix !== undefined && { fix }),
        ...(entry && { place: at.length > 0 ? entry.placeOf(at) : entry.place }),
      }),
  );
  if (first) throw new Failures([first, ...rest]);
}
