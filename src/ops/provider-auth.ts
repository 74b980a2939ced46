import { isMap, type Json } from '../core/json.ts';
import { didYouMean } from '../core/nearest.ts';
import type { AuthForm, CredentialHeader } from '../http/types.ts';
import { readCommand } from './provider-command.ts';
import { addressProblem, type BlockProblem } from './provider-url.ts';

export type Reading = { readonly value: AuthForm } | { readonly problems: readonly BlockProblem[] };

/** Reads the credential form in `auth:` of an API block: variable names only, exactly one form. */
export function readAuth(value: Json, at: readonly (string | number)[]): Reading {
  if (!isMap(value)) return wrong({ at, detail: `auth must be a map with one credential form: ${formList}.` });
  const form = forms.find((known) => Object.hasOwn(value, known.key));
  if (!form) {
    const found = Object.keys(value);
    const hint = found.length === 1 ? didYouMean(found[0] ?? '', formKeys) : '';
    return wrong({ at, detail: `auth holds no known credential form.${hint} The known ones are ${formList}.` });
  }
  const also = forms.filter((known) => known !== form && Object.hasOwn(value, known.key));
  if (also.length > 0) {
    const names = [form, ...also].map((f) => f.key).join(' and ');
    return wrong({ at, detail: `auth holds ${names}, but one API has exactly one credential form.`, fix: 'Keep one of them.' });
  }
  if (!form.nested) return finish(form.key, value, checkMembers(value, form.members, at));
  const stray = strangers(value, [form.key], at);
  if (stray.length > 0) return { problems: stray };
  const nested = value[form.key];
  const inside = [...at, form.key];
  if (form.key === 'headers') return readHeaderList(nested, inside);
  if (form.key === 'command') return readCommand(nested, inside);
  if (!isMap(nested)) return wrong({ at: inside, detail: `auth.${form.key} must be a map of ${Object.keys(form.members).join(', ')}.` });
  const problems = checkMembers(nested, form.members, inside);
  if (form.key === 'basic') problems.push(...checkBasic(nested, inside));
  if (form.key === 'oauth_client_credentials') problems.push(...checkPaths(nested, inside));
  return finish(form.key, nested, problems);
}

const wrong = (problem: BlockProblem): Reading => ({ problems: [problem] });
const finish = (key: string, value: Record<string, unknown>, problems: readonly BlockProblem[]): Reading =>
  problems.length > 0 ? { problems } : { value: toForm(key, value) };

/** The kind of a form's member. `secret` and `variable` are names of variables. Log filters also mask the value of `secret` by its name. */
type Member = { readonly is: 'secret' | 'variable' | 'header' | 'text' | 'empty' | 'url' | 'path' | 'scope'; readonly required?: boolean };

const headerMembers = {
  header: { is: 'header', required: true },
  value_env: { is: 'secret', required: true },
  prefix: { is: 'text' },
  user_env: { is: 'variable' },
} as const satisfies Record<string, Member>;

const forms: readonly { readonly key: string; readonly nested: boolean; readonly members: Readonly<Record<string, Member>> }[] = [
  { key: 'bearer_env', nested: false, members: { bearer_env: { is: 'secret', required: true } } },
  { key: 'header', nested: false, members: headerMembers },
  { key: 'headers', nested: true, members: headerMembers },
  {
    key: 'basic',
    nested: true,
    members: { user_env: { is: 'variable' }, user: { is: 'text' }, password_env: { is: 'secret' }, password: { is: 'empty' } },
  },
  {
    key: 'oauth_client_credentials',
    nested: true,
    members: {
      client_id_env: { is: 'variable', required: true },
      client_secret_env: { is: 'secret', required: true },
      token_url: { is: 'url' },
      token_path: { is: 'path' },
      token_url_env: { is: 'variable' },
      audience: { is: 'text' },
      audience_path: { is: 'path' },
      audience_env: { is: 'variable' },
      resource: { is: 'text' },
      scope: { is: 'text' },
    },
  },
  {
    key: 'aws_v4',
    nested: true,
    members: {
      access_key_id_env: { is: 'variable', required: true },
      secret_access_key_env: { is: 'secret', required: true },
      service: { is: 'scope', required: true },
    },
  },
  { key: 'command', nested: true, members: {} },
  {
    key: 'digest',
    nested: true,
    members: { user_env: { is: 'variable', required: true }, password_env: { is: 'secret', required: true } },
  },
];
const formKeys = forms.map((form) => form.key);
const formList =
  '{ bearer_env }, { header, value_env, prefix?, user_env? }, { headers: [...] }, { basic }, { oauth_client_credentials }, { command: [...] }, { aws_v4 } and { digest }';

function readHeaderList(value: unknown, at: readonly (string | number)[]): Reading {
  if (!Array.isArray(value) || value.length === 0)
    return wrong({ at, detail: 'auth.headers must be a list of { header, value_env, prefix?, user_env? }.' });
  const problems = value.flatMap((item: unknown, i) =>
    isMap(item) ? checkMembers(item, headerMembers, [...at, i]) : [{ at: [...at, i], detail: 'An entry of auth.headers must be a map.' }],
  );
  return problems.length > 0 ? { problems } : { value: { headers: value.map(toHeader) } };
}

function checkMembers(
  value: Record<string, unknown>,
  members: Readonly<Record<string, Member>>,
  at: readonly (string | number)[],
): BlockProblem[] {
  const problems = strangers(value, Object.keys(members), at);
  for (const [name, member] of Object.entries(members)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined) {
      if (member.required) problems.push({ at, detail: `This credential form needs ${name}.` });
      continue;
    }
    const wrong = memberProblem(name, given, member);
    if (wrong) problems.push({ at: [...at, name], ...wrong });
  }
  return problems;
}

