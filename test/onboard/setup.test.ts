import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { write } from './repositories.ts';
import { openSetup, plan, tokens } from './setup-stage.ts';

const bothSet = { NEON_API_KEY: tokens.neon, VERCEL_TOKEN: tokens.vercel };
const workflow = '.github/workflows/pilotfish.yml';

describe('init --setup without a terminal', () => {
  it('waits for nobody: it checks what is set, says what is missing, and stores nothing', async () => {
    const stage = await openSetup({ env: { NEON_API_KEY: tokens.neon } });
    const session = stage.alone();
    expect(await session.ended).toBe(1);
    expect(session.stdout).toMatch(/NEON_API_KEY +works +neon\n +VERCEL_TOKEN +missing +vercel\n/);
    expect(session.stdout).toContain('Nobody could be asked: run `pilotfish init --setup` in a terminal, or with `--yes`.');
    expect(session.stdout).toContain('Next:\n  pilotfish init --setup\n  Not ready yet: a person must type VERCEL_TOKEN there');
    expect(stage.asked).toEqual([{ method: 'GET', path: 'neon: /projects/quiet-river-12345678/branches?limit=1' }]);
    expect(await stage.programs.starts()).toEqual([]);
    await stage.nothingLeaked(session);
  });

  it('--yes accepts every offer', async () => {
    const stage = await openSetup({ env: bothSet });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual(bothSet);
    expect(await stage.read(workflow)).toContain('acme-tools/pilotfish/action@0123456789abcdef');
    await stage.nothingLeaked(session);
  });

  it.each([
    ['pilotfish.yaml', 'name: mine\n'],
    [
      'previews.yml',
      "jobs:\n  preview:\n    steps:\n      - uses: 'Acme-Tools/pilotfish/action@v1' # ours\n        with: { command: apply }\n",
    ],
  ])('writes no second workflow beside %s, which does the same', async (name, text) => {
    const stage = await openSetup({ env: bothSet });
    const there = `.github/workflows/${name}`;
    await mkdir(join(stage.folder, '.github/workflows'), { recursive: true });
    await writeFile(join(stage.folder, '.github/workflows/test.yml'), '      - uses: acme-tools/pilotfish/action-of-another@v1\n');
    await writeFile(join(stage.folder, there), text);
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.stdout).toContain(`${there}: It exists and was not changed.`);
    expect(await stage.read(there)).toBe(text);
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
  });

  it('offers no workflow for a plan that has no environment for pull requests', async () => {
    const stage = await openSetup({ env: bothSet, plan: plan.replace('changes:', 'environments: [production]\n\nchanges:') });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.stdout).toContain(`${workflow}: The plan has no environment for pull requests, so you must write its CI by hand.`);
    expect(session.stdout).toContain('Next:\n  pilotfish plan --env production\n');
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['git@github.com:acme/shop.git', 'gh', 'PILOTFISH_GITHUB_PACKAGES_TOKEN'],
    // Nothing on GitLab would bring it back to its name.
    ['git@gitlab.com:acme/shop.git', 'glab', 'GITHUB_PACKAGES_TOKEN'],
  ] as const)('stores a secret whose name GitHub keeps for itself, for %s by %s as %s', async (origin, cli, name) => {
    const secret = 'ghp_right0packages0token0p0o9i8u7';
    const stage = await openSetup({
      env: { ...bothSet, GITHUB_PACKAGES_TOKEN: secret },
      origin,
      clis: [cli],
      plan: plan.replace('{ from: database.connection_uri }', '{ secret: "env://GITHUB_PACKAGES_TOKEN" }'),
    });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(await stage.stored()).toEqual({ ...bothSet, [name]: secret });
    await stage.nothingLeaked(session);
  });

  it('--yes types no token and stores none that failed', async () => {
    const stage = await openSetup({ env: { VERCEL_TOKEN: tokens.wrong } });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(1);
    expect(session.stdout).toContain('unauthorized: vercel: GET /v9/projects/shop -> 403');
    expect(await stage.stored()).toEqual({});
    await stage.nothingLeaked(session);
  });

  it('--json prints one document with every status and no value, and asks nothing', async () => {
    const stage = await openSetup({ env: { NEON_API_KEY: tokens.neon } });
    const session = stage.alone(['init', '--setup', '--json']);
    expect(await session.ended).toBe(1);
    expect(JSON.parse(session.stdout)).toMatchObject({
      schema: 1,
      ok: false,
      command: 'init',
      plan: { path: join(stage.folder, 'release.plan.yaml'), written: false },
      detected: { todo: [] },
      credentials: [
        { variable: 'NEON_API_KEY', provider: 'neon', status: 'works', source: 'environment' },
        {
          variable: 'VERCEL_TOKEN',
          provider: 'vercel',
          status: 'missing',
          source: null,
          page: 'https://vercel.com/account/settings/tokens',
        },
      ],
      secrets: {
        repository: 'acme/shop',
        stored: [],
        left: [{ name: 'NEON_API_KEY', command: 'gh secret set NEON_API_KEY --repo acme/shop' }],
      },
      workflow: { path: join(stage.folder, workflow), status: 'not offered' },
      interrupted: false,
      next: { command: 'pilotfish init --setup' },
    });
    await stage.nothingLeaked(session);
  });

  it('--json --yes stores and writes, and the next step is the plan’s pull request', async () => {
    const stage = await openSetup({ env: bothSet });
    const session = stage.alone(['init', '--setup', '--json', '--yes']);
    expect(await session.ended).toBe(0);
    expect(JSON.parse(session.stdout)).toMatchObject({
      ok: true,
      secrets: { stored: ['NEON_API_KEY', 'VERCEL_TOKEN'], failed: [], left: [] },
      workflow: { status: 'written' },
      next: { command: null, why: expect.stringContaining('pull request') },
    });
    await stage.nothingLeaked(session);
  });

  it('a second one replaces the secrets, keeps the workflow, and goes on to plan', async () => {
    const stage = await openSetup({ env: bothSet });
    await stage.alone(['init', '--setup', '--yes']).ended;
    await writeFile(join(stage.folder, workflow), '# changed by hand\n');
    const session = stage.alone(['init', '--setup', '--yes', '--json']);
    expect(await session.ended).toBe(0);
    expect(JSON.parse(session.stdout)).toMatchObject({
      secrets: { stored: ['NEON_API_KEY', 'VERCEL_TOKEN'] },
      workflow: { status: 'kept' },
      next: { command: 'pilotfish plan' },
    });
    expect(await stage.read(workflow)).toBe('# changed by hand\n');
  });
});

