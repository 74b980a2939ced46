import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { type Ended, pilotfish } from '../cli/program.ts';
import { startTeam, type Team } from '../demo/team.ts';
import { filesUnder, leaks, type Places, wholeRepository } from './places.ts';
import { quotations } from './spellings.ts';

const scope = 'pr-12';

/** Values with everything that an encoding changes. */
const planted = {
  PREVIEW_WEBHOOK_SECRET: 'hook "4f1d9a" \\ päss/wörd+100% & <one>',
  SESSION_KEY: 'session-key\n-----second line of it 7c1e-----\nthird?line=of&it',
};

interface Stage {
  readonly team: Team;
  /** Every secret so far: planted, held by the world, made by a provider. */
  secrets(): readonly string[];
  /** Runs a command with a trace of its own, and keeps all that it wrote. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Like `run`, with `--json`. */
  document(...args: readonly string[]): Promise<ApplyDoc>;
  /** All that the commands left anywhere. */
  places(): Promise<Places>;
}

/** A team whose plan has secrets in every place, as the example has them, and one more variable. */
async function stage({ onTestFinished }: TestContext, top = ''): Promise<Stage> {
  const team = await startTeam();
  onTestFinished(() => team.stop());
  const file = join(team.checkout, 'release.plan.yaml');
  const example = await readFile(file, 'utf8');
  const session =
    '  - { id: session, adapter: vercel, op: env, project: shop, key: SESSION_KEY, value: { secret: env://SESSION_KEY }, git_branch: "${ctx.git.branch}" }';
  await writeFile(file, `${example.replace('version: 1', `version: 1\n${top}`)}\n${session}\n`);

  const env: Readonly<Record<string, string>> = { ...team.env, ...planted };
  const made = new Set<string>();
  const secrets = (): readonly string[] => {
    for (const secret of providersSecrets(team)) made.add(secret);
    return [...team.secrets, ...Object.values(planted), ...made];
  };
  const written: Places = new Map();
  let runs = 0;
  const run = async (...args: readonly string[]): Promise<Ended> => {
    runs += 1;
    const ended = await pilotfish([...args, '--scope', scope, '--trace', `traces/${runs}`], { cwd: team.checkout, env });
    secrets();
    const command = `${runs} ${args.join(' ')}`;
    written.set(`${command} stdout`, Buffer.from(ended.stdout, 'utf8').toString('latin1'));
    written.set(`${command} stderr`, Buffer.from(ended.stderr, 'utf8').toString('latin1'));
    return ended;
  };
  return {
    team,
    secrets,
    run,
    document: async (...args) => JSON.parse((await run(...args, '--json')).stdout),
    places: async () => {
      const home = env.HOME ?? '';
      const traces = await filesUnder(join(team.checkout, 'traces'));
      expect(traces.size).toBe(6 * runs);
      const caches = [...(await filesUnder(home)).keys()]
        .filter((path) => path.endsWith('.git/HEAD'))
        .map((path) => path.slice(0, -'/HEAD'.length));
      const repositories = await Promise.all(
        [team.remote.dir, ...caches].map(async (dir) => [dir, await wholeRepository(dir, env)] as const),
      );
      return new Map([
        ...written,
        ...traces,
        ...(await filesUnder(join(team.checkout, '.pilotfish'))),
        ...(await filesUnder(home)),
        ...(await filesUnder(team.remote.dir)),
        ...repositories,
      ]);
    },
  };
}

/** What the providers made, in the words of the world that holds it. */
const providersSecrets = ({ world }: Team): readonly string[] => [
  ...world.neon.world.branches().flatMap((branch) => branch.roles.map((role) => role.password)),
  ...world.neon.world.branches().flatMap((branch) => (branch.endpoints.length > 0 ? [world.neon.world.uri(branch.name)] : [])),
  ...world.stripe.world.endpoints().map((endpoint) => endpoint.secret),
];

/** An error answer that quotes secrets in every spelling. It is made when it is given: some are younger than the test's wish. */
const quoting = (secrets: () => readonly string[]): { readonly message: string } => ({
  get message() {
    return `refused: ${secrets().flatMap(quotations).join(' ')}`;
  },
});

