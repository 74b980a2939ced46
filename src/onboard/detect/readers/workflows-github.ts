import { isMap } from '../../../core/json.ts';
import type { Asked, Fact, FactReader, HostEvidence, Reading, Schedule, SourceFile, Start, VariableUse } from '../facts.ts';
import { lineOf, listOf, mapOf, mapsOf, pairsOf, textOf, variablesIn } from './host-file.ts';
import { withoutTag } from './host-other.ts';
import { ofImages } from './images.ts';
import { type Job, type JobFacts, readJob, type Step } from './workflow-job.ts';
import { excludesPulls, fillExpressions, namesOfVault } from './workflow-values.ts';

/** Workflows of GitHub, and actions of the repository itself. The preview workflow of a repository is the best witness of its host. */
export const githubWorkflows: FactReader = {
  name: 'github-workflows',
  takes: (path) => /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/.test(path),
  endings: ['yaml', 'yml'],
  read: async (file, asked) => {
    const { readDataFile } = await import('../data-file.ts');
    const root = readDataFile(file.path, file.text);
    if (!isMap(root)) return {};
    const jobs = jobsOf(root, file);
    const said = jobs.map((job) => readJob(job, file));
    const images = said.flatMap((one) => one.images);
    const [site, ...more] = new Set(said.flatMap((one) => one.site ?? []));
    const placed = said.map((one) => ({
      ...one,
      hosts: one.hosts
        .flatMap((host) => ofImages(host, one.images.length > 0 ? one.images : images))
        .map((host) =>
          host.provider === 'github_pages' && host.folder === '' && more.length === 0 ? { ...host, folder: site ?? '' } : host,
        ),
    }));
    const isHanded = handsOver(file, placed);
    const deploying = new Set(jobs.filter((_, i) => said[i]?.hosts.some(deploys)).map(({ key }) => key));
    return {
      hosts: unique(placed.flatMap(({ hosts }) => hosts)).filter(
        ({ isMaker, provider }) => (isMaker !== true || isHanded) && !(provider === 'own_server' && isOfData(file)),
      ),
      facts: uniqueFacts([...said.flatMap((one) => factsOf(one)), ...servicesOf(root, file)]),
      variables: variablesOf(root, file, { asked, deploying }),
      schedules: schedulesOf(root, file),
      starts: uniqueStarts(said.flatMap(({ starts }) => starts)),
    } satisfies Reading;
  },
};

const deploys = ({ by, isMaker }: HostEvidence): boolean => (by === 'preview' || by === 'deploy') && isMaker !== true;

/**
 * Tells whether a workflow deploys a preview, or gives a host a variable. A database that it makes for anything else is for its own tests.
 */
const handsOver = ({ text }: SourceFile, jobs: readonly Pick<JobFacts, 'hosts'>[]): boolean =>
  jobs.some(({ hosts }) => hosts.some(({ by, isMaker }) => by === 'preview' && isMaker !== true)) ||
  !/^[ \t]*-?[ \t]*(?:run|uses):.*\b(?:test|tests|e2e|playwright|cypress|vitest|jest|pytest|lint)\b/im.test(text);

/** A workflow that works on a database, such as a copy of it. Its `ssh` deploys nothing. */
const isOfData = ({ path }: SourceFile): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /(?:^|[-_.])(?:db|database|backups?|restore|seed|dump)(?:[-_.]|$)/i.test(name) && !/deploy|release|publish/i.test(name);
};

/** What a job that deploys reaches, such as the cache before the app, is of the app. */
const factsOf = ({ facts, hosts }: JobFacts): readonly Fact[] =>
  hosts.some(deploys) ? facts.map((fact) => (fact.kind === 'module' ? { ...fact, use: 'runtime' as const } : fact)) : facts;

const eventsOf = (root: Record<string, unknown>): ReadonlyMap<string, Record<string, unknown>> => {
  const on = root.on ?? root.true;
  const names = typeof on === 'string' ? [on] : Array.isArray(on) ? on.filter((name) => typeof name === 'string') : null;
  return names ? new Map(names.map((name) => [name, {}])) : new Map(pairsOf(on).map(([name, about]) => [name, mapOf(about)]));
};

