import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { standing, whatOthersMade } from '../../demo/standing.ts';
import { startTeam, type Team } from '../../demo/team.ts';
import { ledgerOf, locksLeft } from '../../e2e/scene.ts';
import { filesUnder, leaks, wholeRepository } from '../../leaks/places.ts';
import { foreignOf } from './census.ts';
import { runJob } from './job.ts';
import { Broken, type Count, Life, type Shared } from './life.ts';
import { yamlOf } from './plans.ts';
import { randomOf } from './random.ts';
import { terms } from './terms.ts';
import { startWeather } from './weather.ts';

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  readonly print: (text: string) => void;
}

export interface ChaosResult {
  readonly ok: boolean;
  readonly summary: string;
  /** What was broken; empty when nothing was. */
  readonly broken: readonly string[];
  /** Logs of every run; kept only when something broke. */
  readonly folder: string | null;
}

/** Lives at once: more than the processors of a laptop can serve at the same time, so that everything comes late now and then. */
const mostLives = 4;

/**
 * Real processes, a real git host and providers on loopback, in bad weather, until so many signals met a living process.
 * The seed repeats what is chosen; when it happens is the machine's.
 */
export async function runChaos({ kills, seed, print }: ChaosOptions): Promise<ChaosResult> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-chaos-'));
  const team = await startTeam();
  const since = performance.now();
  const random = randomOf(seed);
  const scopes = Array.from({ length: Math.min(mostLives, Math.max(2, kills)) }, (_, i) => `pr-${30 + i}`);
  whatOthersMade(team.world);
  const before = standing(team);
  const count: Count = { runs: 0, signals: new Map(), claimed: 0, recreated: 0, leaseLost: 0, duplicates: 0, orphans: 0 };
  const dealt = (): number => [...count.signals.values()].reduce((sum, one) => sum + one, 0);
  const broken: string[] = [];
  const weather = startWeather(team, random.fork('weather'));
  const shared: Shared = {
    team,
    scopes: [...scopes, closing],
    folder,
    weather,
    foreign: foreignOf(team, [...scopes, closing]),
    secrets: new Set(team.secrets),
    count,
    // One broken promise ends all lives: what follows would only hide it.
    left: () => (broken.length > 0 ? 0 : kills - dealt()),
  };
  const guard = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      broken.push(thrown instanceof Broken ? thrown.message : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    }
  };
  const ticking = setInterval(
    () => print(`${Math.round((performance.now() - since) / 1000)} s: ${dealt()} of ${kills} signals, ${count.runs} runs`),
    15_000,
  );
  let left = { leases: 0, locks: 0 };
  try {
    await Promise.all(scopes.map((scope) => guard(() => new Life(shared, random.fork(scope), scope).live())));
    if (broken.length === 0) {
      await guard(() => closeUp(shared));
      await guard(async () => {
        left = await whatIsLeft(team);
        if (left.leases + left.locks > 0) throw new Broken(`${left.leases} leases and ${left.locks} locks are left`);
        if (!isDeepStrictEqual(standing(team), before)) throw new Broken(`not what stood before: ${JSON.stringify(standing(team))}`);
        verifyHandled(team.world.simulations);
        await nothingLeaked(shared);
      });
    }
  } finally {
    clearInterval(ticking);
    await weather.stop();
    await team.stop();
  }
  const ok = broken.length === 0;
  if (ok) await rm(folder, { recursive: true, force: true });
  const bySignal = [...count.signals].toSorted().map(([name, n]) => `${name} ${n}`);
  const summary = [
    `kills ${dealt()} (${bySignal.join(', ')})`,
    `runs ${count.runs}`,
    `faults ${weather.faults}`,
    `claimed ${count.claimed}`,
    `recreated ${count.recreated}`,
    `lease held or lost ${count.leaseLost}`,
    `duplicates ${count.duplicates}`,
    `orphans ${count.orphans}`,
    `leases left ${left.leases}`,
    `locks left ${left.locks}`,
    `${Math.round((performance.now() - since) / 1000)} s`,
  ].join(', ');
  return { ok, summary, broken, folder: ok ? null : folder };
}

const closing = 'pr-99';

/** A last scope takes the shared list's lock: if a dead run still has it, it is over within its own terms. */
async function closeUp({ team, folder }: Shared): Promise<void> {
  const file = join('plans', `${closing}.yaml`);
  await mkdir(join(team.checkout, 'plans'), { recursive: true });
  await writeFile(join(team.checkout, file), yamlOf({ scope: closing, groups: { signIn: 0 } }));
  const waited = terms.calmLeaseMs + terms.deadlineMs;
  for (const more of [[], ['--destroy']]) {
    const ended = await runJob(team, { args: ['apply', '--scope', closing, '--plan', file, ...more], folder, fate: null, name: closing });
    if (ended.code !== 0) throw new Broken(`${closing} ended with ${ended.code}, see ${ended.log}`);
    if (ended.ms > waited + patienceMs)
      throw new Broken(`a lock was held for longer than its terms: ${Math.round(ended.ms)} ms, see ${ended.log}`);
  }
}

/** What a run may take beside the waiting, on a busy machine. */
const patienceMs = 20_000;

async function whatIsLeft({ remote }: Team): Promise<{ leases: number; locks: number }> {
  const branches = (await remote.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/pilotfish-receipts')).split('\n');
  const states = await Promise.all(branches.filter((branch) => branch !== '').map((branch) => ledgerOf(remote, branch)));
  return { leases: states.filter(({ lease }) => lease?.released === null).length, locks: (await locksLeft(remote)).length };
}

/** Neither in any object that the git host ever got, nor in what the program keeps on this machine. */
async function nothingLeaked({ team, secrets }: Shared): Promise<void> {
  const places = await filesUnder(team.env.HOME ?? '');
  places.set('the git host', await wholeRepository(team.remote.dir, team.env));
  const found = leaks(places, [...secrets]);
  if (found.length > 0) throw new Broken(`secrets were stored:\n  ${found.join('\n  ')}`);
}
