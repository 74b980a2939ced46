import { expect, test } from 'vitest';
import { Failure } from '../core/errors.ts';
import { checkSecret, envSource, resolveSecret, type SecretAccess, type SecretSource, type SecretSources } from './index.ts';

const from = (...sources: SecretSource[]): SecretSources => ({
  secretSource: (scheme) => sources.find((source) => source.scheme === scheme) ?? null,
  secretSchemes: () => sources.map((source) => source.scheme),
});
const accessTo = (env: NodeJS.ProcessEnv): SecretAccess => ({
  env,
  signal: new AbortController().signal,
  get: () => Promise.reject(new Error('no server is to be asked')),
  run: () => Promise.reject(new Error('no program is to be started')),
});
const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw new Error(`expected a Failure, got ${String(thrown)}`);
  return thrown;
};

test('env:// gives the variable, sealed under its reference', async () => {
  const sealed = await resolveSecret(from(envSource), 'env://DB_PASSWORD', accessTo({ DB_PASSWORD: 'hunter2' }));
  expect(sealed.reveal()).toBe('hunter2');
  expect(sealed.origin).toBe('env://DB_PASSWORD');
  expect(`${sealed}`).toBe('[sealed]');
});

test.each([
  [{}, 'not set'],
  [{ DB_PASSWORD: '' }, 'empty'],
])('an environment variable that is missing or empty is named (%j)', async (env, word) => {
  const failure = await failureOf(resolveSecret(from(envSource), 'env://DB_PASSWORD', accessTo(env)));
  expect(failure.code).toBe('SECRET_UNRESOLVED');
  expect(failure.detail).toContain('DB_PASSWORD');
  expect(failure.detail).toContain(word);
  expect(checkSecret(from(envSource), 'env://DB_PASSWORD', env)?.detail).toBe(failure.detail);
});

test('a malformed variable name is refused without looking it up', () => {
  expect(checkSecret(from(envSource), 'env://A-B', { 'A-B': 'x' })?.detail).toContain('does not name an environment variable');
  expect(checkSecret(from(envSource), 'env://', { '': 'x' })?.code).toBe('SECRET_UNRESOLVED');
});

test('an unknown source lists the known ones and the nearest', () => {
  const failure = checkSecret(from(envSource, { scheme: 'vault', resolve: async () => 'x' }), 'vualt://a/b#c', {});
  expect(failure?.detail).toContain('Did you mean "vault"?');
  expect(failure?.detail).toContain('env://, vault://');
});

test('a reference without a source is not repeated, since it may be the secret itself', () => {
  const failure = checkSecret(from(envSource), 'sk_live_abcdefghij', {});
  expect(failure?.code).toBe('SECRET_UNRESOLVED');
  expect(JSON.stringify(failure?.toData())).not.toContain('sk_live');
});

test('a source that throws or gives an empty value is SECRET_UNRESOLVED without the text of the cause', async () => {
  const broken: SecretSource = {
    scheme: 'box',
    resolve: async () => {
      throw new Error('the answer was {"value":"hunter2"}');
    },
  };
  const failure = await failureOf(resolveSecret(from(broken), 'box://a', accessTo({})));
  expect(failure.code).toBe('SECRET_UNRESOLVED');
  expect(failure.detail).not.toContain('hunter2');
  const empty: SecretSource = { scheme: 'box', resolve: async () => '' };
  expect((await failureOf(resolveSecret(from(empty), 'box://a', accessTo({})))).detail).toContain('empty');
});

test('checking a reference asks no source for the value', () => {
  const source: SecretSource = {
    scheme: 'box',
    resolve: async () => {
      throw new Error('asked');
    },
  };
  expect(checkSecret(from(source), 'box://a', {})).toBeNull();
});

test.each([[undefined], [7], [{ value: 'x' }]])('a source that gives %j instead of text is an error that says so', async (value) => {
  const source: SecretSource = { scheme: 'safe', resolve: () => Promise.resolve(value as never) };
  const failure = await failureOf(resolveSecret(from(source), 'safe://hook', accessTo({})));
  expect(failure.code).toBe('SECRET_UNRESOLVED');
  expect(failure.detail).toContain('gave no text');
});
