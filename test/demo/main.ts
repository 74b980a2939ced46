import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { optionsOf } from '../../scripts/options.ts';
import { graphDepth } from './depth.ts';
import { branchOf, type Cost, measure } from './measure.ts';
import { madeSecrets, standing, whatOthersMade } from './standing.ts';
import { table } from './table.ts';
import { startTeam, type Team } from './team.ts';
import { BrokenPromise, holds, pilotfish, print, printed, program, prompt, step } from './terminal.ts';

interface Command extends Cost {
  readonly output: string;
  readonly seconds: number;
}

const scope = 'pr-12';
const host = 'pr-12.preview.acme.example';
const personsUrl = 'https://laptop.acme.example/api/auth/callback';
const interruption = new AbortController();
const rows: (readonly (string | number)[])[] = [];

/** A pull request of the example's team from its first plan to its end, with every promise checked against providers and git host. */
async function main(): Promise<void> {
  optionsOf('npm run demo', {});
  const team = await startTeam();
  try {
    whatOthersMade(team.world);
    const before = standing(team);
    await firstPlan(team);
    const made = await firstApply(team);
    await secondApply(team);
    await consoleEdit(team);
    await destroyElsewhere(team, before);
    await nothingLeaked(team, made);
    verifyHandled(team.world.simulations);
  } finally {
    await team.stop();
  }
  print(`\n${table(['', 'requests', 'writes', 'pushes', 'lock pushes', 'seconds'], rows)}\nEverything was as promised.\n`);
}

async function firstPlan(team: Team): Promise<void> {
  step('A branch is pushed, and its preview builds with the variables of that moment. What would pilotfish do?');
  const plan = await run(team, 'plan', ['plan', '--scope', scope]);
  holds('a plan writes nothing, neither at a provider nor at the git host', plan.writes === 0 && plan.pushes + plan.lockPushes === 0, plan);
}

/** Returns the secrets that providers made. */
async function firstApply(team: Team): Promise<readonly string[]> {
  step('Do it');
  const { auth0, vercel, stripe } = team.world;
  const seen = auth0.log.length;
  const first = await run(team, 'apply', ['apply', '--scope', scope]);
  const depth = graphDepth(await readFile(join(team.checkout, 'release.plan.yaml'), 'utf8'));
  holds(`a graph of depth ${depth} took ${first.pushes} pushes, at most ${depth + 1}`, first.pushes <= depth + 1, first.pushes);
  const asked = auth0.log.slice(seen).filter((entry) => entry.path.includes('/clients/'));
  const writes = asked.filter((entry) => entry.write).length;
  const reads = asked.length - writes;
  const cost = `the four Auth0 lines on one application cost ${reads} reads and ${writes} write together`;
  holds(cost, reads <= 3 && writes === 1, { reads, writes });

  const built = vercel.world.deployments().at(-1);
  const uri = team.world.neon.world.uri(`shop-${scope}`);
  holds(
    'the preview was built again, and that build sees its own database',
    built?.source === 'redeploy' && built.env.DATABASE_URL === uri,
  );
  const endpoint = stripe.world.endpoints().find(({ url }) => url.includes(host));
  const isHanded = endpoint !== undefined && built?.env.STRIPE_WEBHOOK_SECRET === endpoint.secret;
  holds("it has Stripe's signing secret, which only the create answer holds", isHanded);
  return madeSecrets(team);
}

async function secondApply(team: Team): Promise<void> {
  step('Again, with nothing changed');
  const second = await run(team, 'apply again', ['apply', '--scope', scope]);
  holds('no request but reads', second.writes === 0, second.writes);
  holds('its own account (stats.writes) says so, too', / requests? \(0 writes\)/.test(second.output));
  holds('one push, which is the receipt, and no lock', second.pushes === 1 && second.lockPushes === 0, second);
}

async function consoleEdit(team: Team): Promise<void> {
  const { github, auth0, seed } = team.world;
  step('Somebody switches the webhook off, takes a callback URL away and adds another one, each in its console');
  const hook = github.world.hooks(seed.repository).find(({ config }) => config.url.includes(host));
  const client = auth0.world.client(seed.auth0Client);
  if (!hook) throw new BrokenPromise('the webhook is there');
  hook.active = false;
  client.callbacks = [...callbacks(team).filter((url) => !url.includes(host)), personsUrl];

  const plan = await run(team, 'plan', ['plan', '--scope', scope]);
  const drifted = plan.output.split('\n').filter((line) => line.includes('[drift'));
  const isNamed =
    drifted.length === 2 && drifted.some((line) => line.includes(' pushes ')) && drifted.some((line) => line.includes(' sign-in '));
  holds('the plan names these two lines as drift, and no other', isNamed, drifted);
  const put = await run(team, 'apply the drift', ['apply', '--scope', scope]);
  holds('two writes put both back', put.writes === 2, put.writes);
  holds('the webhook is on', hook.active);
  const isBack = callbacks(team).some((url) => url.includes(host)) && callbacks(team).includes(personsUrl);
  holds("the callback URL is back, beside the person's", isBack, callbacks(team));
}

async function destroyElsewhere(team: Team, before: ReturnType<typeof standing>): Promise<void> {
  step('The pull request closes. Destroy, from a new folder that has no plan file');
  await run(team, 'destroy', ['apply', '--destroy', '--scope', scope], await team.emptyClone());
  const expected = { ...before, 'auth0 callback URLs': [...(before['auth0 callback URLs'] ?? []), personsUrl].toSorted() };
  const after = standing(team);
  holds(`of ${Object.keys(after).length} places each holds what it held before`, isDeepStrictEqual(after, expected), { after, expected });
  holds('and the callback URL that a person added', callbacks(team).includes(personsUrl));
}

async function nothingLeaked(team: Team, made: readonly string[]): Promise<void> {
  step('What is left is the history of the ledger');
  prompt(`git log --oneline ${branchOf(scope)}`);
  print(`${await team.remote.git('log', '--oneline', branchOf(scope))}\n\n`);
  const secrets = [...team.secrets, ...made];
  const history = await team.remote.git('log', '--all', '-p', '--format=%B');
  const found = (text: string): number => secrets.filter((secret) => text.includes(secret)).length;
  holds(`none of ${secrets.length} secrets is in it`, found(history) === 0);
  holds('nor in anything that was printed above', found(printed.join('')) === 0);
}

/** Runs one command, shows it with its real output, and counts what it cost. It must succeed. */
async function run(team: Team, what: string, args: readonly string[], cwd = team.checkout): Promise<Command> {
  const costSince = await measure(team, scope);
  prompt(`pilotfish ${args.join(' ')}`);
  const { code, stdout, stderr, seconds } = await pilotfish(args, { cwd, env: team.env, signal: interruption.signal, show: print });
  print('\n');
  interruption.signal.throwIfAborted();
  const cost = await costSince();
  rows.push([what, cost.requests, cost.writes, cost.pushes, cost.lockPushes, seconds.toFixed(1)]);
  holds('exit code 0', code === 0, code);
  return { ...cost, output: stdout + stderr, seconds };
}

function callbacks({ world }: Team): readonly string[] {
  const { callbacks: urls } = world.auth0.world.client(world.seed.auth0Client);
  return Array.isArray(urls) ? urls.map(String) : [];
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort(new BrokenPromise(`${name} was received`)));
try {
  if (!existsSync(program)) throw new BrokenPromise('the program is built: `npm run demo` does that first');
  await main();
} catch (thrown) {
  if (!(thrown instanceof BrokenPromise)) throw thrown;
  console.error(`\nNot as promised: ${thrown.message}`);
  process.exitCode = 1;
}
