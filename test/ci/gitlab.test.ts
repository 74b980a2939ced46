import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ended } from '../cli/program.ts';
import { holds, type PipelineJob, readTemplate } from './pipeline.ts';
import { openProject, type Project } from './project.ts';

const template = await readTemplate();

type Variables = Readonly<Record<string, string>>;

/** The time as GitLab writes it, in whole seconds. */
const seconds = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/** A project with GitLab's side of its CI: variables of pipelines, and a runner for their jobs. */
async function open(o: Parameters<typeof openProject>[1] = {}) {
  const project = await openProject((end) => onTestFinished(async () => void (await end())), o);
  const { origin, hostname, port } = new URL(project.remote.url);
  const always: Variables = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER_URL: origin,
    CI_SERVER_HOST: hostname,
    CI_SERVER_PORT: port,
    CI_API_V4_URL: project.apiUrl,
    CI_PROJECT_ID: '42',
    CI_PROJECT_PATH: 'acme/shop',
    CI_PROJECT_URL: project.remote.url.replace(/\.git$/, ''),
    CI_DEFAULT_BRANCH: 'main',
    GITLAB_USER_LOGIN: 'ann',
    CI_JOB_URL: `${origin}/acme/shop/-/jobs/77`,
  };
  const branchPipeline = (branch: string, commit: string, source = 'push'): Variables => ({
    ...always,
    CI_PIPELINE_SOURCE: source,
    CI_PIPELINE_CREATED_AT: seconds(),
    CI_COMMIT_BRANCH: branch,
    CI_COMMIT_SHA: commit,
  });
  const mergeRequestPipeline = (iid: number, o: { readonly merged?: string; readonly source?: number } = {}): Variables => {
    const request = project.host.world.state.mergeRequests.find((one) => one.iid === iid);
    if (!request) throw new Error(`no merge request ${iid}`);
    return {
      ...always,
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_PIPELINE_CREATED_AT: seconds(),
      CI_MERGE_REQUEST_IID: String(iid),
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(o.source ?? 42),
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: request.source_branch,
      CI_COMMIT_SHA: o.merged ?? request.sha,
      ...(o.merged === undefined
        ? { CI_MERGE_REQUEST_EVENT_TYPE: 'detached' }
        : { CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: request.sha }),
    };
  };
  /** What the runner does with a job. What GitLab stored for the project is there, and the job's own token. */
  const play = async (job: PipelineJob, change: Variables = {}, shell?: readonly string[]): Promise<Ended> => {
    const variables: Variables = {
      ...job.variables,
      CI_JOB_TOKEN: project.host.world.otherTokens.job,
      CI_JOB_STARTED_AT: seconds(),
      ...change,
    };
    const cwd = await project.checkout(variables.GIT_STRATEGY === 'none' ? null : (variables.CI_COMMIT_SHA ?? null));
    const ended = await project.shell(job.script, { cwd, env: { ...project.stored, ...variables }, ...(shell && { shell }) });
    for (const secret of project.secrets) expect(ended.stdout + ended.stderr).not.toContain(secret);
    return ended;
  };
  return { project, branchPipeline, mergeRequestPipeline, play };
}

const jobNamed = (jobs: readonly PipelineJob[], name: string): PipelineJob => {
  const found = jobs.find((job) => job.name === name);
  if (!found) throw new Error(`the pipeline has no job ${name}`);
  return found;
};

/** GitLab plays the job that `on_stop` names, of the pipeline that deployed, with the merge request no longer open. */
const stopOf = (jobs: readonly PipelineJob[], o: { readonly isOpen?: boolean } = {}): PipelineJob => {
  const stop = jobNamed(jobs, jobNamed(jobs, 'pilotfish_preview').environment?.onStop ?? '');
  // https://docs.gitlab.com/ci/variables/predefined_variables/: "the merge request must be open".
  const variables = Object.entries(stop.variables).filter(([name]) => o.isOpen || !name.startsWith('CI_MERGE_REQUEST_'));
  return { ...stop, variables: Object.fromEntries(variables) };
};

const commitOfFlag = ({ world }: Project): readonly unknown[] => {
  const { project, name, environment } = world.seed.flag;
  const { strategies } = world.unleash.world.environment(project, name, environment);
  return strategies.flatMap(({ title, parameters }) => (title === 'shop pr-12' ? [parameters?.commit] : []));
};

