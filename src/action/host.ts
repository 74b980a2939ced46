import { Failure } from '../core/errors.ts';
import { type CodeHost, codeHostOf, isCodeHost } from '../host/code-host.ts';
import type { Pull } from '../host/pulls-of.ts';
import type { Client } from '../http/client.ts';
import { isProduction } from '../plan/context.ts';

/** What the action itself asks the code host, before any file of the checkout is read. */
export interface AskHost {
  /** Every pull request that a commit belongs to. */
  pulls(commit: string): Promise<readonly Pull[]>;
  /** The commit at the head of a branch. */
  branchHead(branch: string): Promise<string>;
  /** Who approved this workflow run for production; `null` where that is not to be known. */
  approver(): Promise<string | null>;
  /** Whether the token of this job may not write to the repository; `false` where nobody can tell. */
  isReadOnly(): Promise<boolean>;
  close(): Promise<void>;
}

const readOnly = [401, 403, 404];

/** The network is loaded with the first question: most events need none. */
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
    branchHead: async (branch) => {
      const host = codeHostOf(env, null);
      if (!isCodeHost(host))
        throw new Failure('PLAN_NOT_TRUSTED', { detail: `The head of ${branch} is not to be known: ${host.why}.`, fix: host.fix });
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
    isReadOnly: async () => {
      const host = codeHostOf(env, null);
      if (!isCodeHost(host) || !host.block.auth || !('bearer_env' in host.block.auth)) return false;
      const block = {
        api: 'git',
        base_url: (env.GITHUB_SERVER_URL || 'https://github.com').replace(/\/+$/, ''),
        auth: { basic: { user: 'x-access-token', password_env: host.block.auth.bearer_env } },
      };
      // How a push begins: refused before anything is sent. Nothing tells more plainly what a token may do.
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

async function openClient(env: NodeJS.ProcessEnv, onSecret: (text: string) => void, signal: AbortSignal): Promise<Client> {
  const [{ createClient }, { Redactor }] = await Promise.all([import('../http/client.ts'), import('../core/redact.ts')]);
  return createClient({ env, redactor: new Redactor(onSecret), signal });
}

function mustBeHost(env: NodeJS.ProcessEnv): CodeHost {
  const host = codeHostOf(env, null);
  if (isCodeHost(host)) return host;
  throw new Failure(host.lacks === 'token' ? 'CREDENTIAL_MISSING' : 'USAGE', {
    detail: `The pull request of this deployment is not to be known: ${host.why}. Until it is, the plan is not read.`,
    fix: host.fix,
  });
}
