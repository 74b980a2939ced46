import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Failure } from '../../src/core/errors.ts';
import { Redactor } from '../../src/core/redact.ts';
import { commandRunner } from '../../src/engine/prepare/commands.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { checkSecret, resolveSecret, type SecretAccess } from '../../src/secrets/index.ts';
import { isRunning, openPrograms, type Programs, until } from '../support/programs.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { addClis, arn, azureVersion, bwsId, credentials, planted } from './clis.ts';

let programs: Programs;
beforeEach(async () => {
  programs = await openPrograms();
  await addClis(programs);
});
afterEach(() => programs.close());

type Env = Readonly<Record<string, string | undefined>>;
const sources = await openRegistry({ env: {}, cwd: '/' });

/** A run's own way to programs. */
function access(change: Env = {}, clock = systemClock, signal = new AbortController().signal): SecretAccess {
  const env = { PATH: programs.PATH, ...credentials, ...change };
  const run = commandRunner({ env, clock, signal, redactor: new Redactor() });
  return { env, signal, run, get: () => Promise.reject(new Error('no server is to be asked')) };
}
const read = async (reference: string, to = access()): Promise<string> => (await resolveSecret(sources, reference, to)).reveal();
const failing = async (reference: string, to = access()): Promise<Failure> =>
  await resolveSecret(sources, reference, to).then(
    () => Promise.reject(new Error('it was read')),
    (failure: Failure) => failure,
  );

test.each([
  ['infisical://prj-1/dev/DB', planted.infisical],
  ['infisical://prj-1/dev/web/api/KEY', planted.infisical],
  ['azure-kv://acme-kv/db', planted.azure],
  [`azure-kv://acme-kv/db/${azureVersion}`, planted.azure],
  [`bws://${bwsId}`, planted.bws],
  ['doppler://web/dev/DB', planted.doppler],
  ['op://CI/Stripe preview/credential', planted.op],
  ['op://CI/Stripe%20preview/Keys/credential', planted.op],
  ['aws-sm://plain', planted.aws],
  ['aws-sm://prod/db#password', planted.aws],
  ['aws-sm://prod/db#port', '5432'],
  [`aws-sm://${arn}#password`, planted.aws],
  ['aws-sm://prod/db#', JSON.stringify({ username: planted.awsUser, password: planted.aws, port: 5432, hosts: ['a'] })],
  ['gcp-sm://acme-ci/db', planted.gcp],
  ['gcp-sm://acme-ci/db/7', planted.gcp],
])('%s is read by its program', async (reference, value) => {
  expect(checkSecret(sources, reference, access().env)).toBeNull();
  expect(await read(reference)).toBe(value);
  expect(await programs.starts()).toHaveLength(1);
});

describe('a reference that its program cannot have is refused before anything runs', () => {
  it.each([
    ['infisical://prj-1/dev', 'a project, an environment and a secret'],
    ['infisical://prj-1/dev/--plain', 'starts with "-"'],
    ['infisical://prj-1/dev/%2D-plain', 'starts with "-"'],
    ['infisical://prj-1//DB', 'a part of it is empty'],
    ['infisical://prj-1/dev/a%2Fb/DB', 'a folder cannot hold a slash'],
    ['azure-kv://ab/db', '3 to 24'],
    ['azure-kv://a--b/db', 'single hyphens'],
    ['azure-kv://9kv/db', 'begins with a letter'],
    ['azure-kv://acme-/db', 'does not end with a hyphen'],
    [`azure-kv://${'a'.repeat(25)}/db`, '3 to 24'],
    ['azure-kv://acme-kv/d_b', 'letters, digits and hyphens'],
    [`azure-kv://acme-kv/${'d'.repeat(128)}`, '1 to 127'],
    ['azure-kv://acme-kv/db/latest', '32 hexadecimal digits'],
    ['azure-kv://acme-kv/db#key', 'a vault, a secret'],
    ['bws://ses-key', 'UUID'],
    [`bws://${bwsId}/x`, 'UUID'],
    ['doppler://web/dev', 'a project, a config and a secret'],
    ['doppler://web/dev/-p', 'starts with "-"'],
    ['op://CI/item', 'a vault, an item and a field'],
    ['op://CI/item/a%2Fb', 'unique id'],
    ['op://CI/item/a?attribute=otp', '`?`'],
    ['aws-sm://a b', '1 to 512'],
    ['aws-sm://arn:aws:s3:::bucket', 'an ARN begins with'],
    ['aws-sm://-x', 'starts with "-"'],
    ['gcp-sm://Acme/db', 'a project is given by its id'],
    ['gcp-sm://acme-ci/d.b', 'letters, digits, hyphens and underscores'],
    ['gcp-sm://acme-ci/db/0', 'a version is a number'],
    ['gcp-sm://acme-ci/db/--help', 'starts with "-"'],
    ['gcp-sm://acme-ci/%zz', '`%25`'],
    ['doppler://web/dev/A%0AB', 'control character'],
  ])('%s', async (reference, why) => {
    const found = checkSecret(sources, reference, access().env);
    expect(found).toMatchObject({ code: 'SECRET_UNRESOLVED', detail: expect.stringContaining(why) });
    expect((await failing(reference)).detail).toBe(found?.detail);
    expect(await programs.starts()).toEqual([]);
  });
});