describe('the template for GitLab', () => {
  const variables = { CI_PIPELINE_SOURCE: 'merge_request_event', CI_MERGE_REQUEST_IID: '12', CI_MERGE_REQUEST_PROJECT_ID: '42' };
  const own = { ...variables, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };

  it('has a preview and its end for a merge request, of one environment, stage and group', () => {
    const [preview, stop, ...more] = template.pipeline(own);
    expect(more).toEqual([]);
    expect(preview).toMatchObject({ name: 'pilotfish_preview', isManual: false, environment: { name: 'preview/12', action: 'start' } });
    expect(preview?.environment).toMatchObject({ onStop: stop?.name, url: 'https://pr-12.preview.example.com' });
    expect(stop).toMatchObject({
      isManual: true,
      environment: { name: 'preview/12', action: 'stop' },
      variables: { GIT_STRATEGY: 'none' },
    });
    expect(stop).toMatchObject({ stage: preview?.stage, resourceGroup: preview?.resourceGroup, image: preview?.image });
    expect(preview?.variables.GIT_DEPTH).toBe('0');
  });

  it.each([
    ['a fork', { ...variables, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '77' }, []],
    [
      'a push to main',
      { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
      ['pilotfish_sweep', 'pilotfish_production'],
    ],
    [
      'a pipeline of main that a person started',
      { CI_PIPELINE_SOURCE: 'web', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
      ['pilotfish_sweep'],
    ],
    ['a push to another branch', { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'feature', CI_DEFAULT_BRANCH: 'main' }, []],
    [
      'a push of receipts',
      { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'pilotfish-receipts/preview/pr-12', CI_DEFAULT_BRANCH: 'main' },
      [],
    ],
    ['a schedule of main', { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' }, ['pilotfish_sweep']],
    ['a schedule of another branch', { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'feature', CI_DEFAULT_BRANCH: 'main' }, []],
    ['a tag', { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_TAG: 'v1', CI_DEFAULT_BRANCH: 'main' }, []],
  ])('gives %s its jobs', (_, pipeline, names) => {
    expect(template.pipeline(pipeline).map(({ name }) => name)).toEqual(names);
  });

  it('is read by rules that can fail', () => {
    expect(holds('$A == "x" && $B == $C', { A: 'x', B: '1', C: '1' })).toBe(true);
    expect(holds('$A == "x" && $B == $C', { A: 'x', B: '1', C: '2' })).toBe(false);
    expect(holds('$A == "x"', {})).toBe(false);
    expect(() => holds('$A =~ /x/', { A: 'x' })).toThrow(/does not know/);
  });
});

it('a merge request has its preview from its opening to its end, whatever comes late', async () => {
  const { project, mergeRequestPipeline, branchPipeline, play } = await open();
  const { host } = project;
  const before = project.standing();
  const notes = () => host.world.notes(12).map(({ id, body, author }) => ({ id, body, isBot: author === host.world.accounts.bot }));
  const link = /\/-\/jobs\/77/;
  /** Nothing is written by it: no object, no receipt, no word on the merge request. */
  const quietly = async (act: () => Promise<Ended>): Promise<Ended> => {
    const now = async () => [project.standing(), project.writes(), (await project.ledger('pr-12')).history.length, notes()];
    const was = await now();
    const ended = await act();
    expect(await now()).toEqual(was);
    return ended;
  };

  // Opened.
  const first = await project.push('feature', 'one');
  host.world.open(12, first, { branch: 'feature' });
  const opened = template.pipeline(mergeRequestPipeline(12));
  expect(await play(jobNamed(opened, 'pilotfish_preview'))).toMatchObject({ code: 0 });
  expect(project.standing()).toMatchObject({ 'neon branches': expect.arrayContaining(['shop-pr-12']) });
  expect(commitOfFlag(project)).toEqual([first]);
  expect((await project.ledger('pr-12')).history).toMatchObject([{ event: 'merge_request', pr: 12, commit: first, outcome: 'complete' }]);
  expect(notes()).toMatchObject([{ isBot: true, body: expect.stringContaining('database') }]);
  const [note] = notes();
  expect(note?.body).toMatch(link);

  // Pushed, in a project that tests merged results: its commit is one that nobody deployed.
  const second = await project.push('feature', 'two', 'feature');
  host.world.push(12, second);
  const merged = await project.push('merged', 'a merge that the host made');
  const pushed = template.pipeline(mergeRequestPipeline(12, { merged }));
  expect(await play(jobNamed(pushed, 'pilotfish_preview'))).toMatchObject({ code: 0 });
  expect(commitOfFlag(project)).toEqual([second]);
  expect(notes()).toMatchObject([{ id: note?.id, body: expect.stringContaining(second.slice(0, 7)) }]);

  // The job of the first pipeline is retried.
  const late = await quietly(() => play(jobNamed(opened, 'pilotfish_preview')));
  expect(late).toMatchObject({ code: 0, stdout: expect.stringContaining('stale') });

  // Somebody presses "Stop" while it is open.
  expect(await quietly(() => play(stopOf(pushed, { isOpen: true })))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is open'),
  });

  // Closed. The image of the job may have the smaller shell.
  host.world.set(12, 'closed');
  expect(await play(stopOf(pushed), {}, ['sh', '-e'])).toMatchObject({ code: 0 });
  expect(project.standing()).toEqual(before);
  expect((await project.ledger('pr-12')).records.size).toBe(0);
  expect(notes()).toMatchObject([{ id: note?.id, body: expect.stringMatching(/destroy/i) }]);

  // Stopped twice; and the preview is retried by somebody who does not know.
  expect(await play(stopOf(pushed))).toMatchObject({ code: 0 });
  expect(await quietly(() => play(jobNamed(pushed, 'pilotfish_preview')))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('closed'),
  });
  expect(project.standing()).toEqual(before);

  // Opened again: somebody presses "Run pipeline".
  host.world.set(12, 'opened');
  const again = template.pipeline(mergeRequestPipeline(12));
  expect(await play(jobNamed(again, 'pilotfish_preview'))).toMatchObject({ code: 0 });
  expect(commitOfFlag(project)).toEqual([second]);

  // Another one opens; the first is merged, and GitLab's stop is missed. The schedule finds it.
  const other = await project.push('other', 'three');
  host.world.open(13, other, { branch: 'other' });
  expect(await play(jobNamed(template.pipeline(mergeRequestPipeline(13)), 'pilotfish_preview'))).toMatchObject({ code: 0 });
  const both = project.standing();
  host.world.set(12, 'merged');
  const [sweep] = template.pipeline(branchPipeline('main', await project.remote.git('rev-parse', 'main'), 'schedule'));
  if (!sweep) throw new Error('no sweep');
  expect(await play(sweep)).toMatchObject({ code: 0 });
  const without = (names: readonly string[] = []): readonly string[] =>
    names.filter((name) => !name.includes('pr-12') && !name.endsWith(' feature'));
  expect(project.standing()).toEqual(Object.fromEntries(Object.entries(both).map(([where, names]) => [where, without(names)])));
  expect((await project.ledger('pr-13')).records.size).toBeGreaterThan(0);
  expect(notes()).toHaveLength(1);
  expect(host.world.notes(13)).toHaveLength(1);
  expect(await project.locksLeft()).toEqual([]);
  project.verify();
});

it('a fork gets nothing, also where somebody took its rule away', async () => {
  const { project, mergeRequestPipeline, play } = await open();
  const head = await project.push('from-a-fork', 'hostile');
  project.host.world.open(12, head, { branch: 'from-a-fork', sourceProject: 77 });
  const pipeline = mergeRequestPipeline(12, { source: 77 });
  expect(template.pipeline(pipeline)).toEqual([]);
  const requests = [project.requests(), project.host.log.length, project.remote.count.pushes];
  for (const job of template.pipeline({ ...pipeline, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' })) {
    const ended = await play(job, { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '77' });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('comes from another repository') });
  }
  expect([project.requests(), project.host.log.length, project.remote.count.pushes]).toEqual(requests);
});

it('production waits for a person, whom the receipt names', async () => {
  const { project, branchPipeline, play } = await open();
  const [, production] = template.pipeline(branchPipeline('main', await project.remote.git('rev-parse', 'main')));
  expect(production).toMatchObject({ isManual: true, environment: { name: 'production' }, resourceGroup: 'production' });
  if (!production) return;
  expect(await play(production)).toMatchObject({ code: 0 });
  const { receipt, history } = await project.ledger('production', 'production');
  expect(receipt).toMatchObject({ approvedBy: 'ann', pr: null, branch: 'main' });
  expect(history).toMatchObject([{ event: 'push', outcome: 'complete' }]);
  expect(await play(production, { GITLAB_USER_LOGIN: '' })).toMatchObject({ code: 2 });
});

it('a ledger that is gone stops the next job, since the note tells of it, and is put back', async () => {
  const { project, mergeRequestPipeline, play } = await open();
  const head = await project.push('feature', 'one');
  project.host.world.open(12, head, { branch: 'feature' });
  const preview = jobNamed(template.pipeline(mergeRequestPipeline(12)), 'pilotfish_preview');
  expect(await play(preview)).toMatchObject({ code: 0 });
  const branch = 'refs/heads/pilotfish-receipts/preview/pr-12';
  const receipt = await project.remote.git('rev-parse', branch);
  await project.remote.git('update-ref', '-d', branch);
  const was = [project.standing(), project.writes()];
  const stopped = await play(preview);
  expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('the comment on the pull request 12') });
  expect(stopped.stderr).toContain(receipt.slice(0, 12));
  expect([project.standing(), project.writes()]).toEqual(was);
  await project.remote.git('update-ref', branch, receipt);
  expect(await play(preview)).toMatchObject({ code: 0 });
  expect([project.standing(), project.writes()]).toEqual(was);
});

it('without a token of the project the job uses its own: it reads and pushes, and the note is a warning', async () => {
  const { project, mergeRequestPipeline, play } = await open({ pushesWith: 'job' });
  const before = project.standing();
  const head = await project.push('feature', 'one');
  project.host.world.open(12, head, { branch: 'feature' });
  const jobs = template.pipeline(mergeRequestPipeline(12));
  const applied = await play(jobNamed(jobs, 'pilotfish_preview'), { GITLAB_TOKEN: '' });
  expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('Set GITLAB_TOKEN') });
  expect(project.host.world.notes(12)).toEqual([]);
  expect(await play(stopOf(jobs, { isOpen: true }), { GITLAB_TOKEN: '' })).toMatchObject({ stdout: expect.stringContaining('is open') });
  project.host.world.set(12, 'merged');
  expect(await play(stopOf(jobs), { GITLAB_TOKEN: '' })).toMatchObject({ code: 0 });
  expect(project.standing()).toEqual(before);
  project.verify();
});