describe('init --setup in a repository without a plan', () => {
  it('writes one, says what it found and what is to be filled in, and goes on to the credentials', async () => {
    const stage = await openSetup({ plan: null, env: bothSet });
    await write(
      stage.folder,
      new Map([
        ['package.json', '{ "name": "shop", "dependencies": { "next": "16", "@neondatabase/serverless": "1" } }'],
        ['vercel.json', '{}'],
        ['.env.example', 'DATABASE_URL=\n'],
      ]),
    );
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.text).toMatch(
      /release\.plan\.yaml was written[\s\S]*Detected:[\s\S]*To fill in:[\s\S]*Made at: https:\/\/console\.neon\.tech/,
    );
    expect(session.stdout).toContain('Next:\n  Fill in the values that are marked # TODO in release.plan.yaml');
    expect(await stage.stored()).toEqual(bothSet);
    await expect(stage.read(workflow)).rejects.toThrow('ENOENT');
  });
});

describe('a check that says nothing about the credential', () => {
  it.each([
    [500, 'neon answered 500 to GET /neon/projects'],
    [429, 'neon answered 429 to GET /neon/projects'],
    [404, 'neon answered 404 to GET /neon/projects'],
  ])('an answer %i is told as it is, once, and the token is not stored', async (status, words) => {
    const stage = await openSetup({ env: bothSet });
    stage.answerWith(status);
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(1);
    expect(session.text).toContain(words);
    expect(session.text).not.toContain('unauthorized');
    expect(session.stdout).toContain('Not ready yet: pilotfish could not check NEON_API_KEY and VERCEL_TOKEN.');
    expect(stage.asked).toHaveLength(2);
    expect(await stage.stored()).toEqual({});
    await stage.nothingLeaked(session);
  });

  it('so is a provider that cannot be reached', async () => {
    const stage = await openSetup({ env: { ...bothSet, NEON_API_URL: 'http://127.0.0.1:1' } });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(1);
    expect(session.text).toMatch(/neon did not answer GET \/projects/);
    expect(await stage.stored()).toEqual({ VERCEL_TOKEN: tokens.vercel });
  });
});

