import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { Sealed } from '../../src/core/sealed.ts';
import { checkCredentials } from '../../src/http/auth/check.ts';
import type { ProviderBlock } from '../../src/http/types.ts';
import { openPrograms, type Programs } from '../support/programs.ts';
import { block as plain, world } from './harness.ts';

interface Variable {
  readonly name: string;
  readonly value: string;
  /** A user name may stand in an error. */
  readonly open?: boolean;
}

interface Form {
  readonly name: string;
  readonly block: Partial<ProviderBlock>;
  readonly variables: readonly Variable[];
  /** How a provider refuses a value that is wrong. */
  readonly refusal: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly code?: string };
  /** What one line brings instead of the secret. */
  readonly replaces?: 'one value';
}

const unauthorized = { status: 401 };
const key = { name: 'ACME_KEY', value: 'acme-key-0123456789' };
const app = { name: 'ACME_APP_KEY', value: 'acme-app-key-0123456789' };
const user = { name: 'ACME_USER', value: 'acme-user-01', open: true };
const password = { name: 'ACME_PASSWORD', value: 'acme-password-0123456789' };
const aws = [
  { name: 'AWS_ACCESS_KEY_ID', value: 'ASIAIOSFODNN7EXAMPLE', open: true },
  { name: 'AWS_SECRET_ACCESS_KEY', value: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  { name: 'AWS_SESSION_TOKEN', value: 'session-token-0123456789' },
];
const signed: Partial<ProviderBlock> = {
  auth: { aws_v4: { access_key_id_env: 'AWS_ACCESS_KEY_ID', secret_access_key_env: 'AWS_SECRET_ACCESS_KEY', service: 's3' } },
  region: 'eu-west-1',
  session_token_env: 'AWS_SESSION_TOKEN',
};

const forms: readonly Form[] = [
  { name: 'bearer_env', block: { auth: { bearer_env: key.name } }, variables: [key], refusal: unauthorized, replaces: 'one value' },
  {
    name: 'header',
    block: { auth: { header: 'X-Key', value_env: key.name, prefix: 'Key ' } },
    variables: [key],
    refusal: { status: 403 },
    replaces: 'one value',
  },
  {
    name: 'header with a user name before the value',
    block: { auth: { header: 'Authorization', user_env: user.name, value_env: key.name } },
    variables: [user, key],
    refusal: unauthorized,
    replaces: 'one value',
  },
  {
    name: 'headers',
    block: { auth: { headers: [key, app].map(({ name }) => ({ header: `X-${name}`, value_env: name })) } },
    variables: [key, app],
    refusal: unauthorized,
  },
  {
    name: 'basic',
    block: { auth: { basic: { user_env: user.name, password_env: password.name } } },
    variables: [user, password],
    refusal: unauthorized,
    replaces: 'one value',
  },
  {
    name: 'basic with the key as user name',
    block: { auth: { basic: { user_env: key.name, password: '' } } },
    variables: [key],
    refusal: unauthorized,
    replaces: 'one value',
  },
  {
    name: 'oauth_client_credentials',
    block: { auth: { oauth_client_credentials: { client_id_env: user.name, client_secret_env: password.name } } },
    variables: [user, password],
    refusal: unauthorized,
  },
  { name: 'aws_v4', block: signed, variables: aws, refusal: { status: 403, code: 'SignatureDoesNotMatch' } },
  { name: 'aws_v4 that answers 400', block: signed, variables: aws, refusal: { status: 400, code: 'ExpiredTokenException' } },
  {
    name: 'digest',
    block: { auth: { digest: { user_env: user.name, password_env: password.name } } },
    variables: [user, password],
    refusal: { status: 401, headers: { 'www-authenticate': 'Digest realm="acme", nonce="n1", qop="auth", algorithm=SHA-256' } },
    replaces: 'one value',
  },
];

const cases = forms.flatMap((form) => form.variables.map((variable) => ({ ...form, variable, title: `${form.name}: ${variable.name}` })));
const envOf = ({ variables }: Form, o: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  ...o,
});
const blockOf = (form: Form): ProviderBlock => ({ ...plain, ...form.block });

/** A provider that refuses, and repeats in its text whatever it was sent or could have been sent. */
function refusing(form: Form, env: NodeJS.ProcessEnv) {
  return world(
    async (request) => {
      const heard = [...Object.values(env), ...[...request.headers].flat(), request.method === 'GET' ? '' : await request.text()];
      const { status, headers = {}, code = 'refused' } = form.refusal;
      return Response.json({ __type: code, message: heard.join(' | ') }, { status, headers });
    },
    { env },
  );
}

async function failureOf(form: Form, env: NodeJS.ProcessEnv, credential: Sealed | null = null) {
  const { client, requests } = refusing(form, env);
  const thrown = await client
    .api(blockOf(form), { credential })
    .send({ method: 'GET', path: '/a' }, { purpose: 'read' })
    .catch((error: unknown) => error);
  if (!(thrown instanceof Failure)) throw new Error(`no failure: ${String(thrown)}`);
  return { failure: thrown, shown: `${thrown.message} ${JSON.stringify(thrown.toData())} ${thrown.stack}`, requests };
}

