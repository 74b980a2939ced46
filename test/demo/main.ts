import { readFile } from 'node:fs/promises';
import type { ApplyDoc, PlanDoc } from '../../src/report/document.ts';
import { startTeam, type Team } from './team.ts';
import { BrokenPromise, holds, pilotfish, type Ran, step } from './terminal.ts';

/** One command of the demo, for the table at its end. */
interface Row {
  readonly what: string;
  readonly requests: number;
  readonly writes: number;
  readonly pushes: number;
  readonly lockPushes: number;
  readonly seconds: number;
}

/** Longest chain of the example: database → variable → deployment → announcement. */
const graphDepth = 4;
const scope = 'pr-12';
const host = `https://${scope}.preview.acme.example`;

const rows: Row[] = [];

async function main(): Promise<void> {
  const team = await startTeam();
  try {
    await firstApply(team);
    await secondApply(team);
    await consoleEdit(team);
    await destroyElsewhere(team);
    await nothingLeaked(team);
  } finally {
    await team.stop();
  }
  console.log(`\n${table(rows)}`);
}

async function firstApply(team: Team): Promise<void> {
  step('A pull request: its branch is pushed, its preview builds. What would pilotfish do?');
  await show(team, ['plan', '--scope', scope]);
  const plan = await asJson<PlanDoc>(team, ['plan', '--scope', scope]);
  holds('the plan writes nothing', writesOf(team) === 0, writesOf(team));
  holds('every object is to be created', (plan.summary.create ?? 0) >= 12, plan.summary);

  step('Apply it');
  const auth0 = team.world.auth0.log.length;
  const { doc, ran } = await apply(team, 'first apply', ['apply', '--scope', scope]);
  console.log(ran.stderr.trim());
  holds('the apply is complete', doc.status === 'complete', doc.error);
  holds(`at most ${graphDepth + 1} pushes for a graph of depth ${graphDepth}`, doc.stats.pushes <= graphDepth + 1, doc.stats);
  const seen = team.world.auth0.log.slice(auth0).filter((entry) => entry.path.includes('/clients/'));
  const reads = seen.filter((entry) => entry.method === 'GET').length;
  const writes = seen.filter((entry) => entry.method === 'PATCH').length;
  holds('four Auth0 lines cost at most 3 reads and 1 write together', reads <= 3 && writes === 1, { reads, writes });
  const variable = team.world.vercel.world.env('DATABASE_URL', { gitBranch: team.branch });
  holds('the build sees its own database', team.world.vercel.world.deployments().at(-1)?.env.DATABASE_URL === variable?.value);
  holds('the callback URL stands beside the one that was there', callbacks(team).length === 2, callbacks(team));
}

async function secondApply(team: Team): Promise<void> {
  step('Apply it again: nothing changed');
  const before = writesOf(team);
  const { doc } = await apply(team, 'second apply', ['apply', '--scope', scope]);
  holds('stats.writes is 0', doc.stats.writes === 0, doc.stats);
  holds('no provider saw anything but reads', writesOf(team) === before, writesOf(team) - before);
  holds('one push, for the receipt', doc.stats.pushes === 1, doc.stats);
}

async function consoleEdit(team: Team): Promise<void> {
  step('Somebody edits in the consoles: the webhook is switched off, a callback URL is removed, another is added');
  const { world } = team;
  const hook = world.github.world.hooks(world.seed.repository)[0];
  holds('the webhook is there to be edited', hook !== undefined);
  if (hook) hook.active = false;
  const client = world.auth0.world.client(world.seed.auth0Client);
  client.callbacks = ['https://shop.acme.example/callback', 'https://somebody.acme.example/callback'];
  await show(team, ['plan', '--scope', scope]);
  const plan = await asJson<PlanDoc>(team, ['plan', '--scope', scope]);
  const drift = plan.lines.filter((line) => line.drift !== 'none').map((line) => `${line.id} ${line.drift}`);
  holds('the plan names both', drift.join() === 'pushes changed,sign-in missing', drift);
  const { doc } = await apply(team, 'drift put back', ['apply', '--scope', scope]);
  holds('the apply is complete', doc.status === 'complete', doc.error);
  holds('the webhook is on again', world.github.world.hooks(world.seed.repository)[0]?.active === true);
  holds('all three callback URLs are there', callbacks(team).length === 3, callbacks(team));
}

