import { isMap } from '../../../core/json.ts';
import type { Asked, Fact, FactReader, HostEvidence, Reading, SourceFile, Start, VariableUse } from '../facts.ts';
import { hostCommand } from './host-commands.ts';
import { lineOf, listOf, mapOf, pairsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';
import { withoutTag } from './host-other.ts';
import { joined, startedIn } from './shell.ts';
import { startOf } from './starts.ts';
import { ciParts } from './workflow-parts.ts';
import { exportsOf, runnerVariables } from './workflow-values.ts';

/** GitLab, CircleCI, Bitbucket, Azure Pipelines, Buildkite, Drone, Woodpecker, Semaphore, Travis: lists of commands with settings above them. */
export const otherWorkflows: FactReader = {
  name: 'other-workflows',
  takes: (path) =>
    /(?:^|\/)(?:\.gitlab-ci[\w.-]*\.ya?ml|\.gitlab\/(?:ci\/)?[\w./-]+\.ya?ml|\.circleci\/[\w.-]+\.ya?ml|bitbucket-pipelines\.ya?ml|\.?azure[-_]pipelines?[\w.-]*\.ya?ml|\.azure-pipelines\/[\w./-]+\.ya?ml|\.?buildkite\/[\w.-]+\.ya?ml|\.drone\.ya?ml|\.woodpecker(?:\/[\w.-]+)?\.ya?ml|\.semaphore\/[\w.-]+\.ya?ml|\.travis\.ya?ml|codemagic\.ya?ml|bitrise\.ya?ml|appveyor\.ya?ml)$/.test(
      path,
    ),
  endings: ['yaml', 'yml'],
  read: async (file, asked) => {
    const { readDataFile } = await import('../data-file.ts');
    const root = readDataFile(file.path, file.text);
    if (!isMap(root)) return {};
    const walk = new Walk(file, asked);
    const templates = Object.fromEntries(pairsOf(root).filter(([, value]) => isMap(value)));
    walk.at(root, { folder: '', env: new Map([...runnerVariables, ...envOf(root)]), isPull: false, isProduction: false, templates }, 0);
    walk.parts(root);
    return walk.reading();
  },
};

interface Context {
  readonly folder: string;
  readonly env: ReadonlyMap<string, string>;
  readonly isPull: boolean;
  /** Its conditions name the main branch. */
  readonly isProduction: boolean;
  /** Jobs that others extend. */
  readonly templates: { readonly [name: string]: unknown };
}

const commandKeys = new Set([
  'script',
  'before_script',
  'after_script',
  'commands',
  'command',
  'run',
  'inlineScript',
  'bash',
  'sh',
  'pwsh',
  'powershell',
  'deploy',
  'after_success',
  'content',
]);
const envKeys = ['environment', 'variables', 'env', 'environment_variables'];
const deepest = 14;

function envOf(node: Record<string, unknown>): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const key of envKeys) {
    for (const [name, value] of pairsOf(node[key]))
      if (/^[A-Za-z_]\w*$/.test(name) && (typeof value === 'string' || typeof value === 'number')) values.set(name, String(value));
    // Azure and CircleCI have lists of names and values as well.
    for (const item of listOf(node[key]))
      if (isMap(item))
        for (const [name, value] of Object.entries(item))
          if (typeof value === 'string' && name !== 'name' && name !== 'value') values.set(name, value);
  }
  return values;
}

/** Words by which a job or a stage says that it runs for pull requests. */
const pullWords =
  /merge_request|merge_requests|pull[-_ ]?request|CI_MERGE_REQUEST|build\.pull_request|Build\.Reason.*PullRequest|^review\/|pull_request/i;
