import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerKey } from '../support/ledger-key.ts';
import { openSetup, plan, type Session, type Setup, type SetupOptions, tokens, whyNoTerminal } from './setup-stage.ts';

const name = 'PILOTFISH_LEDGER_KEY';
const given = ledgerKey[name];
const workflow = '.github/workflows/pilotfish.yml';
const bothSet = { NEON_API_KEY: tokens.neon, VERCEL_TOKEN: tokens.vercel };
const api = (auth: object, rest: object = {}): string => JSON.stringify({ http: { g: { base_url: 'https://g.example', auth, ...rest } } });
const object = 'adapter: http, op: resource, api: g, read: { path: /a }, create: { path: /a }, delete: { path: /a }, fields: { /x: 1 }';
const planWith = (providers: string, line: string): string =>
  `${plan.replace('changes:', `providers: ${providers}\nchanges:`)}  - { ${line} }\n`;
/** What the command prints ends with the run. */
const printed = planWith(api({ command: ['gcloud', 'auth', 'print-access-token'] }), `id: own, ${object}`);

const open = (o: SetupOptions = {}): Promise<Setup> => openSetup({ plan: printed, ...o, env: { ...bothSet, ...o.env } });

async function setUp(stage: Setup, ...more: readonly string[]): Promise<{ session: Session; document: ReturnType<typeof JSON.parse> }> {
  const session = stage.alone(['init', '--setup', '--yes', '--json', ...more]);
  await session.ended;
  return { session, document: JSON.parse(session.stdout) };
}

describe('init --setup of a plan with a credential that seals nothing', () => {
  it('makes a key of 256 random bits, stores it as a CI secret, shows it to nobody, and says what it did in one line', async () => {
    const stage = await open();
    const { session, document } = await setUp(stage);
    expect(await session.ended).toBe(0);
    const { [name]: key = '', ...others } = await stage.stored();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(others).toEqual(bothSet);
    expect(document).toMatchObject({ ok: true, unsealed: ['g'], secrets: { stored: ['NEON_API_KEY', 'VERCEL_TOKEN', name], left: [] } });
    expect(document.ledger.key.status).toBe('made');
    expect(document.ledger.key.why).toMatch(
      /^PILOTFISH_LEDGER_KEY is made and stored, and was never shown\. .* of g\. .* make a second key, store it as PILOTFISH_LEDGER_KEY_2/,
    );
    await stage.nothingLeaked(session);
    const other = await open();
    await setUp(other);
    expect((await other.stored())[name]).not.toBe(key);
  });

  it('the workflow gives it to the jobs', async () => {
    const stage = await open();
    await setUp(stage);
    const text = await stage.read(workflow);
    // The preview, the close, the sweep, and production as a comment.
    expect(text.match(/PILOTFISH_LEDGER_KEY: \$\{\{ secrets\.PILOTFISH_LEDGER_KEY \}\}/g)).toHaveLength(4);
  });

  it('a second setup keeps it, and so does one that finds it among the secrets of the organization', async () => {
    const stage = await open();
    await setUp(stage);
    const { [name]: key } = await stage.stored();
    const { document } = await setUp(stage);
    expect((await stage.stored())[name]).toBe(key);
    expect(document).toMatchObject({ ok: true, secrets: { stored: ['NEON_API_KEY', 'VERCEL_TOKEN'], kept: [name], left: [] } });
    expect(document.ledger.key).toMatchObject({ status: 'kept', why: expect.stringContaining('exists and stays as it is') });

    const shared = await open();
    await writeFile(join(shared.programs.folder, 'shared'), `OTHER\n${name}\n`);
    expect((await setUp(shared)).document.ledger.key.status).toBe('kept');
    expect(await shared.stored()).toEqual(bothSet);
  });

  it('where GitHub does not say which secrets there are, none is replaced: it says what to do by hand', async () => {
    const stage = await open();
    await writeFile(join(stage.programs.folder, 'mute'), '');
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual(bothSet);
    expect(session.stdout).toContain('gh did not list the existing secrets');
    expect(session.stdout).toContain(
      `gh secret list --repo acme/shop | grep -qw ${name} || openssl rand -hex 32 | gh secret set ${name} --repo acme/shop\n`,
    );
    expect(session.stdout).toContain(`${name} is not stored. It seals what the ledger holds of g.`);
  });

  it('on GitLab, which refuses a name that is taken, one that is there stays', async () => {
    const gitlab = { origin: 'git@gitlab.com:acme/shop.git', clis: ['glab'] } as const;
    const stage = await open(gitlab);
    const { document, session } = await setUp(stage);
    const { [name]: key = '' } = await stage.stored();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(document.ledger.key).toMatchObject({ status: 'made', why: expect.stringContaining('copies it from the settings') });
    await stage.nothingLeaked(session);
    expect((await setUp(stage)).document.ledger.key.status).toBe('kept');
    expect((await stage.stored())[name]).toBe(key);
  });

  it.each([
    ['no program', { clis: [] }, `openssl rand -hex 32 | gh secret set ${name}`],
    ['another host', { origin: 'git@bitbucket.org:acme/shop.git' }, `    ${name}\n`],
  ] as const)('with %s it says how to make one', async (_, o, words) => {
    const session = (await open(o)).alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.stdout).toContain(words);
    expect(session.stdout).toContain('Unless CI has one, make one with `openssl rand -hex 32`');
  });

  it('one of the environment is stored in place of a new one, and takes no other one’s place', async () => {
    const stage = await open({ env: { [name]: given } });
    const { session, document } = await setUp(stage);
    expect((await stage.stored())[name]).toBe(given);
    expect(document.ledger.key.status).toBe('stored');
    await stage.nothingLeaked(session);
    await writeFile(join(stage.programs.folder, 'stored', name), 'that of somebody else');
    expect((await setUp(stage)).document.ledger.key.status).toBe('kept');
    expect((await stage.stored())[name]).toBe('that of somebody else');
  });

  it('one of the environment that is too short is refused, and what the host has is untouched', async () => {
    const stage = await open({ env: { [name]: 'much-too-short' } });
    await mkdir(join(stage.programs.folder, 'stored'));
    await writeFile(join(stage.programs.folder, 'stored', name), 'what was there');
    const { session, document } = await setUp(stage);
    expect(await session.ended).toBe(1);
    expect((await stage.stored())[name]).toBe('what was there');
    expect(document.credentials.at(-1)).toMatchObject({
      variable: name,
      status: 'refused',
      problem: expect.stringContaining('fewer than 32'),
    });
    expect(document.next.why).toContain(`Not ready yet: replace ${name}`);
    expect(session.raw).not.toContain('much-too-short');
  });

  it('a workflow that is there is told what its jobs lack', async () => {
    const stage = await open();
    await mkdir(join(stage.folder, '.github/workflows'), { recursive: true });
    await writeFile(join(stage.folder, workflow), 'name: mine\n');
    const why = async (): Promise<string> => (await setUp(stage)).document.workflow.why;
    expect(await why()).toContain('Its jobs lack `PILOTFISH_LEDGER_KEY: ${{ secrets.PILOTFISH_LEDGER_KEY }}` under `env`.');
    await writeFile(join(stage.folder, workflow), `env: { ${name}: "\${{ secrets.${name} }}" }\n`);
    expect(await why()).toBe('It exists and was not changed.');
  });

  it('init alone tells of it, and stores nothing', async () => {
    const stage = await open();
    const session = stage.alone(['init']);
    expect(await session.ended).toBe(0);
    expect(session.stdout).toContain(`  ${name} seals the records of g; pilotfish init --setup makes it.\n`);
    expect(await stage.programs.starts()).toEqual([]);
  });
});