describe('what is not sent', () => {
  it('a live key where the family refuses one', async () => {
    const stage = await openSetup({
      plan: 'changes:\n  - { id: hook, recipe: stripe.webhook_endpoint, url: https://a.example, enabled_events: [charge.failed] }\n',
      env: { STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef', STRIPE_API_URL: 'http://127.0.0.1:1' },
    });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(1);
    expect(session.text).toContain('STRIPE_SECRET_KEY starts with "sk_live_". pilotfish does not write to stripe with such a credential.');
    expect(session.text).not.toContain('sk_live_0123456789abcdef');
    expect(await stage.stored()).toEqual({});
  });

  it('a check that a placeholder keeps from being asked rightly waits for it', async () => {
    const stage = await openSetup({
      plan: plan.replace('quiet-river-12345678,', 'x, # TODO: its id\n     '),
      env: { NEON_API_KEY: tokens.neon },
    });
    stage.answerWith(400);
    const session = stage.alone(['init', '--setup', '--json', '--yes']);
    await session.ended;
    expect(JSON.parse(session.stdout).credentials[0]).toMatchObject({
      variable: 'NEON_API_KEY',
      status: 'waiting',
      problem: expect.stringMatching(/^The check waits until the # TODO of its line is filled in\. neon answered 400/),
    });
    expect(stage.asked).toEqual([{ method: 'GET', path: 'neon: /projects?limit=1' }]);
    expect(await stage.stored()).toEqual({});
  });

  it('a token to an address that still is a placeholder', async () => {
    const stage = await openSetup({
      plan: `providers:
  neon:
    base_url: https://your.example # TODO: the address
${plan.replace('version: 1\n', '')}`,
      env: bothSet,
    });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.text).toContain('The settings of neon still have a # TODO');
    expect(stage.asked.map(({ path }) => path)).toEqual(['vercel: /v9/projects/shop']);
    expect(await stage.stored()).toEqual({ VERCEL_TOKEN: tokens.vercel });
  });
});

describe('what the plan needs beside its APIs', () => {
  it('a secret of a line is stored as well, although nothing can check it', async () => {
    const stage = await openSetup({
      plan: `${plan}  - { id: more, adapter: vercel, op: env, project: shop, key: A, value: { secret: env://SIGNING_SECRET }, target: [preview] }\n`,
      env: { ...bothSet, SIGNING_SECRET: tokens.wrong },
    });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.stdout).toMatch(/SIGNING_SECRET +not checked +secret of more/);
    expect(await stage.stored()).toEqual({ ...bothSet, SIGNING_SECRET: tokens.wrong });
    expect(await stage.read(workflow)).toContain('SIGNING_SECRET: ${{ secrets.SIGNING_SECRET }}');
    await stage.nothingLeaked(session);
  });

  it('a plan with mistakes is refused with all of them before anything is asked', async () => {
    const stage = await openSetup({ plan: 'changes:\n  - { id: a, adapter: neno, op: branch }\n', env: bothSet });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(2);
    expect(session.text).toContain('PLAN_INVALID');
    expect(session.text).toContain('release.plan.yaml:2');
    expect([stage.asked, await stage.programs.starts()]).toEqual([[], []]);
  });
});
