/** Where people find the job that runs now, at its code host. */
export interface JobLinks {
  /** Its log. */
  readonly run: string | null;
  /** What it uploaded. */
  readonly artifacts: string | null;
}

const none: JobLinks = { run: null, artifacts: null };

/** As the variables of the CI name it; nothing outside of a job. */
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

/** Without user info, query and a slash at the end. */
function webAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
