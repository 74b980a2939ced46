import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseMermaid, renderMermaidSVG } from 'beautiful-mermaid';
import { transform } from 'esbuild';
import { parse as parseToml } from 'smol-toml';
import { parseAllDocuments } from 'yaml';
import type { CodeBlock } from '../../scripts/docs/read-page.ts';
import { root } from '../../scripts/tasks.ts';
import { parseArgv } from '../../src/cli/parse.ts';
import { errorTable } from '../../src/core/error-table.ts';
import { Failure, Failures } from '../../src/core/errors.ts';
import { isMap } from '../../src/core/json.ts';
import { readService } from '../../src/onboard/catalogue/read-service.ts';
import { problemsOfPlan } from './check-plan.ts';

export interface Surroundings {
  /** A folder for the plan that is looked at. */
  readonly folder: string;
  /** Names of scripts in package.json. */
  readonly scripts: readonly string[];
}

/** What is wrong with a code block of a page, by its language. TypeScript is looked at as a whole, elsewhere. */
export async function problemsOf({ language, text }: CodeBlock, { folder, scripts }: Surroundings): Promise<readonly string[]> {
  switch (language) {
    case 'yaml':
      return await problemsOfYaml(text, folder);
    case 'toml':
      return reasons(() => parseToml(text));
    case 'json':
      return reasons(() => JSON.parse(text.replace(/,\s*…\n/g, '\n')));
    case 'sh':
      return text.split('\n').flatMap((line) => problemsOfCommand(line, scripts));
    case 'js':
      return await transform(text, { loader: 'js' }).then(() => [], told);
    case 'mermaid':
      return reasons(() => (text.startsWith('sequenceDiagram') ? renderMermaidSVG(text) : parseMermaid(text)));
    case 'text':
      return problemsOfError(text);
    case 'ts':
    // test/real/postgres-page.test.ts runs them.
    case 'sql':
      return [];
    default:
      return [`nothing here knows how to check ${language === '' ? 'a block without a language' : language}`];
  }
}

/** A line of a plan that takes the value of a param, one a line where a page shows several ways to write it. */
const secretParam = /^secret: .+$/;
const planWith = (param: string): string =>
  `changes:\n  - id: hook\n    recipe: github.repo_webhook\n    repo: acme/shop\n    url: https://\${ctx.scope}.example.com\n    ${param}\n`;

async function problemsOfYaml(text: string, folder: string): Promise<readonly string[]> {
  const lines = text.trim().split('\n');
  if (lines.every((line) => secretParam.test(line))) {
    const problems: string[] = [];
    for (const line of lines) problems.push(...(await problemsOfPlan(planWith(line), folder)));
    return problems;
  }
  const documents = parseAllDocuments(text);
  const broken = documents.flatMap(({ errors }) => errors.map(({ message }) => message));
  if (broken.length > 0) return broken;
  const value: unknown = documents[0]?.toJS();
  if (Array.isArray(value))
    return value.every((step) => isMap(step) && ('uses' in step || 'run' in step)) ? [] : ['a step neither uses nor runs'];
  if (!isMap(value)) return ['it is no map'];
  if ('changes' in value || 'providers' in value) return await problemsOfPlan(text, folder);
  if (Array.isArray(value.include))
    return value.include.every((one) => isMap(one) && typeof one.local === 'string') ? [] : ['it includes no file'];
  if (typeof value.kind === 'string') return problemsOfService(text, String(value.name));
  if (!isMap(value.jobs)) return ['it is neither a plan nor a workflow'];
  const jobs = Object.entries(value.jobs).filter(
    ([, job]) => !isMap(job) || typeof job['runs-on'] !== 'string' || !Array.isArray(job.steps),
  );
  return [...(isMap(value.on) ? [] : ['the workflow has no events']), ...jobs.map(([name]) => `the job ${name} runs nothing`)];
}

/** Programs of others that the pages use: what they are told is theirs to know. */
const others = new Set(['apt-get', 'aws', 'bash', 'cd', 'claude', 'codex', 'cp', 'cut', 'echo', 'export', 'git', 'mkdir', 'npx', 'xargs']);

/** A page may be in a folder of an example. The programs of builds are those that their sources make. */
const withoutUp = (path: string): string =>
  path.replace(/^(?:\.\.\/)+/, '').replace(/^sandbox\/dist\/pilotfish-sandbox\.js$/, 'sandbox/program.ts');

/** The command after `--` is looked at like any other. */
function problemsOfSandbox(args: readonly string[]): readonly string[] {
  const [program, ...rest] = args.slice(args.indexOf('--') + 1);
  return args.includes('--') && program === 'pilotfish' ? reasons(() => parseArgv(rest)) : [];
}

/** The commands of one line: ours by our own parser, scripts by their names, files by whether they are there. */
function problemsOfCommand(line: string, scripts: readonly string[]): readonly string[] {
  const commands = withoutComment(line).split(/\s*(?:&&|\|\|?|;)\s*/);
  return commands.flatMap((whole) => {
    // A shell takes where the output goes.
    const command = whole.replace(/\s+>>?\s+\S+$/, '');
    const [program, ...args] = words(command.replace(/^(?:[A-Z_]+=\S*\s+)+/, ''));
    if (program === undefined) return [];
    if (program === 'pilotfish') return reasons(() => parseArgv(args));
    if (program === 'node') return existsSync(join(root, withoutUp(args[0] ?? ''))) ? [] : [`${command}: there is no such file`];
    if (program === 'pilotfish-sandbox') return problemsOfSandbox(args);
    if (program === 'npm') return problemsOfNpm(args, scripts);
    return others.has(program) ? [] : [`${command}: a program that nothing here knows`];
  });
}

function problemsOfNpm([word, name]: readonly string[], scripts: readonly string[]): readonly string[] {
  if (word === 'ci' || word === 'install') return [];
  const script = word === 'run' ? name : word;
  return script !== undefined && scripts.includes(script) ? [] : [`npm has no script ${script ?? ''}`];
}

const withoutComment = (line: string): string => line.replace(/(^|\s)#.*$/, '').trim();

/** Words as a shell sees them; a placeholder such as `<commit>` is one. */
const words = (command: string): readonly string[] =>
  [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/^["']|["']$/g, ''));

/** What pilotfish prints of an error begins with a code and the summary of that very code. */
function problemsOfError(text: string): readonly string[] {
  const [head = ''] = text.split('\n');
  const [, code = '', rest = ''] = /^([A-Z_]+) {2,}(.*)$/.exec(head) ?? [];
  const entry = Object.entries(errorTable).find(([name]) => name === code)?.[1];
  if (!entry) return ['it shows no error, so nothing here can check it'];
  return rest.startsWith(entry.summary) ? [] : [`${code} is summed up as "${entry.summary}"`];
}

function reasons(look: () => unknown): readonly string[] {
  try {
    look();
    return [];
  } catch (thrown) {
    return told(thrown);
  }
}

function told(thrown: unknown): readonly string[] {
  if (thrown instanceof Failures) return thrown.failures.map(({ detail }) => detail);
  return [thrown instanceof Failure ? thrown.detail : String(thrown)];
}

/** A file of the catalogue of services. */
function problemsOfService(text: string, name: string): readonly string[] {
  try {
    readService(text, name);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return [thrown.detail];
  }
}
