import { warning } from '@actions/core';
import { Failure } from '../core/errors.ts';
import type { CommitStatus } from '../host/commit-status.ts';
import { oneLine } from '../report/text.ts';
import type { AskHost } from './host.ts';
import type { Inputs } from './inputs.ts';
import type { Log } from './log.ts';
import type { Ending } from './report.ts';

/** The status of one commit while its runs go on, and when they ended. */
export interface StatusBoard {
  /** Says that the first run of the commit began. A later run leaves the status of the earlier one until it ends. */
  begin(): void;
  /** Says how the runs of the commit ended. The worst of them counts. */
  end(endings: readonly Ending[]): void;
  /** Resolves when the host has all of it. Says in the log what it could not say at the host. */
  told(): Promise<void>;
}

interface Options {
  readonly host: AskHost;
  readonly log: Log;
  readonly inputs: Pick<Inputs, 'env' | 'plan'>;
  readonly commit: string;
  readonly targetUrl: string | null;
}

/** Adds statuses in turn, because the newest stands. A host that refuses one gets no other, and no run fails by it. */
export function openStatusBoard({ host, log, inputs, commit, targetUrl }: Options): StatusBoard {
  let queue: Promise<boolean> = Promise.resolve(true);
  const context = contextOf(inputs);
  const add = (word: Pick<CommitStatus, 'state' | 'description'>): void => {
    queue = queue.then(async (isAllowed) => isAllowed && (await host.addStatus(commit, { ...word, context, targetUrl })));
    // A later step awaits the queue. Until then nobody handles its failure.
    queue.catch(() => undefined);
  };
  return {
    begin: () => add({ state: 'pending', description: 'pilotfish began.' }),
    end: (endings) => {
      const word = wordOf(endings);
      if (word) add(word);
    },
    told: async () => {
      try {
        await queue;
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        log.command(() => warning(oneLine(`pilotfish did not write the status of the commit. ${thrown.detail}`), { title: 'pilotfish' }));
      }
    },
  };
}

/** Two environments or two plans of a commit must not overwrite each other's status. */
function contextOf({ env, plan }: Options['inputs']): string {
  return ['pilotfish', ...(env === 'preview' ? [] : [env]), ...(plan === null ? [] : [plan])].join('/');
}

const words: { readonly [status: string]: Pick<CommitStatus, 'state' | 'description'> } = {
  failed: { state: 'failure', description: 'A line failed. The log and the comment say why.' },
  interrupted: { state: 'failure', description: 'The run was stopped. Run the job again.' },
  stale: { state: 'pending', description: 'A newer commit has its own run.' },
  partial: { state: 'pending', description: 'Waits for the deployment.' },
  complete: { state: 'success', description: 'Every service has the state of the plan.' },
};

/** The worst ending counts. A run that the action skipped changes nothing. */
function wordOf(endings: readonly Ending[]): Pick<CommitStatus, 'state' | 'description'> | null {
  const worst = Object.keys(words).find((status) => endings.some((ending) => ending.status === status));
  return (worst !== undefined && words[worst]) || null;
}
