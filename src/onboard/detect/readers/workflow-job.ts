import type { Fact, HostEvidence, SourceFile, Start } from '../facts.ts';
import { awsServiceOf } from './aws-commands.ts';
import { callsAddress, hostOfHook, isCaller } from './deploy-hooks.ts';
import { buildsDocs, ofDocs } from './docs-builds.ts';
import { type HostCommand, hostCommand } from './host-commands.ts';
import { lineOf } from './host-file.ts';
import { idsOf, isOfPullRequest, paramOf } from './host-ids.ts';
import { type Image, imageOf, imageOfAction } from './images.ts';
import { serverCommand } from './server-commands.ts';
import { joined, type Started, startedIn } from './shell.ts';
import { startOf } from './starts.ts';
import { fromRoot, isReport, sourceOf } from './uploads.ts';
import { type DeployAction, deployActions, hostOfInputs, makerActions, makerCommands } from './workflow-actions.ts';
import { placeOfAction } from './workflow-places.ts';
import { exportsOf, fillExpressions, runnerVariables } from './workflow-values.ts';

export interface Step {
  readonly id: string | null;
  readonly uses: string | null;
  readonly run: string | null;
  readonly with: Record<string, unknown>;
  readonly env: readonly (readonly [string, unknown])[];
  readonly folder: string | null;
  /** Its condition keeps it away from pull requests. */
  readonly isAway: boolean;
}

export interface Job {
  /** Its key in the workflow. A matrix makes several jobs of one key. */
  readonly key: string;
  /** The values of its variables, with what nobody knows marked. */
  readonly env: ReadonlyMap<string, string>;
  /** Values of expressions by their text. */
  readonly known: ReadonlyMap<string, string>;
  readonly folder: string;
  /** It runs for pull requests. */
  readonly isPull: boolean;
  readonly steps: readonly Step[];
  /** It runs on a machine of its owner, and its name speaks of a deployment. */
  readonly isOnServer: boolean;
}

export interface JobFacts {
  readonly hosts: readonly HostEvidence[];
  readonly facts: readonly Fact[];
  readonly starts: readonly Start[];
  /** Where the images are built that it makes. */
  readonly images: readonly Image[];
  /** The folder whose build made the files of a site that another job publishes. */
  readonly site: string | null;
}

/** Reads what the steps of one job deploy, and where the app that they deploy is built. */
export function readJob(job: Job, file: SourceFile): JobFacts {
  const reading = new JobReading(job, file);
  for (const step of job.steps) reading.step(step);
  return reading.facts();
}

class JobReading {
  readonly #job: Job;
  readonly #file: SourceFile;
  readonly #known: Map<string, string>;
  readonly #env: Map<string, string>;
  readonly #names: Set<string>;
  readonly #hosts: HostEvidence[] = [];
  readonly #facts: Fact[] = [];
  readonly #starts: Start[] = [];
  readonly #images: Image[] = [];
  #site: string | null = null;
  /** It builds pages about the code. */
  #buildsDocs = false;
  /** It works on the files of another repository. */
  #isElsewhere = false;
  /** The job takes the variables of the branch from the host before it builds. */
  #takesVariables = false;
  #isBuilt = false;

  constructor(job: Job, file: SourceFile) {
    this.#job = job;
    this.#file = file;
    this.#known = new Map(job.known);
    this.#env = new Map([...runnerVariables, ...job.env]);
    this.#names = new Set(job.env.keys());
  }

