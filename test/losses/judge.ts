import type { Job } from './job.ts';
import { expiryOf, isKept } from './judge-expired.ts';
import { keepLabel, type Line, nameOf, ownerOf } from './plan.ts';
import type { Pull, Repository } from './repository.ts';
import type { Standing } from './services.ts';
import { minutes, type World } from './world.ts';

/** The promise: an hour, and one run of this world. */
const hour = 60 * minutes;
/** No run of this world takes longer, with a wait for the lease of a run that died. */
const longestRun = 20 * minutes;
/** The start of a scheduled job may be this late. */
const jitter = minutes;

/** Judged again and again while time passes: what is older than it may be. */
export function judgeLeftovers(world: World): void {
  for (const one of world.services.standing()) {
    const owner = ownerOf(one.name);
    const repository = world.repositories.find(({ shop }) => shop === owner?.shop);
    const pull = repository?.pulls.get(owner?.pull ?? 0);
    if (!repository || !pull) {
      world.breach('nobody', `${one.name} belongs to no pull request`);
      return;
    }
    const left = { repository, pull, one };
    const why =
      pull.closedAt === null
        ? (whyUnwanted(world, left) ?? whyExpired(world, left))
        : whyTooOld(world, { ...left, closedAt: pull.closedAt });
    if (why === null) continue;
    world.breach('leftover', why);
    return;
  }
}

interface Left {
  readonly repository: Repository;
  readonly pull: Pull;
  readonly one: Standing;
}

function whyTooOld(world: World, { repository, pull, one, closedAt }: Left & { readonly closedAt: number }): string | null {
  const now = world.time.now;
  const since = Math.max(closedAt, world.services.sinceOf(one));
  const age = now - since;
  const what = `${one.kind} ${one.name} stands ${Math.round(age / minutes)} min after the pull request ${pull.number} of ${repository.shop.slug} was closed`;
  const lost = lostSweeps(world, repository, since);
  if (age > hour + longestRun + jitter + lost * hour) return `${what}; ${lost} sweeps were lost`;
  return pull.closeCame && age > longestRun && isCalm(world, repository, pull) ? `${what}, and its event came` : null;
}

/** The sweeps since then that the host did not start, and those that died. Each adds an hour. */
const lostSweeps = (world: World, repository: Repository, since: number): number =>
  world.ticks.filter(
    (tick) => tick.repository === repository && tick.at >= since - longestRun && (tick.job === null || tick.job.hadTrouble),
  ).length;

/** A preview of an open pull request that nobody applied for longer than its lifetime. */
function whyExpired(world: World, { repository, pull, one }: Left): string | null {
  const expiry = expiryOf(world, repository, pull);
  if (expiry === null || pull.labels.includes(keepLabel)) return null;
  const age = world.time.now - Math.max(expiry.mustGoAt, world.services.sinceOf(one));
  // A question that a sweep could not ask means keep, and the sweep ends well all the same.
  const spoilt = world.ticks.filter(
    ({ repository: of, at, job }) => of === repository && at >= expiry.mustGoAt && job !== null && job.faults > 0,
  );
  const lost = lostSweeps(world, repository, expiry.mustGoAt) + spoilt.filter(({ job }) => !job?.hadTrouble).length;
  if (age <= hour + longestRun + jitter + lost * hour) return null;
  return `${one.kind} ${one.name} stands ${Math.round(age / minutes)} min after its lifetime was over; ${lost} sweeps were lost`;
}

/** An open pull request that may have no preview any more: the event that says so ends it. A lost one waits for the next push or the close. */
function whyUnwanted(world: World, { repository, pull, one }: Left): string | null {
  if (pull.unwantedAt === null) return null;
  const age = world.time.now - Math.max(pull.unwantedAt, world.services.sinceOf(one));
  const isOver = pull.unwantedCame && age > longestRun && isCalm(world, repository, pull);
  return isOver ? `${one.name} stands ${Math.round(age / minutes)} min after its pull request lost its preview, and the event came` : null;
}

/** Whether nothing went wrong for the jobs of a pull request. */
const isCalm = (world: World, repository: Repository, pull: Pull): boolean =>
  world.time.now >= repository.limitedUntil + longestRun &&
  world.jobs.every((job) => job.facts.repository !== repository || job.isSweep || job.pull !== pull.number || !job.hadTrouble);

/** Judged when everything has come to rest: every open pull request has what its last good run says. */
export function judgeOpen(world: World): void {
  const standing = world.services.standing();
  for (const repository of world.repositories) {
    for (const pull of repository.pulls.values()) {
      const job = pull.state === 'open' && pull.unwantedAt === null ? lastGood(world, repository, pull) : null;
      if (job === null) continue;
      const expiry = expiryOf(world, repository, pull);
      if (expiry !== null && world.time.now >= expiry.mayGoAt && !isKept(pull, expiry.mayGoAt)) continue;
      const scope = `pr-${pull.number}`;
      const lines = repository.linesOf(pull.head);
      for (const line of lines) {
        const name = nameOf(repository.shop, scope, line);
        const found = standing.filter((one) => one.kind === line.kind && one.name === name);
        const how =
          found.length === 0 ? 'is missing' : found.length > 1 ? 'stands twice' : isAsPlanned(line, found[0]) ? null : 'is not as planned';
        if (how !== null) world.breach('missing', `${line.kind} ${name} ${how}, and ${job.name} ended well`);
      }
      if (job.facts.step.inputs.prune !== 'true') continue;
      const wanted = new Set(lines.map((line) => `${line.kind} ${nameOf(repository.shop, scope, line)}`));
      for (const { kind, name } of standing.filter((one) => one.name.startsWith(`${repository.shop.prefix}-${scope}-`)))
        if (!wanted.has(`${kind} ${name}`)) world.breach('orphan', `${kind} ${name} left the plan, and ${job.name} ended well`);
    }
  }
}

const isAsPlanned = (line: Line, one: Standing | undefined): boolean => one?.note === null || one?.note === `note-${line.note}`;

/** The last job of a pull request, where it applied the present head since the pull request is open, and nothing cut it. */
function lastGood(world: World, repository: Repository, pull: Pull): Job | null {
  const job = world.jobs.findLast(
    (one) =>
      one.facts.repository === repository &&
      !one.isDestroy &&
      one.pull === pull.number &&
      one.status !== 'stale' &&
      one.status !== 'skipped',
  );
  if (job?.end?.how !== 'ended' || job.end.code !== 0 || job.hadTrouble) return null;
  const { pull_request: then } = job.facts.event.payload as {
    readonly pull_request?: { readonly head: { readonly sha: string }; readonly state: string };
  };
  if (then?.head.sha !== pull.head || then.state !== 'open' || job.facts.queuedAt < pull.openedAt) return null;
  return job.status === 'complete' || job.status === 'partial' ? job : null;
}

/** Judged at the end: nothing of anybody else was touched, and every run has ended. */
export function judgeOthers(world: World): void {
  const [harm] = world.services.harm();
  if (harm !== undefined) world.breach('foreign', harm);
  for (const job of world.running)
    if (job.begunAt !== null && world.time.now - job.begunAt > hour) world.breach('endless', `${job.name} does not end`);
}
