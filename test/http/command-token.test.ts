import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/core/errors.ts';
import { Sealed } from '../../src/core/sealed.ts';
import type { ProviderBlock } from '../../src/http/types.ts';
import { openPrograms, type Programs, until } from '../support/programs.ts';
import { ok, block as plain, world } from './harness.ts';

let programs: Programs;
beforeEach(async () => {
  programs = await openPrograms();
});
afterEach(() => programs.close());

const read = { purpose: 'read' } as const;
const get = { method: 'GET', path: '/a' } as const;
const gcloud: ProviderBlock = { ...plain, auth: { command: ['gcloud', 'auth', 'print-access-token'] } };
/** Prints another token at each start, as a program does whose cached one has run out. */
const counting = `const n = fs.readFileSync(env.LOG, "utf8").trim().split("\\n").length; out("ya29.token-" + n + "\\n");`;

const open = (answer: Parameters<typeof world>[0] = () => ok()) =>
  world(answer, { env: { PATH: programs.PATH, LOG: `${programs.folder}/log` } });
const failing = async (sending: Promise<unknown>): Promise<Failure> =>
  await sending.then(
    () => Promise.reject(new Error('the request succeeded')),
    (error: Failure) => error,
  );
const tokens = (requests: readonly Request[]): (string | null)[] => requests.map((one) => one.headers.get('authorization'));

describe('a token that a command prints', () => {
  it('is sent as bearer, one for every line of the run, and known to the redactor before it is sent', async () => {
    await programs.add('gcloud', counting);
    const seen: string[] = [];
    const { client, requests, redactor } = open((request) => {
      seen.push(redactor.text(`was ${request.headers.get('authorization')}`));
      return ok();
    });
    await Promise.all(['x', 'y', 'z'].map((line) => client.api(gcloud, { line }).send(get, read)));
    expect(tokens(requests)).toEqual(Array(3).fill('Bearer ya29.token-1'));
    expect(await programs.starts()).toMatchObject([{ name: 'gcloud', args: ['auth', 'print-access-token'] }]);
    expect(seen).toEqual(Array(3).fill('was Bearer ***'));
  });

  it('is asked for again after five minutes, not before', async () => {
    await programs.add('gcloud', counting);
    const { client, requests, clock } = open();
    const api = client.api(gcloud);
    await api.send(get, read);
    await clock.advance(299_999);
    await api.send(get, read);
    await clock.advance(1);
    await api.send(get, read);
    expect(tokens(requests)).toEqual(['Bearer ya29.token-1', 'Bearer ya29.token-1', 'Bearer ya29.token-2']);
  });

  it('is asked for once more after a 401, by one start for all lines, and the request is sent again', async () => {
    await programs.add('gcloud', counting);
    const { client, requests } = open((request) => ok({}, request.headers.get('authorization') === 'Bearer ya29.token-1' ? 401 : 200));
    const answers = await Promise.all(
      ['x', 'y'].map((line) => client.api(gcloud, { line }).send({ ...get, method: 'POST' }, { purpose: 'write' })),
    );
    expect(answers.map((one) => one.status)).toEqual([200, 200]);
    expect(requests).toHaveLength(4);
    expect(await programs.starts()).toHaveLength(2);
  });

  it('is final when it was refused, asked for anew and came back the same', async () => {
    await programs.add('gcloud', `out('ya29.stale-token');`);
    const { client, requests } = open(() => ok({ message: 'no ya29.stale-token' }, 401));
    const first = await failing(client.api(gcloud).send(get, read));
    expect(first).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('gcloud auth login') });
    expect(first.detail).toContain('gcloud auth print-access-token');
    expect(JSON.stringify(first.toData())).not.toContain('stale-token');
    await failing(client.api(gcloud).send(get, read));
    expect(await programs.starts()).toHaveLength(2);
    expect(requests).toHaveLength(3);
  });

  it('gives way to the credential of a line, which starts nothing', async () => {
    const { client, requests } = open();
    await client.api(gcloud, { credential: new Sealed('line-credential-1', 'keys.token') }).send(get, read);
    expect(tokens(requests)).toEqual(['Bearer line-credential-1']);
  });

  it('is another one for another API block', async () => {
    await programs.add('gcloud', counting);
    const { client } = open();
    await client.api(gcloud).send(get, read);
    await client.api({ ...gcloud, base_url: 'https://api.other.example' }).send(get, read);
    expect(await programs.starts()).toHaveLength(2);
  });

  it('is refused where the block refuses such credentials', async () => {
    await programs.add('gcloud', `out('sk_live_abcdefgh');`);
    const { client } = open();
    const failure = await failing(client.api({ ...gcloud, refuse_credential: { prefixes: ['sk_live_'] } }).send(get, read));
    expect(failure).toMatchObject({ code: 'PROVIDER_AUTH', detail: expect.stringContaining('sk_live_') });
    expect(failure.detail).not.toContain('abcdefgh');
  });
});

