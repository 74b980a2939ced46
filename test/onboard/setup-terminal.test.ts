import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary } from '../cli/program.ts';
import { openSetup, tokens, whyNoTerminal } from './setup-stage.ts';

const without = whyNoTerminal();
if (without !== null) console.warn(`the setup is not tried at a pseudo-terminal: ${without}`);

const bothSet = { NEON_API_KEY: tokens.neon, VERCEL_TOKEN: tokens.vercel };
const workflow = '.github/workflows/pilotfish.yml';

describe.skipIf(without !== null)('init --setup at a terminal', () => {
  it('checks tokens of the environment, stores each after a yes on the stdin of gh, and writes the workflow', async () => {
    const stage = await openSetup({ env: bothSet });
    const session = stage.atTerminal();
    await session.shows('https://console.neon.tech/app/settings/api-keys');
    await session.shows('NEON_API_KEY: from the environment');
    await session.shows('It works: GET /projects/quiet-river-12345678/branches?limit=1');
    (await session.shows('Store NEON_API_KEY as a CI secret of acme/shop?')).type('y');
    (await session.shows('Store VERCEL_TOKEN as a CI secret of acme/shop?')).type('y');
    (await session.shows(`Write ${workflow}?`)).type('y');
    expect(await session.ended).toBe(0);
    expect(session.text).toMatch(/Next:\n {2}Commit the plan and the workflow/);
    expect(await stage.stored()).toEqual(bothSet);
    expect((await stage.programs.starts()).map(({ name, args }) => [name, ...args].join(' '))).toEqual([
      'gh auth status --hostname github.com',
      'gh secret set NEON_API_KEY --repo acme/shop',
      'gh secret set VERCEL_TOKEN --repo acme/shop',
    ]);
    expect(stage.asked).toEqual([
      { method: 'GET', path: 'neon: /projects/quiet-river-12345678/branches?limit=1' },
      { method: 'GET', path: 'vercel: /v9/projects/shop' },
    ]);
    expect(await stage.read(workflow)).toContain('NEON_API_KEY: ${{ secrets.NEON_API_KEY }}');
    await stage.nothingLeaked(session);
  });

  it('takes a token that is typed, without showing it, and forgets it', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.vercel } });
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon}\r`);
    await session.shows('NEON_API_KEY: typed');
    (await session.shows('Store NEON_API_KEY')).type('y');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual({ NEON_API_KEY: tokens.neon });
    expect(session.text).toContain('gh secret set VERCEL_TOKEN --repo acme/shop');
    expect(session.text).toMatch(/Next:\n {2}Set NEON_API_KEY in the environment of this shell/);
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
    await stage.nothingLeaked(session);
  });

  it('a wrong token is told in one line, is not offered, and ends with Not ready yet', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.vercel } });
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.wrong}\r`);
    await session.shows('unauthorized: neon: GET /projects/quiet-river-12345678/branches?limit=1 -> 401\n');
    (await session.shows('Store VERCEL_TOKEN')).type('y');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(1);
    expect(session.text).not.toContain('Store NEON_API_KEY');
    expect(session.text).toMatch(/Next:\n {2}Not ready yet: replace NEON_API_KEY, then run `pilotfish init --setup` again\.\n$/);
    expect(await stage.stored()).toEqual({ VERCEL_TOKEN: tokens.vercel });
    await stage.nothingLeaked(session);
  });

  it('a token of the environment that is not let in is not offered either', async () => {
    const stage = await openSetup({ env: { ...bothSet, VERCEL_TOKEN: tokens.wrong } });
    const session = stage.atTerminal();
    await session.shows('unauthorized: vercel: GET /v9/projects/shop -> 403\n');
    (await session.shows('Store NEON_API_KEY')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(1);
    expect(await stage.stored()).toEqual({});
    await stage.nothingLeaked(session);
  });

  it('Enter alone leaves a token out, and the next step is to type it', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.vercel } });
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type('\r');
    await session.shows('NEON_API_KEY: missing');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(1);
    expect(session.text).toMatch(/Next:\n {2}pilotfish init --setup\n {2}Not ready yet: a person must type NEON_API_KEY/);
    expect(stage.asked.map(({ path }) => path)).toEqual(['vercel: /v9/projects/shop']);
  });

  it('a token that is too short to be masked is refused unsent', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.vercel } });
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type('abc\r');
    await session.shows('NEON_API_KEY: A credential has fewer than');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(1);
    expect(stage.asked.map(({ path }) => path)).toEqual(['vercel: /v9/projects/shop']);
  });

  it('a user name is shown as it is typed, its password is not; one request checks both', async () => {
    const okta = `providers:
  http:
    okta:
      base_url: https://acme.okta.com
      auth: { basic: { user_env: SHOP_USER, password_env: SHOP_PASSWORD } }
changes:
  - { id: app, adapter: http, op: resource, api: okta, read: { path: /a }, create: { path: /a }, delete: { path: /a }, fields: { /x: 1 } }
`;
    const stage = await openSetup({ plan: okta });
    const session = stage.atTerminal();
    (await session.shows('SHOP_USER (press Enter')).type('shop-user\r');
    (await session.shows('SHOP_PASSWORD (press Enter')).type('shop-password-1\r');
    await session.shows('It works: GET /api/v1/users/me');
    (await session.shows('Store SHOP_USER')).type('y');
    (await session.shows('Store SHOP_PASSWORD')).type('y');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual({ SHOP_USER: 'shop-user', SHOP_PASSWORD: 'shop-password-1' });
    expect(session.text).toContain('shop-user');
    expect(session.raw).not.toContain('shop-password-1');
  });

  it('without gh it says where to get it and what to run, and still writes the workflow', async () => {
    const stage = await openSetup({ env: bothSet, clis: [] });
    const session = stage.atTerminal();
    (await session.shows(`Write ${workflow}?`)).type('y');
    expect(await session.ended).toBe(0);
    expect(session.text).toContain('gh stores CI secrets here, and it is not installed. Install it from https://cli.github.com');
    expect(session.text).toContain('    gh secret set NEON_API_KEY --repo acme/shop\n    gh secret set VERCEL_TOKEN --repo acme/shop\n');
    await stage.nothingLeaked(session);
  });

  it('where gh is signed out it says how to sign in, and asks for nothing to be stored', async () => {
    const stage = await openSetup({ env: bothSet });
    await writeFile(join(stage.programs.folder, 'signed-out'), '');
    const session = stage.atTerminal();
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(0);
    expect(session.text).toContain('gh is not signed in. Run `gh auth login --hostname github.com`, then these commands:');
    expect(session.text).not.toContain('as a CI secret of acme/shop?');
    expect(await stage.stored()).toEqual({});
  });

  it('what gh says about a secret that it did not store is told without the secret', async () => {
    const stage = await openSetup({ env: bothSet });
    await writeFile(join(stage.programs.folder, 'refuses'), '');
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY')).type('y');
    await session.shows('NEON_API_KEY is not stored. gh ended with 1: HTTP 403: Resource not accessible');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(1);
    expect(session.text).toContain('Not ready yet: pilotfish could not store NEON_API_KEY.');
    await stage.nothingLeaked(session);
  });

  it('a workflow that is there is left as it is', async () => {
    const stage = await openSetup({ env: bothSet });
    await mkdir(join(stage.folder, '.github/workflows'), { recursive: true });
    await writeFile(join(stage.folder, workflow), 'name: mine\n');
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY')).type('n');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    expect(await session.ended).toBe(0);
    expect(await stage.read(workflow)).toBe('name: mine\n');
    expect(session.text).toContain(`${workflow}: It exists and was not changed.`);
    expect(session.text).toMatch(/Next:\n {2}pilotfish plan\n/);
  });

  it('a server of one’s own is named to gh in full', async () => {
    const stage = await openSetup({ env: bothSet, origin: 'https://github.acme.example/tools/shop.git' });
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY as a CI secret of tools/shop?')).type('y');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(0);
    const starts = (await stage.programs.starts()).map(({ args }) => args.join(' '));
    expect(starts).toEqual(['auth status --hostname github.acme.example', 'secret set NEON_API_KEY --repo github.acme.example/tools/shop']);
  });

  it('on GitLab glab stores them masked, replaces one that is there, and the jobs are offered', async () => {
    const stage = await openSetup({ env: bothSet, origin: 'git@gitlab.com:acme/web/shop.git', clis: ['glab'] });
    await mkdir(join(stage.programs.folder, 'stored'));
    await writeFile(join(stage.programs.folder, 'stored/VERCEL_TOKEN'), 'an older one');
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY as a CI secret of acme/web/shop?')).type('y');
    (await session.shows('Store VERCEL_TOKEN')).type('y');
    (await session.shows('Write .gitlab-ci.yml?')).type('y');
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual(bothSet);
    expect((await stage.programs.starts()).map(({ name, args }) => [name, ...args].join(' '))).toEqual([
      'glab auth status --hostname gitlab.com',
      'glab variable set NEON_API_KEY --repo acme/web/shop --masked',
      'glab variable set VERCEL_TOKEN --repo acme/web/shop --masked',
      'glab variable update VERCEL_TOKEN --repo acme/web/shop --masked',
    ]);
    expect(await stage.read('.gitlab-ci.yml')).toContain('\npilotfish_preview:\n');
    expect(session.text).toContain('.gitlab-ci.yml: Written. It needs a project access token');
    await stage.nothingLeaked(session);
  });

  it('on GitLab a pipeline that is there is left as it is, and the jobs are offered in a file to include', async () => {
    const stage = await openSetup({ env: bothSet, origin: 'git@gitlab.com:acme/shop.git', clis: ['glab'] });
    await writeFile(join(stage.folder, '.gitlab-ci.yml'), 'test: { script: [npm test] }\n');
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY')).type('n');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows('Write .gitlab/pilotfish.yml?')).type('y');
    expect(await session.ended).toBe(0);
    expect(await stage.read('.gitlab-ci.yml')).toBe('test: { script: [npm test] }\n');
    expect(await stage.read('.gitlab/pilotfish.yml')).toContain('\npilotfish_stop:\n');
    expect(session.text).toContain('this in .gitlab-ci.yml: `include: [{ local: .gitlab/pilotfish.yml }]`.');
  });

  it.each(['.gitlab-ci.yml', '.gitlab/pilotfish.yml'])('on GitLab %s that has the jobs is left as it is', async (file) => {
    const stage = await openSetup({ env: bothSet, origin: 'git@gitlab.com:acme/shop.git', clis: ['glab'] });
    await mkdir(join(stage.folder, '.gitlab'));
    await writeFile(join(stage.folder, file), 'preview: { script: [npx pilotfish apply] }\n');
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY')).type('n');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    expect(await session.ended).toBe(0);
    expect(session.text).toContain(`${file}: It exists and was not changed.`);
  });

  it.each([
    ['git@bitbucket.org:acme/shop.git', 'pilotfish does not know the host of the remote origin'],
    [null, 'There is no remote origin'],
  ])('with the origin %s it names the secrets to set by hand', async (origin, why) => {
    const stage = await openSetup({ env: bothSet, origin });
    const session = stage.atTerminal();
    expect(await session.ended).toBe(0);
    expect(session.text).toContain(
      `${why}, so you must set these by hand, in the settings of its CI.\n    NEON_API_KEY\n    VERCEL_TOKEN\n`,
    );
    expect(await stage.programs.starts()).toEqual([]);
  });

  it('lists the placeholders first, and offers no workflow before they are filled in', async () => {
    const stage = await openSetup({
      env: bothSet,
      plan: 'changes:\n  - id: db\n    adapter: neon\n    op: branch\n    project_id: x # TODO: Neon Console, Settings.\n    name: a\n',
    });
    const session = stage.atTerminal();
    await session.shows('release.plan.yaml:5  changes[0].project_id  Neon Console, Settings.');
    await session.shows('https://console.neon.tech');
    (await session.shows('Store NEON_API_KEY')).type('y');
    expect(await session.ended).toBe(0);
    expect(session.text).toContain(`${workflow}: The setup offers it once the plan has no # TODO left.`);
    expect(session.text).toMatch(/Next:\n {2}Fill in the values that are marked # TODO in release\.plan\.yaml/);
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
  });
});

