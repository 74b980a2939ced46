import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSetup, tokens, whyNoTerminal } from '../onboard/setup-stage.ts';

const line = '{ id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-${ctx.scope}" }';
const planWith = (providers: object, change = line): string =>
  `version: 1\nproviders: ${JSON.stringify(providers)}\nchanges:\n  - ${change}\n`;
/** The tests' own address of neon is left out, so that what the plan says holds. */
const env = { NEON_API_KEY: tokens.neon, NEON_API_URL: '' };

/** A server of whoever wrote the plan, which says yes to everything, and what it was sent. */
async function openThief() {
  const got: string[] = [];
  const server = createServer((request, reply) => {
    got.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    reply
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ branches: [], access_token: 'a-token', token_type: 'bearer' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { got, host: `127.0.0.1:${address.port}`, url: `http://127.0.0.1:${address.port}/api` };
}

describe('a plan of a cloned repository sends no token to a host that only it names', () => {
  it.each([
    ['init', '--setup'],
    ['init', '--setup', '--yes'],
    ['init', '--setup', '--json'],
  ])('where nobody is asked: %s %s %s', async (...args) => {
    const thief = await openThief();
    const stage = await openSetup({ env, plan: planWith({ neon: { base_url: thief.url } }) });
    const session = stage.alone(args.filter((word) => word !== undefined));
    expect(await session.ended).toBe(1);
    expect(thief.got).toEqual([]);
    expect(session.text).toContain(`It is sent to: ${thief.host}, which only the plan names. The provider's own is console.neon.tech.`);
    expect(session.stdout).toContain(`It was not sent to ${thief.host}`);
    expect(session.stdout).toContain(`--send-to ${thief.host}`);
    // Nor is it stored for a job that would send it there.
    expect(await stage.stored()).toEqual({});
    await stage.nothingLeaked(session);
  });

  it.each([
    [
      'a block of another name',
      (url: string) => ({ http: { mine: { recipe: 'cloudflare', base_url: url } } }),
      '{ id: dns, recipe: cloudflare.dns_cname, api: mine, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: pr.acme.example, target: a.example }',
      { CLOUDFLARE_API_TOKEN: 'cfut_right0cloudflare0token0123456789abcd' },
    ],
    ['a variable of the plan', () => ({ neon: { base_url_env: 'MY_SERVER' } }), line, {}],
  ])('by %s', async (_, providers, change, more) => {
    const thief = await openThief();
    const stage = await openSetup({
      env: { ...env, ...more, MY_SERVER: thief.url, CLOUDFLARE_API_URL: '' },
      plan: planWith(providers(thief.url), change),
    });
    const session = stage.alone();
    expect(await session.ended).toBe(1);
    expect(session.stdout).toContain(thief.host);
    expect(thief.got).toEqual([]);
  });

  it('but one that a person named is sent what belongs there', async () => {
    const thief = await openThief();
    const stage = await openSetup({ env, plan: planWith({ neon: { base_url: thief.url } }) });
    const session = stage.alone(['init', '--setup', '--yes', '--send-to', thief.host]);
    expect(await session.ended).toBe(0);
    expect(thief.got).toEqual([`GET /api/projects/quiet-river-12345678/branches?limit=1 Bearer ${tokens.neon}`]);
    const other = stage.alone(['init', '--setup', '--yes', '--send-to', '127.0.0.1']);
    expect(await other.ended).toBe(1);
    expect(thief.got).toHaveLength(1);
  });

  it("nor is a command of the plan started in place of the provider's own credential", async () => {
    const stage = await openSetup({ plan: planWith({ neon: { auth: { command: ['token', 'of', 'neon'] } } }) });
    await stage.programs.add('token', `out(${JSON.stringify(tokens.neon)});`);
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(1);
    expect(session.stdout).toContain('The plan names the command `token of neon`, and pilotfish did not run it.');
    expect((await stage.programs.starts()).map(({ name }) => name)).not.toContain('token');
    expect(stage.asked).toEqual([]);
  });

  it("and the provider's own host, and one that its own variable names, are no question", async () => {
    const stage = await openSetup({ env: { NEON_API_KEY: tokens.neon, VERCEL_TOKEN: tokens.vercel }, plan: planWith({}) });
    const session = stage.alone(['init', '--setup', '--yes']);
    expect(await session.ended).toBe(0);
    expect(session.text).not.toContain('which only the plan names');
    expect(stage.asked).toHaveLength(1);
  });
});

describe.skipIf(whyNoTerminal() !== null)('at a terminal', () => {
  it('the host is named before the token is asked for, and the token goes there after a yes alone', async () => {
    const thief = await openThief();
    const stage = await openSetup({ env: { NEON_API_URL: '' }, plan: planWith({ neon: { base_url: thief.url } }) });
    const no = stage.atTerminal();
    await no.shows(`It is sent to: ${thief.host}`);
    (await no.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon}\r`);
    (await no.shows(`Send NEON_API_KEY to ${thief.host}?`)).type('n');
    await no.shows('It was not sent to');
    (await no.shows('Write .github/workflows/pilotfish.yml?')).type('n');
    expect(await no.ended).toBe(1);
    expect(thief.got).toEqual([]);

    await writeFile(join(stage.folder, '.gitignore'), '.pilotfish/\n');
    const yes = stage.atTerminal();
    (await yes.shows('NEON_API_KEY (press Enter')).type(`${tokens.neon}\r`);
    (await yes.shows(`Send NEON_API_KEY to ${thief.host}?`)).type('y');
    (await yes.shows('Store NEON_API_KEY')).type('n');
    (await yes.shows('Write .github/workflows/pilotfish.yml?')).type('n');
    await yes.ended;
    expect(thief.got).toHaveLength(1);
  });
});
