import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { longestSummary, pairsOf } from './command-files.ts';
import { entry } from './entry.ts';
import { runtimeToken, type Step, stepEnv } from './job-env.ts';
import { StepLog } from './step-log.ts';
import type { WorkflowCommand } from './workflow-commands.ts';

/** What people and later steps have of a step that is over. */
export interface Outcome {
  /** `null` where a signal ended the process. */
  readonly code: number | null;
  /** The step is red: by its exit code, or by a command that the runner refused. */
  readonly isFailed: boolean;
  /** The log as people see it, masked. */
  readonly log: string;
  /** Before the runner masked it, without the lines that told it what to mask. */
  readonly unmasked: string;
  /** Commands that took effect. */
  readonly commands: readonly WorkflowCommand[];
  readonly notices: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
  /** The job summary, masked; empty where there is none. */
  readonly summary: string;
}

/** A step while it runs. */
export interface Running {
  readonly ended: Promise<Outcome>;
  /** Resolves when the log holds the words. */
  said(words: string): Promise<void>;
  /** Somebody cancelled the job: SIGINT, 7.5 seconds later SIGTERM, 2.5 seconds later everything of it is killed. */
  cancel(): Promise<Outcome>;
  /** The machine under the job is gone. */
  vanish(): Promise<void>;
}

const untilTerm = 7_500;
const untilKill = 2_500;

/** Starts the action as GitHub's runner does, in a process group of its own, and reads what comes of it by the runner's rules. */
export async function startStep(step: Step, { onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-runner-'));
  const { env, files } = await stepEnv(step, folder);
  const child = spawn(process.execPath, [entry()], { cwd: step.workspace, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = new StepLog([step.token, runtimeToken, ...(step.secrets ?? [])]);
  for (const output of [child.stdout, child.stderr]) {
    const stream = log.stream();
    output.setEncoding('utf8').on('data', (text: string) => stream.write(text));
    output.once('end', () => stream.end());
  }
  const { promise: gone, resolve: isGone, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', (code) => isGone(code));
  const killAll = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  };
  onTestFinished(async () => {
    killAll();
    await gone;
    await rm(folder, { recursive: true, force: true });
  });

  const ended = gone.then(async (code): Promise<Outcome> => {
    // What a step leaves running ends with the job.
    killAll();
    const summary = await readFile(files.summary, 'utf8');
    const errors = [...log.said('error'), ...log.refused];
    if (Buffer.byteLength(summary) > longestSummary)
      errors.push('$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k');
    if ((await readFile(files.env, 'utf8')) + (await readFile(files.path, 'utf8')) !== '')
      errors.push('the step changed the job around it');
    return {
      code,
      isFailed: code !== 0 || log.refused.length > 0,
      log: log.text,
      unmasked: log.unmasked,
      commands: log.commands,
      notices: log.said('notice'),
      warnings: log.said('warning'),
      errors,
      outputs: Object.fromEntries(pairsOf(await readFile(files.output, 'utf8'))),
      summary: log.mask(summary),
    };
  });
  // Whoever waits for words or a signal hears of it in `ended`.
  ended.catch(() => undefined);

  return {
    ended,
    said: (words) =>
      new Promise((resolve, fail) => {
        const forget = log.onLine(() => look());
        const look = (): void => {
          if (!log.unmasked.includes(words)) return;
          forget();
          resolve();
        };
        void gone.then(() => fail(new Error(`it ended without saying "${words}":\n${log.text}`)));
        look();
      }),
    cancel: async () => {
      const over = new AbortController();
      void gone.then(() => over.abort());
      const wait = (ms: number): Promise<void> => pause(ms, undefined, { signal: over.signal }).catch(() => undefined);
      child.kill('SIGINT');
      await wait(untilTerm);
      if (!over.signal.aborted) child.kill('SIGTERM');
      await wait(untilKill);
      if (!over.signal.aborted) killAll();
      return await ended;
    },
    vanish: async () => {
      killAll();
      await gone;
    },
  };
}