describe.concurrent('no secret is found in anything that is printed, stored or traced', () => {
  it('by plan, an apply that providers refuse, one that repairs it, and destroy', async (context) => {
    const s = await stage(context);
    const { stripe, neon, vercel, github, credentials } = s.team.world;
    await s.run('plan');

    // Each provider that got a secret quotes it, with the credential that came in the header; of several variables in one write
    // it refuses all, and then each that comes alone.
    const isVariable = (key: string) => (call: { readonly method: string; readonly text: string }) =>
      call.method === 'POST' && call.text.includes(`"${key}"`);
    const token = credentials.GITHUB_TOKEN ?? '';
    const refusals = [
      github.faults.once(
        'POST /repos/{owner}/{repo}/hooks',
        422,
        quoting(() => [token, planted.PREVIEW_WEBHOOK_SECRET]),
        { 'x-debug': token },
      ),
      vercel.faults.times(9, isVariable('SESSION_KEY'), 400, { error: quoting(() => [planted.SESSION_KEY]) }),
      vercel.faults.times(9, isVariable('DATABASE_URL'), 400, { error: quoting(() => [neon.world.uri(`shop-${scope}`)]) }),
      vercel.faults.times(9, isVariable('STRIPE_WEBHOOK_SECRET'), 400, {
        error: quoting(() => stripe.world.endpoints().map(({ secret }) => secret)),
      }),
    ];
    const refused = await s.run('apply');
    expect(refusals.every(({ hits }) => hits > 0)).toBe(true);
    vercel.faults.clear();
    expect(refused.code, refused.stderr + refused.stdout).toBe(1);
    // The quotations were shown, masked.
    expect(refused.stdout.match(/refused:\s\*\*\*/g)?.length, refused.stdout).toBe(refusals.length);

    const lost = await s.document('apply');
    expect(lost.lines.find(({ id }) => id === 'payments-secret')?.error?.code).toBe('OUTPUT_UNAVAILABLE');
    const repaired = await s.document('apply', '--recreate', 'payments');
    expect(repaired.status, JSON.stringify(repaired.lines)).toBe('complete');

    // They travelled: what is searched for is what was used.
    expect(vercel.world.env('SESSION_KEY', { gitBranch: s.team.branch })?.value).toBe(planted.SESSION_KEY);
    const made = stripe.world.endpoints().map(({ secret }) => secret);
    expect(made).toContain(vercel.world.env('STRIPE_WEBHOOK_SECRET', { gitBranch: s.team.branch })?.value);
    expect(s.secrets()).toContain(vercel.world.env('DATABASE_URL', { gitBranch: s.team.branch })?.value);

    github.faults.once(
      'DELETE /repos/{owner}/{repo}/hooks/{id}',
      422,
      quoting(() => [token, planted.PREVIEW_WEBHOOK_SECRET]),
    );
    expect((await s.document('apply', '--destroy')).status).toBe('failed');
    expect((await s.run('apply', '--destroy')).code).toBe(0);
    expect(leaks(await s.places(), s.secrets())).toEqual([]);
  });

  it('with a ledger in .pilotfish, and a credential that a provider refuses by its name', async (context) => {
    const s = await stage(context, 'receipts: local');
    const { github, neon, credentials } = s.team.world;
    const token = credentials.GITHUB_TOKEN ?? '';
    const key = credentials.NEON_API_KEY ?? '';
    github.faults.times(
      2,
      { method: 'GET' },
      401,
      quoting(() => [token]),
      { 'x-debug': token },
    );
    neon.faults.once(
      { method: 'GET' },
      403,
      quoting(() => [key]),
    );
    expect((await s.run('plan')).code).toBe(1);
    github.faults.clear();
    neon.faults.clear();
    expect((await s.document('apply')).status).toBe('complete');
    expect((await s.document('apply')).stats.writes).toBe(0);
    const places = await s.places();
    // Each part of what a run leaves in a checkout was searched.
    for (const part of [
      /ledger\/heads,[^~]*$/,
      /ledger\/heads,.*~before$/,
      /ledger\/pilotfish,locks,[^~]*$/,
      /last-run\/.*\.jsonl$/,
      /last\/refs,/,
    ])
      expect(
        [...places.keys()].some((path) => path.includes('/.pilotfish/') && part.test(path)),
        String(part),
      ).toBe(true);
    expect(leaks(places, s.secrets())).toEqual([]);
  });
});

describe('the search for secrets', () => {
  it.each(quotations(planted.SESSION_KEY).map((quotation, index) => [index, quotation] as const))(
    'finds spelling %i in the middle of other bytes',
    (_, quotation) => {
      const bytes = Buffer.from(`\u0000before ${quotation} after`, 'utf8').toString('latin1');
      expect(leaks(new Map([['file', bytes]]), ['another-secret-91', planted.SESSION_KEY])).toHaveLength(1);
    },
  );

  it('finds what a push stored and nobody can reach any more', async ({ onTestFinished }) => {
    const team = await startTeam();
    onTestFinished(() => team.stop());
    const file = join(team.checkout, 'stray.txt');
    await writeFile(file, `key: ${planted.SESSION_KEY}`);
    await team.remote.git('hash-object', '-w', file);
    const places = new Map([['remote', await wholeRepository(team.remote.dir, team.env)]]);
    expect(leaks(places, [planted.SESSION_KEY])).toHaveLength(1);
  });
});