async function destroyElsewhere(team: Team): Promise<void> {
  step('The pull request closes: destroy, from a new folder without any plan file');
  const folder = await team.emptyClone();
  const { doc, ran } = await apply(team, 'destroy', ['apply', '--destroy', '--scope', scope], folder);
  console.log(ran.stderr.trim());
  holds('the destroy is complete', doc.status === 'complete', doc.error);
  const { neon, vercel, stripe, unleash, cloudflare, github, seed } = team.world;
  holds('the database branch is gone', neon.world.branch(`shop-${scope}`) === undefined);
  holds(
    'the variables are gone',
    ['DATABASE_URL', 'STRIPE_WEBHOOK_SECRET'].every((key) => vercel.world.env(key, { gitBranch: team.branch }) === undefined),
  );
  holds('the webhooks are gone', github.world.hooks(seed.repository).length === 0 && stripe.world.endpoints().length === 0);
  holds('the DNS record is gone', cloudflare.world.records(seed.zone.id).length === 0);
  const strategies = unleash.world.environment(seed.flag.project, seed.flag.name, seed.flag.environment).strategies;
  holds('the flag rule is gone', strategies.length === 0, strategies);
  const left = callbacks(team);
  holds(
    'the callback URLs that people added are still there',
    left.length === 2 && !left.some((url) => String(url).startsWith(host)),
    left,
  );
}

/** Secrets of this demo, in the words of the world that holds them, are nowhere in what was pushed. */
async function nothingLeaked(team: Team): Promise<void> {
  step('What the ledger kept');
  const log = await team.remote.git('log', '--oneline', `pilotfish-receipts/preview/${scope}`);
  console.log(log);
  const history = await team.remote.git('log', '-p', '--all');
  const secrets = Object.entries(team.env).filter(([name]) => /TOKEN|SECRET|API_KEY|PASSWORD/.test(name));
  const leaked = [
    ...secrets.filter(([, value]) => history.includes(value)).map(([name]) => name),
    ...(/npg_|whsec_[A-Za-z0-9]/.test(history) ? ['an output'] : []),
  ];
  holds('no secret in the whole history of the remote', leaked.length === 0, leaked);
}

async function show(team: Team, args: readonly string[]): Promise<void> {
  console.log(`$ pilotfish ${args.join(' ')}`);
  const ran = await pilotfish(args, { cwd: team.checkout, env: team.env });
  process.stdout.write(ran.stdout);
  if (ran.code !== 0) process.stdout.write(ran.stderr);
  holds('exit code 0', ran.code === 0, ran.code);
}

/** Runs the command with `--json` and prints it as a person would have seen it beside. */
async function apply(team: Team, what: string, args: readonly string[], cwd = team.checkout): Promise<{ doc: ApplyDoc; ran: Ran }> {
  console.log(`$ pilotfish ${args.join(' ')}`);
  const ran = await pilotfish([...args, '--json'], { cwd, env: team.env });
  const doc = parse<ApplyDoc>(ran);
  for (const line of doc.lines)
    console.log(`   ${line.id.padEnd(16)} ${line.state.padEnd(9)} ${line.verdict}${line.notes ? ` (${line.notes.join(' ')})` : ''}`);
  rows.push({ what, ...doc.stats, seconds: ran.seconds });
  return { doc, ran };
}

async function asJson<T>(team: Team, args: readonly string[]): Promise<T> {
  return parse<T>(await pilotfish([...args, '--json'], { cwd: team.checkout, env: team.env }));
}

function parse<T>(ran: Ran): T {
  try {
    return JSON.parse(ran.stdout) as T;
  } catch {
    throw new BrokenPromise(`exactly one JSON document on stdout; it printed ${ran.stdout}${ran.stderr}`);
  }
}

const callbacks = ({ world }: Team): readonly unknown[] => listOf(world.auth0.world.client(world.seed.auth0Client).callbacks);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const writesOf = ({ world }: Team): number =>
  world.simulations.reduce((sum, { log }) => sum + log.filter((entry) => entry.write && !entry.path.endsWith('/oauth/token')).length, 0);

function table(all: readonly Row[]): string {
  const head = ['', 'requests', 'writes', 'pushes', 'lock pushes', 'seconds'];
  const body = all.map((row) => [row.what, ...[row.requests, row.writes, row.pushes, row.lockPushes].map(String), row.seconds.toFixed(1)]);
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((cells) => (cells[i] ?? '').length)));
  return [head, ...body]
    .map((cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '))
    .join('\n');
}

await readFile(new URL('../../dist/pilotfish.js', import.meta.url)).catch(() => {
  throw new Error('Run `npm run demo`: it builds the program first.');
});
try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof BrokenPromise)) throw thrown;
  console.error(`\nNot as promised: ${thrown.message}`);
  process.exitCode = 1;
}