describe('what a program refuses is told, with what to do and without a value', () => {
  it.each<[string, Env, string, string]>([
    ['infisical://prj-1/dev/NONE', {}, 'infisical finds no NONE in the folder / of dev', 'Correct the folder or the name'],
    ['infisical://prj-1/dev/LITERAL', {}, 'infisical finds no LITERAL', 'Correct the folder or the name'],
    ['infisical://prj-1/dev/EMPTY', {}, 'is empty', ''],
    ['infisical://prj-2/dev/DB', {}, 'exit code 1 and said: error: project', 'INFISICAL_TOKEN'],
    ['infisical://prj-1/dev/DB', { INFISICAL_TOKEN: undefined }, 'must be logged in', 'INFISICAL_TOKEN'],
    ['infisical://prj-1/dev/DB', { INFISICAL_TOKEN: 'expired-token-1' }, 'Token was ***', 'INFISICAL_TOKEN'],
    ['azure-kv://acme-kv/none', {}, 'exit code 3 and said: ERROR: (SecretNotFound)', 'check the names'],
    ['azure-kv://acme-kv/closed', {}, '(Forbidden)', 'the permissions of this identity'],
    ['azure-kv://acme-kv/db', { AZURE_SIGNED_IN: undefined }, "'az login'", 'az login'],
    [`bws://${bwsId.slice(0, -1)}0`, {}, '[404 Not Found]', 'BWS_ACCESS_TOKEN'],
    [`bws://${bwsId.slice(0, -1)}1`, {}, 'is empty', ''],
    [`bws://${bwsId}`, { BWS_ACCESS_TOKEN: undefined }, 'BWS_ACCESS_TOKEN is not set', 'BWS_ACCESS_TOKEN'],
    [`bws://${bwsId}`, { BWS_ACCESS_TOKEN: 'expired-token-2' }, 'Access token *** has expired', 'BWS_ACCESS_TOKEN'],
    ['doppler://web/dev/NONE', {}, 'Could not find requested secret: NONE', 'DOPPLER_TOKEN'],
    ['doppler://web/dev/CLOSED', {}, 'CLOSED is restricted', 'masked'],
    ['doppler://web/dev/DB', { DOPPLER_TOKEN: undefined }, 'Invalid Auth token', 'DOPPLER_TOKEN'],
    ['op://CI/Other/credential', {}, 'could not read secret op://CI/Other/credential', 'OP_SERVICE_ACCOUNT_TOKEN'],
    ['op://CI/Stripe preview/credential', { OP_SERVICE_ACCOUNT_TOKEN: undefined }, 'not currently signed in', 'op signin'],
    ['aws-sm://none', {}, 'ResourceNotFoundException', 'check the name'],
    ['aws-sm://plain', { AWS_SECRET_ACCESS_KEY: undefined }, 'Unable to locate credentials', 'aws sso login'],
    ['aws-sm://blob', {}, 'binary', 'base64'],
    ['aws-sm://prod/db', {}, 'a JSON map with the keys "username", "password", "port", "hosts"', '#<key>'],
    ['aws-sm://list', {}, 'a list', '#<key>'],
    ['aws-sm://prod/db#pass', {}, 'no key "pass". It is a JSON map with the keys "username"', 'Correct the part after'],
    ['aws-sm://prod/db#hosts', {}, 'is a list, not text', 'Name a key'],
    ['aws-sm://plain#key', {}, 'it has no keys: its value is text', 'Leave out'],
    ['gcp-sm://acme-ci/db/2', {}, 'is in DISABLED state', 'Secret Accessor'],
    ['gcp-sm://acme-ci/db/3', {}, 'no UTF-8 text', 'base64'],
    ['gcp-sm://acme-ci/db', { CLOUDSDK_SIGNED_IN: undefined }, 'active account', 'gcloud auth login'],
  ])('%s with %j', async (reference, env, why, fix) => {
    const failure = await failing(reference, access(env));
    expect(failure).toMatchObject({ code: 'SECRET_UNRESOLVED' });
    expect(failure.detail).toContain(reference);
    expect(failure.detail).toContain(why);
    expect(failure.fix).toContain(fix);
    expect(JSON.stringify(failure.toData())).not.toMatch(/planted|expired-token|-token-1/);
  });
});