function memberProblem(name: string, given: unknown, member: Member): Omit<BlockProblem, 'at'> | null {
  if (typeof given !== 'string') return { detail: `${name} must be text.` };
  switch (member.is) {
    case 'secret':
    case 'variable':
      return variableProblem(name, given, member.is === 'secret');
    case 'header':
      return isHeaderName(given) ? null : { detail: `${JSON.stringify(given)} is not the name of a header.` };
    case 'text':
      return isHeaderText(given) ? null : { detail: `${name} holds a line break or another control character.` };
    case 'empty':
      return given === ''
        ? null
        : {
            code: 'SECRET_LITERAL',
            detail: 'auth.basic.password holds a value, but an API block holds names of variables only.',
            fix: 'Put the password into a variable and name it in `password_env`. Write `password: ""` when there is none.',
          };
    case 'url':
      return addressProblem(name, given);
    case 'path':
      return isPlainPath(given)
        ? null
        : { detail: `${name} must be a path at the origin of base_url that begins with one slash, such as /oauth/token.` };
    case 'scope':
      return isScopeText(given) ? null : { detail: `${name} must be a name such as s3, with lower-case letters, digits and hyphens.` };
  }
}

// The error does not repeat a wrong variable name: the text may be the credential itself.
export function variableProblem(name: string, given: string, secret: boolean): Omit<BlockProblem, 'at'> | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(given)) {
    return { detail: `${name} must hold the name of an environment variable, never its value.`, fix: `Write a name such as MY_API_TOKEN.` };
  }
  if (!secret || masked.test(given)) return null;
  return {
    detail: `${name} names the variable ${given}. Its name does not end like that of a secret, so log filters would not mask its value.`,
    fix: 'Use a variable whose name ends in TOKEN, SECRET, KEY, PASSWORD or PASS.',
  };
}

const masked = /(?:TOKEN|SECRET|KEY|PASSWORD|PASS|PAT|CREDENTIALS?)$/i;

function checkBasic(value: Record<string, unknown>, at: readonly (string | number)[]): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const one = (a: string, b: string): void => {
    const count = [a, b].filter((name) => Object.hasOwn(value, name)).length;
    if (count !== 1) problems.push({ at, detail: `auth.basic needs exactly one of ${a} and ${b}.` });
  };
  one('user_env', 'user');
  one('password_env', 'password');
  return problems;
}

function checkPaths(value: Record<string, unknown>, at: readonly (string | number)[]): BlockProblem[] {
  return [
    ['token_url', 'token_path'],
    ['audience', 'audience_path'],
  ].flatMap((pair) =>
    pair.every((name) => Object.hasOwn(value, name))
      ? [{ at, detail: `auth.oauth_client_credentials takes ${pair.join(' or ')}, not both.`, fix: 'Keep one of them.' }]
      : [],
  );
}

function strangers(value: Record<string, unknown>, known: readonly string[], at: readonly (string | number)[]): BlockProblem[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ at: [...at, key], detail: `${key} is not part of this credential form.${didYouMean(key, known)}` }));
}

export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
/** Whether a text can name a region or a service. These names stand between slashes in the signed text. */
export const isScopeText = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
/** Whether a path holds nothing that a URL parser would take for another host, a query or an escape. */
const isPlainPath = (text: string): boolean => /^(?:\/[\w.~-]+)+\/?$/.test(text);
export const isHeaderText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function toHeader(item: unknown): CredentialHeader {
  const { header, value_env, prefix, user_env } = isMap(item) ? item : {};
  return {
    header: text(header),
    value_env: text(value_env),
    ...(prefix !== undefined && { prefix: text(prefix) }),
    ...(user_env !== undefined && { user_env: text(user_env) }),
  };
}

/** Checked members as the form's own type, in a fixed order so that equal forms are equal JSON. */
function toForm(key: string, value: Record<string, unknown>): AuthForm {
  const { bearer_env, user_env, user, password_env, password, client_id_env, client_secret_env } = value;
  const { token_url, token_path, token_url_env, audience, audience_path, audience_env, resource, scope } = value;
  const { access_key_id_env, secret_access_key_env, service } = value;
  switch (key) {
    case 'bearer_env':
      return { bearer_env: text(bearer_env) };
    case 'basic':
      return {
        basic: {
          ...(user_env !== undefined && { user_env: text(user_env) }),
          ...(user !== undefined && { user: text(user) }),
          ...(password_env !== undefined && { password_env: text(password_env) }),
          ...(password !== undefined && { password: text(password) }),
        },
      };
    case 'oauth_client_credentials':
      return {
        oauth_client_credentials: {
          client_id_env: text(client_id_env),
          client_secret_env: text(client_secret_env),
          ...(token_url !== undefined && { token_url: text(token_url) }),
          ...(token_path !== undefined && { token_path: text(token_path) }),
          ...(token_url_env !== undefined && { token_url_env: text(token_url_env) }),
          ...(audience !== undefined && { audience: text(audience) }),
          ...(audience_path !== undefined && { audience_path: text(audience_path) }),
          ...(audience_env !== undefined && { audience_env: text(audience_env) }),
          ...(resource !== undefined && { resource: text(resource) }),
          ...(scope !== undefined && { scope: text(scope) }),
        },
      };
    case 'aws_v4':
      return {
        aws_v4: {
          access_key_id_env: text(access_key_id_env),
          secret_access_key_env: text(secret_access_key_env),
          service: text(service),
        },
      };
    case 'digest':
      return { digest: { user_env: text(user_env), password_env: text(password_env) } };
    default:
      return toHeader(value);
  }
}