describe('what the jobs will hold decides', () => {
  const signed = planWith(
    api(
      { aws_v4: { access_key_id_env: 'G_ID', secret_access_key_env: 'G_KEY', service: 's3' } },
      { region: 'eu-west-1', session_token_env: 'G_SESSION_TOKEN' },
    ),
    `id: own, ${object}`,
  );
  const keys = { G_ID: 'AKIA0123456789ABCDEF', G_KEY: 'a-secret-key-of-aws-0123456789' };

  it.each([
    ['keys of AWS seal', keys, null, 'not needed'],
    ['keys of a session do not', { ...keys, G_SESSION_TOKEN: 'a-session-token-0123456789' }, null, 'made'],
    ['keys of jobs that sign in by a token do not', keys, 'permissions:\n  id-token: write\n', 'made'],
    ['keys of jobs that only speak of it do', keys, '# id-token: write\n', 'not needed'],
  ] as const)('%s', async (_, env, there, status) => {
    const stage = await open({ plan: signed, env });
    if (there !== null) {
      await mkdir(join(stage.folder, '.github/workflows'), { recursive: true });
      await writeFile(join(stage.folder, workflow), there);
    }
    const { document } = await setUp(stage);
    expect(document.ledger.key.status).toBe(status);
    expect(name in (await stage.stored())).toBe(status === 'made');
  });

  it('a job of an environment without such a line does not get it', async () => {
    const stage = await open({ plan: printed.replace('id: own,', 'id: own, environments: [production],') });
    await setUp(stage);
    const lines = (await stage.read(workflow)).split('\n').filter((line) => line.includes(name));
    expect(lines).toEqual([expect.stringMatching(/^ +# +PILOTFISH_LEDGER_KEY:/)]);
  });
});

describe.skipIf(whyNoTerminal() !== null)('at a terminal', () => {
  it('the key is made after a yes alone', async () => {
    const stage = await open();
    const session = stage.atTerminal();
    await session.shows(`${name}\n  It seals what the ledger holds of g: the credentials there seal nothing.`);
    (await session.shows('Store NEON_API_KEY')).type('n');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Make ${name} and store it as a CI secret of acme/shop? An existing secret of that name stays.`)).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual({});
    expect(session.text).toContain(`${name} is not stored.`);
  });
});