  step(step: Step): void {
    const env = new Map(this.#env);
    for (const [name, value] of step.env) env.set(name, this.#fill(value));
    for (const [name] of step.env) this.#names.add(name);
    const folder = joined('', this.#fill(step.folder ?? this.#job.folder)) ?? '';
    const isPull = this.#job.isPull && !step.isAway;
    if (step.uses !== null) this.#action(step, folder, isPull);
    if (step.run !== null) this.#script(step.run, { env, folder, isPull, id: step.id });
  }

  facts(): JobFacts {
    const names = [...this.#names];
    const hosts = this.#hosts.map((one): HostEvidence => {
      const builds =
        one.provider === 'vercel' && this.#isBuilt
          ? this.#takesVariables
            ? 'host'
            : 'ci'
          : this.#takesVariables && one.provider === 'netlify'
            ? 'host'
            : one.builds;
      const variables = [...new Set([...(one.variables ?? []), ...(builds === 'ci' ? names : [])])];
      const host = this.#buildsDocs ? ofDocs(one) : one;
      return { ...host, ...(builds && { builds }), ...(variables.length > 0 && { variables }) };
    });
    return {
      hosts,
      facts: this.#facts,
      images: this.#images,
      site: this.#site,
      starts: this.#starts.map((one) => ({ ...one, variables: names })),
    };
  }

  #fill(value: unknown): string {
    return fillExpressions(
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '',
      this.#known,
    );
  }

  #action({ uses, with: given }: Step, folder: string, isPull: boolean): void {
    const [name = ''] = (uses ?? '').split('@');
    if (name.startsWith('.') || name.startsWith('docker:')) return;
    const line = lineOf(this.#file.text, uses ?? '');
    const names = [...new Set([name, name.split('/').slice(0, 2).join('/')])];
    for (const one of names) this.#facts.push({ kind: 'action', name: one, file: this.#file.path, line, use: 'ci' });
    const maker = makerActions[name];
    if (maker && isPull) this.#made(maker.service, maker.what, line);
    const input = (key: string): string | undefined => (key in given ? this.#fill(given[key]) : undefined);
    this.#prepares(name, input, folder);
    if (/cloudfront/i.test(name)) this.#reaches('aws:cloudfront', line);
    if (isCaller(name)) this.#hook(JSON.stringify(given), line, folder, isPull);
    const host = hostOfInputs(name, Object.keys(given));
    const action = actionOf(name) ?? (host === undefined ? undefined : { provider: host });
    if (!action || isReport((action.uploads && input(action.uploads)) ?? '')) return;
    if (action.command && input(action.command.input) !== undefined)
      this.#script(`${action.command.program} ${input(action.command.input)}`, {
        env: this.#env,
        folder: placeOfAction(action, input, folder),
        isPull,
        id: null,
        line,
      });
    else if (/^(?:close|remove)$/.test(input('action') ?? '')) return;
    else this.#deploys(action, input, { folder, isPull, line });
  }

