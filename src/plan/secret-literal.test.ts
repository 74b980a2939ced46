import { describe, expect, it } from 'vitest';
import { codesOf, failuresOf, fullContext, withParams } from '../../test/support/read-plan.ts';

const codesFor = (...params: readonly string[]): readonly string[] => codesOf(withParams(...params)).map((code) => code.replace(/ .*/, ''));

describe('a literal under a name that belongs to a secret is refused', () => {
  const names = [
    'token',
    'secret',
    'password',
    'passwd',
    'api_key',
    'apikey',
    'private_key',
    'credential_secret',
    'dsn',
    'client_secret',
    'apiKey',
    'clientSecret',
    'X-Api-Key',
    '/config/secret',
    'STRIPE_SECRET_KEY',
    'SESSION_KEY',
    'SMTP_PASSWORD',
    'GITHUB_TOKEN',
  ];
  it.each(names)('%s', (name) => expect(codesFor(`"${name}": hello`)).toEqual(['SECRET_LITERAL']));
  it.each(names)('%s deep inside a param', (name) => expect(codesFor(`fields: [{ n: 1, "${name}": hello }]`)).toEqual(['SECRET_LITERAL']));

  it.each(['key', 'name', 'item'])('the value of a pair whose %s is such a name', (key) => {
    expect(codesFor(`${key}: STRIPE_SECRET_KEY`, 'value: hello')).toEqual(['SECRET_LITERAL']);
    expect(codesFor(`vars: [{ ${key}: STRIPE_SECRET_KEY, value: hello }]`)).toEqual(['SECRET_LITERAL']);
  });

  it('an unquoted number', () => expect(codesFor('password: 12345678')).toEqual(['SECRET_LITERAL']));

  it('an item of a list', () => expect(codesFor('token: [hello]')).toEqual(['SECRET_LITERAL']));

  it('in a line of another environment too, because the repository keeps it all the same', () => {
    expect(codesFor('token: hello', 'environments: [production]')).toEqual(['SECRET_LITERAL']);
  });

  it('in the settings of a provider', () => {
    expect(codesOf('providers:\n  http:\n    x:\n      auth: { basic: { user: api, password: hello } }\nchanges: []\n')).toEqual([
      'SECRET_LITERAL 4:45',
    ]);
  });

  it('as the credential of a line', () => expect(codesFor('credential: hello')).toEqual(['SECRET_LITERAL']));
});

describe('a literal that has the form of a credential is refused under any name', () => {
  const values = [
    `sk_${'live'}_abcd1234`,
    `sk_${'test'}_abcd1234`,
    `ghp_${'a'.repeat(36)}`,
    `github_pat_${'a'.repeat(40)}`,
    `xoxb-${'1'.repeat(12)}-abc`,
    `xoxp-${'1'.repeat(12)}-abc`,
    `AKIA${'A'.repeat(16)}`,
    `-----BEGIN ${'RSA '}PRIVATE KEY-----`,
    `postgres://app:hunter2@db.example/x`,
    `see https://u:p@h.example`,
  ];
  it.each(values)('%s', (value) => expect(codesFor(`v: "${value}"`)).toEqual(['SECRET_LITERAL']));

  it('also where the name of a variable belongs, and inside { secret }', () => {
    expect(codesFor(`bearer_env: ${values[2]}`)).toEqual(['SECRET_LITERAL']);
    expect(codesFor('v: { secret: "postgres://app:hunter2@db.example/x" }')).toEqual(['SECRET_LITERAL']);
  });
});

describe('what is no secret passes', () => {
  it.each([
    ['a public text', 'token: { public: pk_hello }'],
    ['a switch in the words of YAML 1.1', 'secret: yes'],
    ['a public text that looks like a credential', `v: { public: "sk_${'live'}_abcd1234" }`],
    ['a reference', 'token: { secret: "env://TOKEN" }'],
    ['the live value', 'token: { keep: true }'],
    ['the name of a variable', 'token_env: MY_TOKEN'],
    ['an empty text', 'token: ""'],
    ['a boolean', 'idempotency_key: true'],
    ['a text with a value of the run', 'token: preview-${ctx.scope}'],
    ['a pointer to an output', 'outputs: { token: /token, secret: { path: /secret, sensitive: true } }'],
    ['keys that find things', 'lookup_key: a\n    key_field: b\n    primary_key: c\n    key: d'],
    ['a URL without a password', 'v: "https://user@host.example/a:b@c"'],
    ['a password that the run gives', 'v: "https://u:${ctx.scope}@host.example"'],
    ['a variable of the NEXT_PUBLIC_ kind', 'NEXT_PUBLIC_STRIPE_KEY: pk'],
  ])('%s', (_what, param) => expect(codesFor(param)).toEqual([]));

  it.each(['NEXT_PUBLIC_', 'VITE_', 'PUBLIC_', 'REACT_APP_', 'NUXT_PUBLIC_', 'EXPO_PUBLIC_', 'GATSBY_'])(
    'names that begin with %s',
    (prefix) => expect(codesFor(`key: ${prefix}API_KEY`, 'value: hello')).toEqual([]),
  );
});

describe('the message', () => {
  it.each(['***', 'postgres://u:***@h/d', '[sealed]', '[sealed env://X]'])('says that %s was copied from our own output', (mask) => {
    const [failure] = failuresOf(withParams(`v: "${mask}"`));
    expect(failure?.code).toBe('SECRET_LITERAL');
    expect(failure?.detail).toContain('copied from its output');
  });

  it('says so under a public name too, because the value is lost', () => {
    expect(codesFor('NEXT_PUBLIC_API: "***"')).toEqual(['SECRET_LITERAL']);
  });

  it('never shows the value, and names the variable to use', () => {
    const failures = failuresOf(withParams('key: STRIPE_SECRET_KEY', 'value: hunter2'), fullContext);
    expect(failures[0]?.fix).toContain('env://STRIPE_SECRET_KEY');
    expect(failures.map((f) => JSON.stringify(f.toData())).join()).not.toContain('hunter2');
  });

  it('tells a reference that was written as text', () => {
    const [failure] = failuresOf(withParams('token: env://TOKEN'));
    expect(failure?.fix).toContain('{ secret: <reference> }');
  });
});
