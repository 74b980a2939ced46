import { Failure } from '../core/errors.ts';
import { type CodeHost, codeHostOf, isCodeHost } from '../host/code-host.ts';
import type { CommitStatus } from '../host/commit-status.ts';
import type { PullAnswer } from '../host/pull-request.ts';
import type { Pull } from '../host/pulls-of.ts';
import type { Client } from '../http/client.ts';
import { isProduction } from '../plan/context.ts';

/** The questions of the action to the code host, before it reads any file of the checkout. */
export interface AskHost {
  /** Every pull request that a commit belongs to. */
  pulls(commit: string): Promise<readonly Pull[]>;
  /** A pull request as it is now. */
  pull(number: number): Promise<PullAnswer>;
  /** The numbers of all open pull requests; `null` where the host does not tell. */
  openPulls(): Promise<ReadonlySet<number> | null>;
  /** The paths that a pull request changes; `null` where the host does not tell all of them. */
  files(number: number): Promise<readonly string[] | null>;
  /** The commit at the head of a branch. */
  branchHead(branch: string): Promise<string>;
  /** The person who approved this workflow run for production; `null` if unknown. */
  approver(): Promise<string | null>;
  /** Adds a status to a commit; `false` where the token may not, or nobody can be asked. */
  addStatus(commit: string, status: CommitStatus): Promise<boolean>;
  /** Tells whether the token of this job cannot write to the repository; `false` if unknown. */
  isReadOnly(): Promise<boolean>;
  close(): Promise<void>;
}

const readOnly = [401, 403, 404];

/** Asks the code host. The first question loads the network, because most events need none. */
export function askHost(env: NodeJS.ProcessEnv, onSecret: (text: string) => void): AskHost {
  const { signal } = new AbortController();
  let opened: Promise<Client> | null = null;
  const open = (): Promise<Client> => (opened ??= openClient(env, onSecret, signal));
  return {
    pulls: async (commit) => {
      const host = mustBeHost(env);
      const { pullsOf } = await import('../host/pulls-of.ts');
      return await pullsOf(await open(), host, commit, signal);
    },
    ...aboutPulls({ env, open, signal }),
    branchHead: async (branch) => {
      const host = codeHostOf(env, null);
      if (!isCodeHost(host))
        throw new Failure('PLAN_NOT_TRUSTED', { detail: `pilotfish cannot find out the head of ${branch}: ${host.why}.`, fix: host.fix });
      const { branchHead } = await import('../host/host-tree.ts');
      return await branchHead(await open(), host, branch, signal);
    },
    approver: async () => {
      const host = codeHostOf(env, null);
      const run = env.GITHUB_RUN_ID;
      if (!isCodeHost(host) || !run) return null;
      const { approverOf } = await import('../host/approvals.ts');
      return await approverOf(await open(), host, { run, isWanted: isProduction, signal });
    },
    addStatus: async (commit, status) => {
      const host = codeHostOf(env, null);
      if (!isCodeHost(host)) return false;
      const { addCommitStatus } = await import('../host/commit-status.ts');
      return await addCommitStatus(await open(), host, { commit, status, signal });
    },
    isReadOnly: async () => {
      const host = codeHostOf(env, null);
      if (!isCodeHost(host) || !host.block.auth || !('bearer_env' in host.block.auth)) return false;
      const block = {
        api: 'git',
        base_url: (env.GITHUB_SERVER_URL || 'https://github.com').replace(/\/+$/, ''),
        auth: { basic: { user: 'x-access-token', password_env: host.block.auth.bearer_env } },
      };
      // This is the first request of a push. A host refuses it to a token that cannot write, and nothing is sent.
      const request = { method: 'GET', path: `/${host.repository}/info/refs`, query: { service: 'git-receive-pack' } } as const;
      try {
        const { status } = await (await open()).api(block).send(request, { purpose: 'read', share: false, signal, accept: readOnly });
        return readOnly.includes(status);
      } catch (thrown) {
        if (thrown instanceof Failure) return false;
        throw thrown;
      }
    },
    close: async () => (await opened)?.close(),
  };
}

interface Asking {
  readonly env: NodeJS.ProcessEnv;
  readonly open: () => Promise<Client>;
  readonly signal: AbortSignal;
}

/** The questions by which a workflow chooses its pull requests. */
const aboutPulls = ({ env, open, signal }: Asking): Pick<AskHost, 'pull' | 'openPulls' | 'files'> => ({
  pull: async (number) => {
    const { askPullRequest } = await import('../host/pull-request.ts');
    return await askPullRequest(await open(), mustBeHost(env), number, signal);
  },
  openPulls: async () => {
    const { openPulls } = await import('../host/open-pulls.ts');
    try {
      return new Set((await openPulls(await open(), mustBeHost(env), signal)).keys());
    } catch (thrown) {
      if (thrown instanceof Failure) return null;
      throw thrown;
    }
  },
  files: async (number) => {
    const { pullFiles } = await import('../host/pull-files.ts');
    return await pullFiles(await open(), mustBeHost(env), number, signal);
  },
});

async function openClient(env: NodeJS.ProcessEnv, onSecret: (text: string) => void, signal: AbortSignal): Promise<Client> {
  const [{ createClient }, { Redactor }] = await Promise.all([import('../http/client.ts'), import('../core/redact.ts')]);
  return createClient({ env, redactor: new Redactor(onSecret), signal });
}

function mustBeHost(env: NodeJS.ProcessEnv): CodeHost {
  const host = codeHostOf(env, null);
  if (isCodeHost(host)) return host;
  throw new Failure(host.lacks === 'token' ? 'CREDENTIAL_MISSING' : 'USAGE', {
    detail: `pilotfish cannot ask about the pull request of this event: ${host.why}. It did not read the plan.`,
    fix: host.fix,
  });
}