describe.each(cases)('the credential form $title', ({ variable, ...form }) => {
  it.each([
    ['not set', undefined],
    ['empty', ''],
    ['blank', ' \n\t'],
  ])('is CREDENTIAL_MISSING with the variable when that is %s, and nothing is sent', async (_, value) => {
    const env = envOf(form, { [variable.name]: value });
    const wanted = {
      code: 'CREDENTIAL_MISSING',
      detail: `${variable.name} is not set. It holds the credential of acme.`,
      fix: `Set ${variable.name}.`,
    };
    expect(checkCredentials(blockOf(form), env)).toMatchObject([wanted]);
    const { failure, requests } = await failureOf(form, env);
    expect(failure).toMatchObject(wanted);
    expect(requests).toEqual([]);
  });

  it.each([
    ['line break', '\n'],
    ['carriage return', '\r\n'],
    ['control character', '\u0007'],
  ])('is PROVIDER_AUTH with the variable when a %s stands in its value, and nothing is sent', async (_, between) => {
    const halves = [variable.value.slice(0, 6), variable.value.slice(6)];
    const env = envOf(form, { [variable.name]: halves.join(between) });
    const wanted = { code: 'PROVIDER_AUTH', detail: expect.stringContaining(variable.name), fix: expect.stringContaining(variable.name) };
    expect(checkCredentials(blockOf(form), env)).toMatchObject([wanted]);
    const { failure, shown, requests } = await failureOf(form, env);
    expect(failure).toMatchObject(wanted);
    for (const half of halves) expect(shown).not.toContain(half);
    expect(requests).toEqual([]);
  });

  it('is taken without the line break that came with it', async () => {
    const env = envOf(form, { [variable.name]: ` ${variable.value}\r\n` });
    expect(checkCredentials(blockOf(form), env)).toEqual([]);
    expect((await failureOf(form, env)).requests.length).toBeGreaterThan(0);
  });

  it('is PROVIDER_AUTH with the variable when its value is wrong, and no secret is shown', async () => {
    const wrong = `${variable.value}-wrong`;
    const { failure, shown } = await failureOf(form, envOf(form, { [variable.name]: wrong }));
    expect(failure).toMatchObject({ code: 'PROVIDER_AUTH', status: form.refusal.status });
    const told = form.refusal.code === 'SignatureDoesNotMatch' ? 'AWS_SECRET_ACCESS_KEY' : variable.name;
    expect(failure.fix).toContain(told);
    const secrets = [...form.variables.filter(({ open }) => !open).map(({ value }) => value), ...(variable.open ? [] : [wrong])];
    for (const secret of secrets) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(encodeURIComponent(secret));
      expect(shown).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20));
    }
  });
});

describe.each(forms)('the credential form $name', (form) => {
  const own = new Sealed('line-credential-0123456789', 'keys.secret');

  it(`lets a line bring ${form.replaces ?? 'nothing that it could replace by itself'}`, async () => {
    if (form.name === 'oauth_client_credentials') {
      // The token itself, in place of the pair that it is fetched with.
      const { requests } = await failureOf(form, {}, own);
      expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${own.reveal()}`);
      return;
    }
    const { failure, shown, requests } = await failureOf(form, envOf(form), own);
    expect(failure.code).toBe(form.replaces ? 'PROVIDER_AUTH' : 'PLAN_INVALID');
    expect(shown).not.toContain(own.reveal());
    expect(requests.length > 0).toBe(form.replaces !== undefined);
  });
});

describe('the credential form command', () => {
  let programs: Programs;
  beforeEach(async () => {
    programs = await openPrograms();
  });
  afterEach(() => programs.close());
  const form: Form = { name: 'command', block: { auth: { command: ['token-of', 'acme'] } }, variables: [], refusal: unauthorized };

  it.each<[string, string | null, string]>([
    ['is not there', null, 'token-of'],
    ['prints nothing', 'out("\\n")', 'printed nothing'],
    ['prints a line break inside of the token', 'out("secret-0123\\nsecret-4567\\n")', 'more than one line'],
    ['ends with an error', 'out("secret-0123"); fail(3, "secret-0123 was refused");', 'exit code 3'],
    ['prints a token that is wrong', 'out("secret-0123456789")', 'answered 401'],
  ])('is PROVIDER_AUTH with the command when that %s, and its output is not shown', async (_, body, words) => {
    if (body !== null) await programs.add('token-of', body);
    const { failure, shown } = await failureOf(form, { PATH: programs.PATH });
    expect(failure).toMatchObject({ code: 'PROVIDER_AUTH', detail: expect.stringContaining(words) });
    expect(`${failure.detail} ${failure.fix}`).toContain('token-of');
    expect(shown).not.toMatch(/secret-\d{4}/);
  });
});
