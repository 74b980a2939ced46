import { relative, resolve, sep } from 'node:path';
import { isCommitId } from '../core/commit-id.ts';

/** Addresses of the current job at its code host, for people. */
export interface JobLinks {
  /** Its log. */
  readonly run: string | null;
  /** The files that the job uploaded. */
  readonly artifacts: string | null;
}

const none: JobLinks = { run: null, artifacts: null };

/** Reads the links from the variables of the CI. Outside of a job there are none. */
export function jobLinks(env: NodeJS.ProcessEnv): JobLinks {
  if (env.GITHUB_RUN_ID) return githubLinks(env);
  const job = webAddress(env.CI_JOB_URL ?? '');
  return job === null ? none : { run: job, artifacts: `${job}/artifacts/browse` };
}

function githubLinks({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository = '',
  GITHUB_RUN_ID: id = '',
}: NodeJS.ProcessEnv): JobLinks {
  const base = webAddress(server || 'https://github.com');
  if (base === null || !/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^\d+$/.test(id)) return none;
  const run = `${base}/${repository}/actions/runs/${id}`;
  return { run, artifacts: `${run}#artifacts` };
}

/** Addresses of the repository's contents at its code host. Each gives `null` for a name that fits no address. */
export interface RepositoryLinks {
  /** A file of a commit. */
  file(commit: string, path: string): string | null;
  branch(name: string): string | null;
}

/** Reads the address of the repository from the variables of the CI; `null` outside of a job. */
export function repositoryLinks({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository = '',
  CI_PROJECT_URL: project = '',
}: NodeJS.ProcessEnv): RepositoryLinks | null {
  const gitlab = webAddress(project);
  const host = webAddress(server || 'https://github.com');
  const github = host !== null && /^[\w.-]+\/[\w.-]+$/.test(repository) ? `${host}/${repository}` : null;
  const base = github ?? (gitlab === null ? null : `${gitlab}/-`);
  if (base === null) return null;
  return {
    file: (commit, path) => (isCommitId(commit) && isPlain(path) ? `${base}/blob/${commit}/${path}` : null),
    branch: (name) => (isPlain(name) ? `${base}/tree/${name}` : null),
  };
}

/** A path without a part that a browser or a host would read in another way. */
const isPlain = (path: string): boolean => /^[\w.-]+(\/[\w.-]+)*$/.test(path) && !path.split('/').some((part) => /^\.+$/.test(part));

/** The address without user info, query and a slash at the end. */
function webAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The addresses of the plan and the receipts of a run. */
export interface RunLinks {
  /** The plan at the commit of the run. */
  readonly planUrl: string | null;
  /** The branch with the receipts. */
  readonly receiptUrl: string | null;
}

interface Run {
  readonly cwd: string;
  readonly commit: string | null;
  /** The path of the plan, from `cwd` on. */
  readonly plan: string | null;
  readonly branch: string | null;
}

/** The links of a run in a job, whose checkout may lie above the working directory. */
export function runLinks(env: NodeJS.ProcessEnv, { cwd, commit, plan, branch }: Run): RunLinks {
  const links = repositoryLinks(env);
  const root = env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR;
  const path = plan === null || !root ? null : relative(root, resolve(cwd, plan)).split(sep).join('/');
  return {
    planUrl: (commit !== null && path !== null && links?.file(commit, path)) || null,
    receiptUrl: (branch !== null && links?.branch(branch)) || null,
  };
}
