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

/** The address without user info, query and a slash at the end. */
function webAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