describe('a command that gives no token', () => {
  it.each([
    ['nothing', '', 'printed nothing', 'gcloud auth login'],
    ['two lines', `out('planted-value-1\\nplanted-value-2\\n');`, 'more than one line', 'gcloud auth login'],
    ['a sentence', `out('planted-value please log in');`, 'a space', 'gcloud auth login'],
    ['a very short text', `out('ok');`, 'too short', 'gcloud auth login'],
    [
      'a failure',
      `out('planted-value-1'); fail(1, 'ERROR: no active account, had planted-value-1');`,
      'exit code 1 and said: ERROR: no active account, had ***',
      'gcloud auth login',
    ],
    ['a silent failure', 'process.exit(7);', 'exit code 7.', 'gcloud auth login'],
    ['too much', `out('planted-value'.repeat(200_000));`, 'more than 1 MB', 'by hand'],
  ])('is PROVIDER_AUTH that names it, the block and what to do: %s', async (_what, body, why, fix) => {
    await programs.add('gcloud', body);
    const { client, requests } = open();
    const failure = await failing(client.api(gcloud).send(get, read));
    expect(failure).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining(fix) });
    expect(failure.detail).toContain('`gcloud auth print-access-token` gave no token for acme');
    expect(failure.detail).toContain(why);
    expect(JSON.stringify(failure.toData())).not.toContain('planted');
    expect(requests).toEqual([]);
  });

  it('says that a program is missing, and where it was looked for', async () => {
    const failure = await failing(
      open()
        .client.api({ ...gcloud, auth: { command: ['az', 'account'] } })
        .send(get, read),
    );
    expect(failure).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('Install az') });
    expect(failure.detail).toContain('was not found on the PATH');
  });

  it('holds many lines no longer than its deadline, by one start', async () => {
    await programs.add('gcloud', 'hang();');
    const { client, clock } = open();
    const sending = Promise.all(Array.from({ length: 40 }, (_, i) => failing(client.api(gcloud, { line: `l${i}` }).send(get, read))));
    await until('it runs', async () => (await programs.starts()).length > 0);
    await clock.advance(60_000);
    const failures = await sending;
    expect(new Set(failures.map((one) => one.code))).toEqual(new Set(['PROVIDER_AUTH']));
    expect(failures.at(-1)?.detail).toContain('did not end within 60 s');
    expect(await programs.starts()).toHaveLength(1);
  });

  it('is asked again half a minute later, since somebody may have signed in', async () => {
    await programs.add('gcloud', 'process.exit(1);');
    const { client, clock } = open();
    await failing(client.api(gcloud).send(get, read));
    await programs.add('gcloud', `out('ya29.fresh-token');`);
    await failing(client.api(gcloud).send(get, read));
    await clock.advance(30_000);
    await expect(client.api(gcloud).send(get, read)).resolves.toMatchObject({ status: 200 });
  });

  it('ends with the run', async () => {
    await programs.add('gcloud', 'hang();');
    const { client, run } = open();
    const sending = client.api(gcloud).send(get, read);
    await until('it runs', async () => (await programs.starts()).length > 0);
    run.abort(new Error('interrupted'));
    await expect(sending).rejects.toThrow('interrupted');
  });
});