describe.skipIf(without !== null)('the built program, which is of no release', () => {
  it('asks, checks and stores, and offers a workflow that uses the action by a path, and says so', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.vercel } });
    const session = stage.atTerminal(['init', '--setup'], binary);
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon}\r`);
    (await session.shows('Store NEON_API_KEY')).type('y');
    (await session.shows('Store VERCEL_TOKEN')).type('y');
    (await session.shows(`Write ${workflow}?`)).type('y');
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual({ NEON_API_KEY: tokens.neon, VERCEL_TOKEN: tokens.vercel });
    expect(session.text).toContain('This pilotfish is no release, so the workflow uses the action at the path ./.github/pilotfish');
    const text = await stage.read(workflow);
    expect(text).toContain('# The pilotfish that wrote this is no release, so there is no commit to pin the action to.');
    expect(new Set(text.match(/uses: \S*pilotfish\S*/g))).toEqual(new Set(['uses: ./.github/pilotfish']));
    await stage.nothingLeaked(session);
  });
});

describe.skipIf(without !== null)('an interrupted setup', () => {
  it('Ctrl-C where a token is asked for ends it with 130, with nothing stored', async () => {
    const stage = await openSetup();
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon.slice(0, 12)}\u0003`);
    expect(await session.ended).toBe(130);
    expect(session.text).toContain('Not ready yet: the setup was interrupted.');
    expect(session.raw).not.toContain(tokens.neon.slice(0, 12));
    expect([await stage.stored(), stage.asked]).toEqual([{}, []]);
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
  });

  it('Ctrl-C between two offers says what was stored and what was not', async () => {
    const stage = await openSetup({ env: bothSet });
    const session = stage.atTerminal();
    (await session.shows('Store NEON_API_KEY')).type('y');
    (await session.shows('Store VERCEL_TOKEN')).type('\u0003');
    expect(await session.ended).toBe(130);
    expect(session.text).toMatch(/CI secrets of acme\/shop:\n {2}NEON_API_KEY is stored\.\n[\s\S]*gh secret set VERCEL_TOKEN/);
    expect(await stage.stored()).toEqual({ NEON_API_KEY: tokens.neon });
    await stage.nothingLeaked(session);
  });

  it('a signal while a provider does not answer ends the check at once', async () => {
    const stage = await openSetup({ env: bothSet });
    stage.answerWith('nothing');
    const session = stage.alone(['init', '--setup', '--yes']);
    for (let turn = 0; turn < 4_000 && stage.asked.length === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    session.process.kill('SIGINT');
    expect(await session.ended).toBe(130);
    expect(session.stdout).toContain('Not ready yet: the setup was interrupted.');
    expect([stage.asked.length, await stage.programs.starts()]).toEqual([1, []]);
    await stage.nothingLeaked(session);
  });

  it('Ctrl-C counts while nothing is asked, too', async () => {
    const stage = await openSetup();
    stage.answerWith('nothing');
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon}\r`);
    for (let turn = 0; turn < 4_000 && stage.asked.length === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    session.type('\u0003');
    await session.shows('stopping on SIGINT: the setup asks and stores nothing more.');
    expect(await session.ended).toBe(130);
    expect(await stage.stored()).toEqual({});
    await stage.nothingLeaked(session);
  });

  it('what is typed while nothing is asked is not shown', async () => {
    const stage = await openSetup();
    stage.answerWith('nothing');
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon}\r`);
    for (let turn = 0; turn < 4_000 && stage.asked.length === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    session.type(tokens.wrong);
    stage.answerWith(401);
    (await session.shows('VERCEL_TOKEN (press Enter')).type('\u0003');
    expect(await session.ended).toBe(130);
    expect(session.text).toContain('unauthorized: neon');
    await stage.nothingLeaked(session);
  });

  it('a token that was pasted with a line break in it does not come to be shown', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.vercel } });
    const session = stage.atTerminal();
    (await session.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon.slice(0, 20)}\r${tokens.wrong}`);
    await session.shows('unauthorized: neon');
    (await session.shows('Store VERCEL_TOKEN')).type('n');
    (await session.shows(`Write ${workflow}?`)).type('n');
    expect(await session.ended).toBe(1);
    expect(session.raw).not.toContain(tokens.neon.slice(0, 20));
    await stage.nothingLeaked(session);
  });

  it('a signal while gh stores a secret lets it end, and nothing is begun after it', async () => {
    const stage = await openSetup({ env: bothSet });
    await writeFile(join(stage.programs.folder, 'slow'), '');
    const session = stage.alone(['init', '--setup', '--yes']);
    for (let turn = 0; turn < 1_000 && !(await startsOf(stage.programs.folder)).includes('"secret"'); turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    session.process.kill('SIGTERM');
    expect(await session.ended).toBe(143);
    expect(await stage.stored()).toEqual({ NEON_API_KEY: tokens.neon });
    expect(session.text).toContain('stopping on SIGTERM: the setup asks and stores nothing more.');
    expect(session.stdout).toContain('NEON_API_KEY is stored.');
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
    await stage.nothingLeaked(session);
  });
});

const startsOf = (folder: string): Promise<string> => readFile(join(folder, 'log'), 'utf8');