/** Tells whether a workflow runs for pull requests, beside their end. */
function isForPulls(root: Record<string, unknown>, { path, text }: SourceFile): boolean {
  const events = eventsOf(root);
  for (const name of ['pull_request', 'pull_request_target']) {
    const types = listOf(events.get(name)?.types);
    if (events.has(name) && !(types.length > 0 && types.every((type) => type === 'closed'))) return true;
  }
  if (events.has('workflow_run')) return /workflow_run\.event\s*==\s*'pull_request'/.test(text);
  // A workflow that others call tells by its name or its words what for.
  const isCalled = events.has('workflow_call') || /(?:^|\/)action\.ya?ml$/.test(path);
  return (
    isCalled &&
    (/preview|review|pull|(?:^|[-_/])pr[-_.]/i.test(path.slice(path.lastIndexOf('/') + 1)) ||
      /event\.(?:pull_request\.)?number|head_ref/.test(text))
  );
}

/** Without a list of branches, or with a pattern, a push of each branch runs it. */
function isForBranches(root: Record<string, unknown>, { text }: SourceFile): boolean {
  const push = eventsOf(root).get('push');
  if (!push || push.tags !== undefined || push.paths_ignore !== undefined) return false;
  const branches = listOf(push.branches);
  const isOpen = push.branches === undefined || branches.some((branch) => typeof branch === 'string' && /^\*/.test(branch));
  return isOpen && /github\.ref_name|GITHUB_REF_NAME/.test(text);
}

function jobsOf(root: Record<string, unknown>, file: SourceFile): readonly Job[] {
  const isPull = isForPulls(root, file) || isForBranches(root, file);
  const known = new Map(inputsOf(root).map(([name, value]) => [`inputs.${name}`, value]));
  const outer = filled(root.env, known);
  const jobs: Job[] = [];
  const all = 'runs' in root ? [['action', root.runs] as const] : pairsOf(root.jobs);
  for (const [key, job] of all) {
    if (!isMap(job)) continue;
    for (const chosen of matrixOf(job)) {
      const values = new Map([...known, ...chosen, ...named('env', outer)]);
      const env = new Map([...outer, ...filled(job.env, values)]);
      const folder =
        textOf(mapOf(mapOf(job.defaults).run)['working-directory']) ?? textOf(mapOf(mapOf(root.defaults).run)['working-directory']);
      jobs.push({
        key,
        env,
        known: new Map([...values, ...named('env', env)]),
        folder: folder ?? '',
        isPull: isPull && !excludesPulls(job.if),
        isOnServer:
          [job['runs-on']].flat().includes('self-hosted') &&
          /deploy|deliver|release|publish|prod|staging|(?:^|[^a-z])cd(?:[^a-z]|$)/i.test(`${file.path} ${key} ${textOf(job.name) ?? ''}`),
        steps: typeof job.uses === 'string' ? [called(job, job.uses)] : mapsOf(job.steps).map(stepOf),
      });
    }
  }
  return jobs;
}

const stepOf = (step: Record<string, unknown>): Step => ({
  id: textOf(step.id) ?? null,
  uses: textOf(step.uses) ?? null,
  run: textOf(step.run) ?? null,
  with: mapOf(step.with),
  env: pairsOf(step.env),
  folder: textOf(step['working-directory']) ?? null,
  isAway: excludesPulls(step.if),
});

/** A job that another workflow holds. It may be given what it runs. */
const called = (job: Record<string, unknown>, uses: string): Step => ({
  id: null,
  uses,
  run: commandsOf(job.with),
  with: mapOf(job.with),
  env: [],
  folder: null,
  isAway: false,
});

const commandsOf = (inputs: unknown): string | null =>
  pairsOf(inputs)
    .flatMap(([name, value]) => (/(?:^|[-_])(?:commands?|cmd|script|run)$/.test(name) && typeof value === 'string' ? [value] : []))
    .join('\n') || null;

const named = (scope: string, values: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...values].map(([name, value]) => [`${scope}.${name}`, value] as const);

function filled(env: unknown, known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairsOf(env)) values.set(name, fillExpressions(String(value), known));
  return values;
}