  /** What is no deployment, and tells what a deployment takes: the checkout, images and the files of a site. */
  #prepares(name: string, input: (key: string) => string | undefined, folder: string): void {
    const other = name === 'actions/checkout' ? input('repository') : undefined;
    if (other !== undefined && input('path') === undefined) this.#isElsewhere = /^[\w.-]+\/[\w.-]+$/.test(other);
    const image = imageOfAction(name, input, folder);
    if (image) this.#images.push(image);
    if (name === 'actions/upload-pages-artifact') this.#site = fromRoot(sourceOf(input('path') ?? '')) ?? folder;
  }

  #deploys(
    action: DeployAction,
    input: (key: string) => string | undefined,
    { folder, isPull, line }: { readonly folder: string; readonly isPull: boolean; readonly line: number },
  ): void {
    if (action.isOfDocs === true) this.#buildsDocs = true;
    const app = action.app && input(action.app.input);
    const isProduction = action.production?.value.test(input(action.production.input) ?? '') ?? false;
    const values = Object.fromEntries(Object.entries(action.ids ?? {}).map(([param, key]) => [param, input(key)]));
    const sets = (action.sets ?? [])
      .flatMap((key) => (input(key) ?? '').split(/[\s,]+/))
      .flatMap((text) => /^([A-Za-z_]\w*)=/.exec(text)?.[1] ?? []);
    const config = action.config && input(action.config);
    this.#hosts.push({
      provider: action.provider,
      ...(action.product !== undefined && { product: action.product }),
      ...(action.builds && { builds: action.builds }),
      folder: placeOfAction(action, input, folder),
      file: this.#file.path,
      line,
      by: (isPull && !isProduction) || action.isPreview ? 'preview' : 'deploy',
      ...((isPull && !isProduction) || action.isPreview ? { previews: 'each' } : {}),
      ids: {
        ...idsOf(values),
        ...(app !== undefined && paramOf(app) !== null && { [isOfPullRequest(app) ? (action.app?.param ?? 'name') : 'application']: app }),
      },
      ...(sets.length > 0 && { variables: sets }),
      ...(config !== undefined && { targets: [config] }),
    });
  }

  #script(
    run: string,
    at: {
      readonly env: ReadonlyMap<string, string>;
      readonly folder: string;
      readonly isPull: boolean;
      readonly id: string | null;
      readonly line?: number;
    },
  ): void {
    const text = this.#fill(run);
    const first =
      at.line ??
      lineOf(
        this.#file.text,
        run
          .split('\n')
          .find((line) => line.trim() !== '')
          ?.trim() ?? '',
      );
    if (callsAddress(run)) this.#hook(run, first, at.folder, at.isPull);
    for (const started of startedIn(text, at.env)) {
      const line = first === 0 ? 0 : first + (at.line === undefined ? started.line - 1 : 0);
      const service = awsServiceOf(started);
      if (service !== null) this.#reaches(service, line);
      this.#facts.push({ kind: 'command', name: started.program, file: this.#file.path, line, use: 'ci' });
      this.#command(started, line, at);
      const start = startOf(started, { file: this.#file.path, folder: at.folder, by: at.isPull ? 'preview' : 'deploy', variables: [] });
      if (start) this.#starts.push(start);
    }
    for (const { name, value, to } of exportsOf(text)) {
      if (to === 'ENV') this.#env.set(name, value);
      this.#known.set(to === 'ENV' ? `env.${name}` : `steps.${at.id ?? ''}.outputs.${name}`, value);
    }
  }

  #command(started: Started, line: number, { folder, isPull }: { readonly folder: string; readonly isPull: boolean }): void {
    const { program, words } = started;
    const maker = isPull
      ? makerCommands.find(
          ({ programs, does }) => programs.includes(program) && does.test(words.filter((word) => !word.startsWith('-')).join(' ')),
        )
      : undefined;
    if (maker) this.#made(maker.service, 'a database for each pull request, made by a workflow', line);
    if (buildsDocs(started)) this.#buildsDocs = true;
    if (program === 'vercel' && words[0] === 'build') this.#isBuilt = true;
    if (
      (program === 'vercel' && words.includes('pull') && words.some((word) => word.startsWith('--git-branch'))) ||
      (program === 'netlify' && words[0] === 'build')
    )
      this.#takesVariables = true;
    const image = imageOf(started, folder);
    if (image) this.#images.push(image);
    const command = hostCommand(started) ?? (isPull ? null : serverCommand(started, this.#job.isOnServer || this.#env.has('DOCKER_HOST')));
    if (command && !(this.#isElsewhere && ofFiles.has(command.provider))) this.#hosts.push(this.#evidence(command, line, folder, isPull));
  }

  #evidence({ isProduction, isWeak, folder: inside, ...said }: HostCommand, line: number, folder: string, isPull: boolean): HostEvidence {
    const isPreview = isPull && !isProduction && !isWeak;
    const place = inside === null ? folder : (joined(folder, inside) ?? folder);
    return {
      ...said,
      folder:
        said.provider === 'convex'
          ? place === ''
            ? 'convex'
            : `${place}/convex`
          : said.provider === 'supabase'
            ? 'supabase/functions'
            : place,
      file: this.#file.path,
      line,
      by: isWeak ? 'script' : isPreview ? 'preview' : 'deploy',
      ...(isPreview && { previews: 'each' as const }),
    };
  }

  #reaches(module: string, line: number): void {
    this.#facts.push({ kind: 'module', name: module, file: this.#file.path, line, use: 'ci' });
  }

  /** A call that asks a host to deploy. The host's hook knows nothing of a pull request. */
  #hook(text: string, line: number, folder: string, isPull: boolean): void {
    const provider = isPull ? null : hostOfHook(text);
    if (provider !== null) this.#hosts.push({ provider, folder, file: this.#file.path, line, by: 'deploy', ids: {}, builds: 'host' });
  }

  #made(service: string, what: string, line: number): void {
    this.#hosts.push({
      provider: 'github',
      folder: '',
      file: this.#file.path,
      line,
      by: 'word',
      ids: {},
      isMaker: true,
      makes: [{ service, what }],
    });
  }
}

const lower = new Map(Object.entries(deployActions).map(([name, action]) => [name.toLowerCase(), action]));

/** GitHub ignores case in the names of actions. */
const actionOf = (name: string): DeployAction | undefined => lower.get(name.toLowerCase());

/** Hosts that take the files of a checkout. Others may take an image of this repository, with settings of another. */
const ofFiles = new Set(['app_stores', 'expo_eas', 'github_pages', 'vercel', 'netlify', 'cloudflare', 'firebase_hosting', 'surge']);