const everywhere = [
  ['infisical', 'infisical://prj-1/dev/DB'],
  ['az', 'azure-kv://acme-kv/db'],
  ['bws', `bws://${bwsId}`],
  ['doppler', 'doppler://web/dev/DB'],
  ['op', 'op://CI/Stripe preview/credential'],
  ['aws', 'aws-sm://plain'],
  ['gcloud', 'gcp-sm://acme-ci/db'],
] as const;

describe.each(everywhere)('whatever goes wrong with %s', (program, reference) => {
  it('a missing program is named, with what to do', async () => {
    const failure = await failing(reference, access({ PATH: '/nowhere' }));
    expect(failure).toMatchObject({ code: 'SECRET_UNRESOLVED', fix: expect.stringContaining(`Install ${program}`) });
    expect(failure.detail).toContain(`${program} was not found on the PATH`);
  });

  it('a program that hangs ends at its deadline and is not started again', async () => {
    await programs.add(program, 'hang();');
    const clock = new VirtualClock();
    const to = access({}, clock);
    const [first, second] = [failing(reference, to), failing(reference, to)];
    await until('both run', async () => (await programs.starts()).length === 2);
    await clock.advance(60_000);
    for (const failure of [await first, await second, await failing(reference, to)]) {
      expect(failure).toMatchObject({ code: 'SECRET_UNRESOLVED', detail: expect.stringContaining(`${program} did not end within 60 s`) });
    }
    const starts = await programs.starts();
    expect(starts).toHaveLength(2);
    for (const { pid } of starts) await until('it is gone', async () => !(await isRunning(pid)));
  });

  it('it ends with the run', async () => {
    await programs.add(program, 'hang();');
    const run = new AbortController();
    const reading = read(reference, access({}, systemClock, run.signal));
    await until('it runs', async () => (await programs.starts()).length === 1);
    run.abort(new Error('interrupted'));
    await expect(reading).rejects.toThrow('interrupted');
    for (const { pid } of await programs.starts()) await until('it is gone', async () => !(await isRunning(pid)));
  });

  it('an answer without a value is no value, and a failure shows nothing that was printed', async () => {
    await programs.add(program, `out('');`);
    expect((await failing(reference)).code).toBe('SECRET_UNRESOLVED');
    await programs.add(program, `out('planted-value-1'); fail(9, 'it was planted-value-1');`);
    const failure = await failing(reference);
    expect(failure.detail).toContain(`${program} ended with exit code 9 and said: it was ***`);
  });
});

test.each(everywhere.filter(([program]) => !['op', 'gcloud'].includes(program)))(
  '%s must answer with its JSON',
  async (program, reference) => {
    for (const answer of [
      'planted-value-1',
      '[]',
      '{}',
      '{"planted-value-1":1}',
      '[{"planted":"planted-value-1"}]',
      'null',
      '"planted-value-1"',
    ]) {
      await programs.add(program, `out(${JSON.stringify(answer)});`);
      const failure = await failing(reference);
      expect(failure.detail).toContain(`the output of ${program} is not the expected JSON`);
      expect(JSON.stringify(failure.toData())).not.toContain('planted');
    }
  },
);

test.each([
  ['infisical', 'infisical://prj-1/dev/DB', [{ secretKey: 'DB', secretValue: { planted: 1 } }], 'the value of DB is a JSON map, not text'],
  ['az', 'azure-kv://acme-kv/db', { value: null }, 'the value of db is null, not text'],
  ['bws', `bws://${bwsId}`, { id: bwsId, value: 7 }, 'its value is a number, not text'],
  ['doppler', 'doppler://web/dev/DB', { DB: { computed: ['planted'] } }, 'the value of DB is a list, not text'],
])('%s may answer with a value that is not text, which is named by its kind', async (program, reference, answer, why) => {
  await programs.add(program, `out(${JSON.stringify(JSON.stringify(answer))});`);
  const failure = await failing(reference);
  expect(failure.detail).toContain(why);
  expect(failure.detail).not.toContain('planted');
});

test('never more than six programs run at once', async () => {
  await programs.add('doppler', 'hang();');
  const clock = new VirtualClock();
  const to = access({}, clock);
  const reading = Array.from({ length: 20 }, (_, i) => failing(`doppler://web/dev/N${i}`, to));
  await until('six run', async () => (await programs.starts()).length === 6);
  await clock.advance(60_000);
  expect(new Set((await Promise.all(reading)).map(({ code }) => code))).toEqual(new Set(['SECRET_UNRESOLVED']));
  expect(await programs.starts()).toHaveLength(6);
});