/** Defaults of the inputs with which somebody starts a workflow, or another calls it. */
function inputsOf(root: Record<string, unknown>): readonly (readonly [string, string])[] {
  const events = eventsOf(root);
  const all = ['workflow_call', 'workflow_dispatch'].flatMap((name) => pairsOf(events.get(name)?.inputs));
  return [...all, ...pairsOf(root.inputs)].flatMap(([name, about]) => {
    const value = mapOf(about).default;
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
}

const mostOfMatrix = 12;

/** The values of a job's matrix, one map for each job that runs. */
function matrixOf(job: Record<string, unknown>): readonly ReadonlyMap<string, string>[] {
  const matrix = mapOf(mapOf(job.strategy).matrix);
  let chosen: ReadonlyMap<string, string>[] = [new Map()];
  const items = (list: unknown): readonly unknown[] => listOf(list).slice(0, mostOfMatrix);
  for (const [key, list] of Object.entries(matrix)) {
    if (key === 'exclude' || items(list).length === 0) continue;
    const maps = items(list).map((item) => new Map(isMap(item) ? fieldsOf(key, item) : [[`matrix.${key}`, String(item)]]));
    // `include` adds whole rows to what the other keys make.
    chosen =
      key === 'include'
        ? [...(chosen.length > 1 ? chosen : []), ...maps]
        : chosen.flatMap((one) => maps.map((more) => new Map([...one, ...more])));
    chosen = chosen.slice(0, mostOfMatrix);
  }
  return chosen;
}

const fieldsOf = (key: string, item: Record<string, unknown>): readonly (readonly [string, string])[] =>
  Object.entries(item).map(([field, value]) => [key === 'include' ? `matrix.${field}` : `matrix.${key}.${field}`, String(value)] as const);

/** Containers beside a job show what its tests need. */
function servicesOf(root: Record<string, unknown>, { path, text }: SourceFile): readonly Fact[] {
  return Object.values(mapOf(root.jobs)).flatMap((job) =>
    Object.values(mapOf(mapOf(job).services)).flatMap((service): readonly Fact[] => {
      const image = textOf(service) ?? textOf(mapOf(service).image);
      return image === undefined || image.includes('$')
        ? []
        : [{ kind: 'image', name: withoutTag(image), file: path, line: lineOf(text, image), use: 'ci' }];
    }),
  );
}

interface Naming {
  readonly asked: Asked;
  /** The keys of the jobs that deploy. What they set is set for the app. */
  readonly deploying: ReadonlySet<string>;
}

/** Names of `env` at every level, and of the secrets that the workflow takes. */
function variablesOf(root: Record<string, unknown>, file: SourceFile, { asked, deploying }: Naming): readonly VariableUse[] {
  const jobs = pairsOf(root.jobs).map(([key, job]) => ({ isOfApp: deploying.has(key), job: mapOf(job) }));
  const place = { where: 'workflow', use: 'ci' } as const;
  const setIn = (nodes: readonly Record<string, unknown>[], use: VariableUse['use']): readonly VariableUse[] =>
    variablesIn(
      nodes.flatMap(({ env }) => pairsOf(env)),
      file,
      asked,
      { ...place, use },
    );
  const inJobs = (isWanted: boolean) =>
    jobs.filter(({ isOfApp }) => isOfApp === isWanted).flatMap(({ job }) => [job, ...mapsOf(job.steps)]);
  const action = mapsOf(mapOf(root.runs).steps);
  const forApp = setIn(deploying.size > 0 ? [root, ...inJobs(true), ...(deploying.has('action') ? action : [])] : [], 'runtime');
  const known = new Set(forApp.map(({ name }) => name));
  const set = [...forApp, ...setIn([root, ...inJobs(false), ...action], 'ci').filter(({ name }) => !known.has(name))];
  const names = new Set(set.map(({ name }) => name));
  const kept = namesOfVault(file.text);
  const vault = kept
    .filter((name) => !names.has(name))
    .map(
      (name): VariableUse => ({ name, file: file.path, line: lineOf(file.text, name), ...place, hosts: [], schemes: [], keptIn: 'github' }),
    );
  return [...set.map((one) => (kept.includes(one.name) ? { ...one, keptIn: 'github' } : one)), ...vault];
}

function schedulesOf(root: Record<string, unknown>, { path, text }: SourceFile): readonly Schedule[] {
  const on = root.on ?? root.true;
  return isMap(on) && on.schedule !== undefined ? [{ file: path, line: lineOf(text, 'schedule'), by: 'github' }] : [];
}

const unique = (hosts: readonly HostEvidence[]): readonly HostEvidence[] => [
  ...new Map(hosts.map((one) => [JSON.stringify(one), one])).values(),
];
const uniqueFacts = (facts: readonly Fact[]): readonly Fact[] => [
  ...new Map(facts.map((fact) => [`${fact.kind}:${fact.name}:${fact.use}`, fact])).values(),
];
const uniqueStarts = (starts: readonly Start[]): readonly Start[] => [...new Map(starts.map((one) => [JSON.stringify(one), one])).values()];
