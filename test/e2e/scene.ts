import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { ApplyDoc, FailureDoc } from '../../src/engine/document.ts';
import type { LedgerState } from '../../src/ledger/model/facts.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import { branchOf } from '../demo/measure.ts';
import { standing, whatOthersMade } from '../demo/standing.ts';
import { startTeam, type Team } from '../demo/team.ts';
import type { GitRemoteServer } from '../support/git-remote.ts';
import { type Child, start } from './child.ts';
import { openWire, type Passage, type Wire } from './wire.ts';

export const scope = 'pr-12';

/**
 * Short times for a run that is to be cut: the next one waits out its lease, and then its requests. All other runs have the usual
 * ones, so that a busy machine does not make a holder lose what it holds.
 */
export const shortTerms = { PILOTFISH_LEASE_MS: '12000', PILOTFISH_REQUEST_DEADLINE_MS: '1500' };
export const leaseMs = Number(shortTerms.PILOTFISH_LEASE_MS);
export const deadlineMs = Number(shortTerms.PILOTFISH_REQUEST_DEADLINE_MS);

export type Standing = ReturnType<typeof standing>;

/** One process on a wire of its own. */
export interface Run {
  readonly child: Child;
  readonly wire: Wire;
  /** Exit code and document, once it ended: of a run that ended before it had lines, `failure`. A killed one has neither. */
  readonly done: Promise<{ readonly code: number; readonly document: ApplyDoc; readonly failure: FailureDoc; readonly stderr: string }>;
  kill(signal: NodeJS.Signals): void;
  /** Kills it, and resolves when it is gone. */
  die(): Promise<void>;
}

/** What happens at the two ends of a run's wire, as `WireEnds` tells it, with the run itself. */
export interface RunEnds {
  before?(passage: Passage, run: Run): Promise<void> | void;
  after?(passage: Passage, run: Run): Promise<void> | void;
}

export interface RunOptions {
  readonly ends?: RunEnds;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A team whose providers hold what others made, and whose plan has the given lines. */
export interface Scene {
  readonly team: Team;
  readonly before: Standing;
  plan(lines: string): Promise<void>;
  /** Starts the built program. The scope is `pr-12` unless the arguments name one. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** How many objects stand for each place beside those of others. */
  added(): { readonly [where: string]: number };
  ledger(scope?: string): Promise<LedgerState>;
}

export async function openScene({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, lines: string): Promise<Scene> {
  const team = await startTeam();
  onTestFinished(() => team.stop());
  whatOthersMade(team.world);
  const before = standing(team);
  const plan = (text: string): Promise<void> => writeFile(join(team.checkout, 'release.plan.yaml'), planOf(text));
  await plan(lines);
  return {
    team,
    before,
    plan,
    run: async (args, { ends, env = {}, cwd = team.checkout } = {}) => {
      // Nothing passes before the process runs, so the hooks always find it.
      const { promise: started, resolve: hasStarted } = Promise.withResolvers<Run>();
      const wire = await openWire({
        before: async (passage) => await ends?.before?.(passage, await started),
        after: async (passage) => await ends?.after?.(passage, await started),
      });
      onTestFinished(() => wire.stop());
      const all = [...args, ...(args.includes('--scope') ? [] : ['--scope', scope]), '--json'];
      const child = start(all, { cwd, env: { ...team.env, ...wire.env, ...env } });
      onTestFinished(() => void child.process.kill('SIGKILL'));
      const done = child.ended.then(({ code, stdout, stderr }) => ({
        code,
        stderr,
        get document(): ApplyDoc {
          const document: ApplyDoc | FailureDoc = JSON.parse(stdout);
          if (!('lines' in document)) throw new Error(`The run ended with ${code} before it had lines: ${stdout}${stderr}`);
          return document;
        },
        get failure(): FailureDoc {
          return JSON.parse(stdout);
        },
      }));
      const run: Run = {
        child,
        wire,
        done,
        kill: (signal) => void child.process.kill(signal),
        die: async () => {
          child.process.kill('SIGKILL');
          await child.ended;
        },
      };
      hasStarted(run);
      return run;
    },
    added: () => difference(before, standing(team)),
    ledger: (name = scope) => ledgerOf(team.remote, branchOf(name)),
  };
}

export const planOf = (lines: string): string => `version: 1\nproviders:\n  http:\n    auth0: {}\n    unleash: {}\nchanges:${lines}\n`;

/** The facts of a branch as they stand at the git host. */
export async function ledgerOf(remote: GitRemoteServer, branch: string): Promise<LedgerState> {
  // Runs go on writing while it is read: one commit, whatever the branch holds by then.
  const head = (await remote.git('rev-parse', branch)).trim();
  const names = (await remote.git('ls-tree', '-r', '--name-only', head)).split('\n').filter((name) => name.startsWith('.pilotfish/'));
  const files = await Promise.all(
    names.map(async (name) => [name.slice('.pilotfish/'.length), `${await remote.git('show', `${head}:${name}`)}\n`] as const),
  );
  return parseState(new Map(files), branch);
}

/** Locks that nobody gave back, by what they lock. */
export async function locksLeft(remote: GitRemoteServer): Promise<readonly string[]> {
  const refs = (await remote.git('for-each-ref', '--format=%(refname)', 'refs/pilotfish/locks', 'refs/heads/pilotfish-locks')).split('\n');
  const texts = await Promise.all(refs.filter((ref) => ref !== '').map((ref) => remote.git('show', `${ref}:.pilotfish/lock.json`)));
  return texts.flatMap((text) => {
    const lock: { readonly name: string; readonly released: unknown } = JSON.parse(text);
    return lock.released === null ? [lock.name] : [];
  });
}

export function difference(before: Standing, after: Standing): { readonly [where: string]: number } {
  return Object.fromEntries(
    Object.entries(after).flatMap(([where, names]) => {
      const more = names.length - (before[where]?.length ?? 0);
      return more === 0 ? [] : [[where, more]];
    }),
  );
}

/** The writes of a process at providers, in their order. */
export const writesOf = (wire: Wire): readonly Passage[] => wire.passages.filter(({ kind }) => kind === 'write');

/** A promise, and the way to keep it: for what a test does at a moment that it does not choose. */
export function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reached: promise, reach: resolve };
}