const mainWords = /==\s*["']?(?:refs\/heads\/)?(?:main|master|production)\b|\$CI_DEFAULT_BRANCH|^(?:main|master|production)$/;

class Walk {
  readonly #file: SourceFile;
  readonly #asked: Asked;
  readonly #hosts: HostEvidence[] = [];
  readonly #starts: Start[] = [];
  readonly #facts = new Map<string, Fact>();
  readonly #variables = new Map<string, VariableUse>();

  constructor(file: SourceFile, asked: Asked) {
    this.#file = file;
    this.#asked = asked;
  }

  reading(): Reading {
    const hosts = [...new Map(this.#hosts.map((one) => [JSON.stringify(one), one])).values()];
    const isScheduled = /^[ \t]*(?:schedules?|cron):|CI_PIPELINE_SOURCE.*schedule/m.test(this.#file.text);
    const schedules = isScheduled ? [{ file: this.#file.path, line: 0, by: 'ci' }] : [];
    // What is set for a build that is deployed is set for the app.
    const ofApp = new Set(hosts.flatMap(({ by, variables }) => (by === 'preview' || by === 'deploy' ? (variables ?? []) : [])));
    const variables = [...this.#variables.values()].map((one): VariableUse => (ofApp.has(one.name) ? { ...one, use: 'runtime' } : one));
    return { hosts, facts: [...this.#facts.values()], variables, schedules, starts: this.#starts };
  }

  /** Orbs, pipes, tasks, images and templates. */
  parts(root: Record<string, unknown>): void {
    const { hosts, facts } = ciParts(root, this.#file);
    this.#hosts.push(...hosts);
    for (const fact of facts) this.#facts.set(`${fact.kind}:${fact.name}`, fact);
  }

  at(node: unknown, context: Context, depth: number): void {
    if (depth > deepest) return;
    if (Array.isArray(node)) for (const item of node) this.at(item, context, depth + 1);
    if (!isMap(node)) return;
    const inner = this.#inside(node, context);
    for (const [key, value] of Object.entries(node)) {
      if (commandKeys.has(key) && !isMap(value)) for (const text of textsOf(value)) this.#script(text, inner);
      if (key === 'image') this.#image(textOf(value) ?? textOf(mapOf(value).name));
      const isPull = inner.isPull || /^pull-requests?$/.test(key);
      if (!envKeys.includes(key)) this.at(value, { ...inner, isPull }, depth + 1);
    }
  }

  #inside(node: Record<string, unknown>, context: Context): Context {
    const own = envOf(node);
    for (const one of variablesIn([...own], this.#file, this.#asked, { where: 'workflow', use: 'ci' })) this.#variables.set(one.name, one);
    const parents = [node.extends].flat().flatMap((name) => (typeof name === 'string' ? [mapOf(context.templates[name])] : []));
    const conditions = [node, ...parents].flatMap(({ rules, only, if: test, condition, branches, when, environment }) =>
      textsOf([rules, only, test, condition, branches, when, mapOf(environment).name ?? environment]),
    );
    const folder =
      textOf(node.working_directory) ?? textOf(node.workingDirectory) ?? textOf(mapOf(node.inputs).workingDirectory) ?? textOf(node.dir);
    return {
      ...context,
      env: own.size > 0 ? new Map([...context.env, ...own]) : context.env,
      folder: folder === undefined ? context.folder : (joined('', folder.replace(/^~\/(?:project|repo)\/?/, '')) ?? ''),
      isPull: context.isPull || conditions.some((text) => pullWords.test(text)),
      isProduction: context.isProduction || conditions.some((text) => mainWords.test(text)),
    };
  }

  #image(image: string | undefined): void {
    if (image === undefined || image.includes('$')) return;
    const name = withoutTag(image);
    this.#facts.set(`image:${name}`, { kind: 'image', name, file: this.#file.path, line: lineOf(this.#file.text, image), use: 'ci' });
  }

  #script(text: string, { env, folder, isPull, isProduction }: Context): void {
    const first = lineOf(
      this.#file.text,
      text
        .split('\n')
        .find((line) => line.trim() !== '')
        ?.trim() ?? '',
    );
    const plain = text.replace(/\$\(([A-Za-z_][\w.]*)\)/g, (_, name: string) => env.get(name) ?? `\${${name.replaceAll('.', '_')}}`);
    const given = new Map([...env, ...exportsOf(text).map(({ name, value }) => [name, value] as const)]);
    for (const started of startedIn(plain, given)) {
      const line = first === 0 ? 0 : first + started.line - 1;
      this.#facts.set(`command:${started.program}`, { kind: 'command', name: started.program, file: this.#file.path, line, use: 'ci' });
      const names = [...env.keys()].filter((name) => !runnerVariables.has(name));
      const by = isPull && !isProduction ? 'preview' : 'deploy';
      const start = startOf(started, { file: this.#file.path, folder, by, variables: names });
      if (start) this.#starts.push(start);
      const command = hostCommand(started);
      if (!command) continue;
      const { isProduction: toProduction, isWeak, folder: inside, ...said } = command;
      const isPreview = isPull && !isProduction && !toProduction && !isWeak;
      const variables = said.builds === 'ci' ? names : [];
      this.#hosts.push({
        ...said,
        ids: idsOf(said.ids),
        ...(variables.length > 0 && { variables: [...new Set([...(said.variables ?? []), ...variables])] }),
        folder:
          said.provider === 'convex'
            ? 'convex'
            : said.provider === 'supabase'
              ? 'supabase/functions'
              : ((inside === null ? null : joined(folder, inside)) ?? folder),
        file: this.#file.path,
        line,
        by: isWeak ? 'script' : isPreview ? 'preview' : 'deploy',
        ...(isPreview && { previews: 'each' as const }),
      });
    }
  }
}

/** The texts in a value, at any depth of lists and of maps such as those of conditions. */
function textsOf(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, depth + 1));
  return isMap(value)
    ? Object.entries(value).flatMap(([key, item]) =>
        key === 'command' || key === 'if' || key === 'refs' || key === 'only' || key === 'condition' ? textsOf(item, depth + 1) : [],
      )
    : [];
}
