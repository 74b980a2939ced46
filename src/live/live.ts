import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../core/clock.ts';
import { Failure, toErrorData } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';
import type { RunRequest, RunWorld } from '../engine/types.ts';
import { receiptsBranch } from '../ledger/model/names.ts';
import type { Registry } from '../ops/registry.ts';
import { announcement } from './announcement.ts';
import type { LiveDoc } from './document.ts';
import type { Names } from './form.ts';
import { type Ground, openGround } from './ground.ts';
import { type LineSources, type LiveLine, readLiveLine } from './live-line.ts';
import { reportOf } from './report.ts';
import { openRuns, type Runner, type Runs } from './runs.ts';
import { Story, staysOf } from './story.ts';
import { openTap, type Tap } from './tap.ts';

export interface LiveRequest extends LineSources {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the ledger. The next start with it removes what a killed one left. */
  readonly folder: string;
  readonly git: Pick<RunRequest, 'branch' | 'sha' | 'pr'>;
  /** The server, where it is not the provider's own service. */
  readonly server: string | null;
  /** Proves an operation whose objects nobody can delete, and leaves the object. */
  readonly leaves: boolean;
  readonly waitTimeoutMs: number;
  readonly leaseTimeoutMs: number;
}

export interface LiveWorld {
  readonly runner: Runner;
  readonly registry: Registry;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Tells people what goes on. */
  readonly say: (line: string) => void;
  /** Asks whether to begin. Throws where the answer is not yes. */
  readonly confirm: (announcement: string) => Promise<void>;
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
  readonly listen?: RunWorld['listen'];
  /** Replaces the names of the two objects. */
  readonly scopes?: readonly [string, string];
  /** Told of the proxy, for a clock that must not leap over a request. */
  readonly onTap?: (tap: Tap) => void;
}

export type Proof = Omit<LiveDoc, 'file'>;

/**
 * Proves one operation against the service that the environment names, with objects of its own, and removes them. Throws `Failure` for
 * what is wrong before the first write. Objects that nobody could remove are in `stands`.
 */
export async function prove(request: LiveRequest, world: LiveWorld): Promise<Proof> {
  const live = await readLiveLine(request, world.registry);
  mustBeProvable(live, request.leaves);
  const ground = openGround(request.folder, request.cwd);
  const session = ground.left(hostname());
  const clock = world.clock ?? systemClock;
  const scopes = world.scopes ?? ([ownName(), ownName()] as const);
  await world.confirm(announcement({ live, scopes, earlier: session?.scopes ?? [], folder: request.folder, env: request.env }));
  const tap = await openTap({ env: request.env, clock, ...(world.dispatcher && { dispatcher: world.dispatcher }) });
  world.onTap?.(tap);
  try {
    const runs = openRuns({
      ...request,
      ...world,
      ground,
      tap,
      onSecret: (text) => world.redactor.addIfLong(text),
    });
    const cleaned = session === null ? [] : await cleanUp(session.scopes, { ...world, ground, runs });
    ground.begin({ v: 1, operation: live.operation, pid: process.pid, host: hostname(), scopes: [...scopes] }, live.plan());
    const story = new Story({ ...world, live, runs, ground, tap, scopes, namesFor: (scope) => namesOf(live, scope) });
    const thrown = await story.tell().then(
      () => null,
      (error: unknown) => error ?? new Error('the proof ended'),
    );
    const stands = await removeAll(scopes, { ...world, ground, runs });
    if (thrown !== null) throw stands.length === 0 ? thrown : leftStanding(stands, request.folder, thrown);
    const { told } = story;
    const names = new Map([...namesOf(live, scopes[1]), ...namesOf(live, scopes[0])]);
    const report = reportOf({ ...world, live, told, passed: tap.passed, names, server: request.server, now: clock.now() });
    return {
      schema: 1,
      ok: report.held && stands.length === 0,
      command: 'live',
      report,
      stands,
      cleaned,
      ...(told.error && { error: told.error }),
    };
  } finally {
    await tap.close();
  }
}

/** A name of its own: 30 bits of it are random. */
function ownName(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return `pilotfish-live-${Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')}`;
}

function mustBeProvable(live: LiveLine, leaves: boolean): void {
  if (!staysOf(live) || leaves) return;
  throw new Failure('USAGE', {
    detail: `${live.operation} cannot remove its object, so a proof would leave it at the service.`,
    fix: 'Pass `--leave` if that is all right.',
  });
}

/** The values of a line that stand in paths, with the name of each. */
function namesOf({ line }: LiveLine, scope: string): Names {
  const names = new Map<string, string>();
  const add = (value: Json, name: string): void => {
    if (typeof value === 'string' && value.length >= 2) names.set(value.replaceAll('${ctx.scope}', scope), name);
    else if (Array.isArray(value)) for (const one of value as readonly Json[]) add(one, name);
    else if (isMap(value)) for (const [member, one] of Object.entries(value)) add(one as Json, `${name}.${member}`);
  };
  for (const [name, value] of Object.entries(line)) add(value, name);
  // Longer values first: the scope is often a part of them.
  return new Map([...[...names].sort(([a], [b]) => b.length - a.length), [scope, 'name']]);
}

interface Cleaning extends Pick<LiveWorld, 'say'> {
  readonly ground: Ground;
  readonly runs: Runs;
}

/** Removes what an earlier process left. Throws where something still stands: a new proof would forget it. */
async function cleanUp(scopes: readonly string[], cleaning: Cleaning): Promise<readonly string[]> {
  cleaning.say(`An earlier run was killed. Removing what it left: ${scopes.join(', ')}.`);
  const stands = await removeAll(scopes, cleaning);
  if (stands.length > 0) throw leftStanding(stands, cleaning.ground.folder);
  return scopes;
}

/** Destroys each scope, whatever the state of the proof. Returns the scopes that may still have an object. */
async function removeAll(scopes: readonly string[], { runs, ground, say }: Cleaning): Promise<readonly string[]> {
  const stands: string[] = [];
  for (const scope of new Set(scopes)) {
    // Without a branch no run announced a create in this scope.
    if ((await ground.store().head(receiptsBranch('preview', scope, null))) === null) continue;
    const ended = await runs.apply(scope, { destroy: true }).catch((thrown: unknown) => {
      say(`Removing ${scope} failed: ${toErrorData(thrown).detail}`);
      return null;
    });
    if (ended?.error) say(`Removing ${scope} failed: ${ended.error.detail}`);
    if (!ended?.doc.ok || ended.doc.status !== 'complete' || ended.error !== null) stands.push(scope);
  }
  if (stands.length === 0) ground.clear();
  else say(`These may still stand at the service: ${stands.join(', ')}.`);
  return stands;
}

const leftStanding = (stands: readonly string[], folder: string, cause?: unknown): Failure =>
  new Failure('EXTERNAL_FAILED', {
    detail: `The objects of ${stands.join(', ')} could not be removed, and may still stand at the service.`,
    fix: `Start the same command again: it first removes what ${folder} records.`,
    cause,
  });
