import { type Clock, systemClock } from '../core/clock.ts';
import type { ErrorData } from '../core/errors.ts';
import type { ApplyDoc, ApplyLineDoc, PlanDoc, PlanLineDoc } from '../engine/document.ts';
import type { RunRequest, RunWorld } from '../engine/types.ts';
import type { Ground } from './ground.ts';
import type { Passed, Tap } from './tap.ts';

/** The two doors of the engine. */
export interface Runner {
  runPlan(request: RunRequest, world?: RunWorld): Promise<PlanDoc>;
  runApply(request: RunRequest, world?: RunWorld): Promise<ApplyDoc>;
}

export interface RunsOptions {
  readonly runner: Runner;
  readonly ground: Ground;
  readonly tap: Tap;
  readonly env: NodeJS.ProcessEnv;
  readonly git: Pick<RunRequest, 'branch' | 'sha' | 'pr'>;
  readonly waitTimeoutMs: number;
  readonly leaseTimeoutMs: number;
  readonly clock?: Clock;
  readonly onSecret: (text: string) => void;
  readonly listen?: RunWorld['listen'];
}

/** A run of the one line, what passed meanwhile, and its error. */
export interface Ran<Doc, Line> {
  readonly doc: Doc;
  /** `null` where the run had no line: nothing of it is recorded. */
  readonly line: Line | null;
  readonly passed: readonly Passed[];
  readonly error: ErrorData | null;
}

export type Planned = Ran<PlanDoc, PlanLineDoc>;
export type Applied = Ran<ApplyDoc, ApplyLineDoc>;

/** The runs of a proof, each in a scope. */
export interface Runs {
  plan(scope: string, o?: RunOptions): Promise<Planned>;
  apply(scope: string, o?: RunOptions): Promise<Applied>;
}

export interface RunOptions {
  readonly destroy?: boolean;
  readonly recreate?: readonly string[];
  /** Ends the run. A destroy at the end of a proof has none. */
  readonly signal?: AbortSignal;
}

/** What a job has in its environment about its pull request. A proof is about none, and must not be judged by one. */
const ofJob = /^(?:CI|CI_.*|GITLAB_CI|GITHUB_(?:ACTIONS|EVENT_.*|REF.*|SHA|HEAD_REF|BASE_REF|REPOSITORY.*|RUN_.*|JOB|WORKFLOW.*))$/;

export const withoutJob = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ofJob.test(name)));

export function openRuns(o: RunsOptions): Runs {
  const { ground, tap, runner } = o;
  const env = withoutJob(o.env);
  const request = (scope: string, { destroy = false, recreate = [] }: RunOptions): RunRequest => ({
    cwd: ground.folder,
    env,
    plan: ground.planFile,
    environment: 'preview',
    scope,
    ...o.git,
    only: [],
    recreate,
    reconcile: false,
    destroy,
    expect: null,
    approvedBy: null,
    leaseTimeoutMs: o.leaseTimeoutMs,
    waitTimeoutMs: o.waitTimeoutMs,
  });
  const running = async <Doc extends PlanDoc | ApplyDoc, Line>(
    run: (world: RunWorld) => Promise<Doc>,
    signal: AbortSignal | undefined,
  ): Promise<Ran<Doc, Line>> => {
    const store = ground.store();
    const from = tap.passed.length;
    try {
      const doc = await run({
        dispatcher: tap.dispatcher,
        store,
        repository: null,
        onSecret: o.onSecret,
        clock: o.clock ?? systemClock,
        ...(o.listen && { listen: o.listen }),
        ...(signal && { signal }),
      });
      signal?.throwIfAborted();
      const [line = null] = doc.lines as readonly Line[];
      const error = (line as { readonly error?: ErrorData } | null)?.error ?? doc.error ?? null;
      return { doc, line, passed: tap.passed.slice(from), error };
    } finally {
      await store.close();
    }
  };
  return {
    plan: (scope, options = {}) => running((world) => runner.runPlan(request(scope, options), world), options.signal),
    apply: (scope, options = {}) => running((world) => runner.runApply(request(scope, options), world), options.signal),
  };
}
