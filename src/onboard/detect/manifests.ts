import { isMap } from '../../core/json.ts';
import { commandsIn } from './script-commands.ts';

type Read = (text: string) => Listed | Promise<Listed>;

/** The reader of package names for each kind of manifest. */
const kinds: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['package.json', readPackageJson],
  ['requirements.txt', (text) => ({ names: requirementsIn(text.split(/\r?\n/)) })],
  ['pyproject.toml', (text) => fromToml(text, pyproject)],
  ['Pipfile', (text) => fromToml(text, (root) => [...keys(root.packages), ...keys(root['dev-packages'])].map(pythonName))],
  ['go.mod', (text) => ({ names: modulesIn(text) })],
  ['Gemfile', (text) => ({ names: [...text.matchAll(/^[ \t]*gem[ \t(]+["']([\w.-]+)["']/gm)].map((match) => match[1] ?? '') })],
  ['composer.json', composer],
]);

/** `requirements-dev.txt` has the kind `requirements.txt`. */
const kindOf = (name: string): Read | undefined =>
  kinds.get(name) ?? kinds.get(name.replace(/^requirements[-_.][\w.-]*\.txt$/, 'requirements.txt'));

export const isManifest = (name: string): boolean => kindOf(name) !== undefined;

/** The names of the packages that a manifest lists, in the spelling of the language's registry, and the programs that its scripts start. */
export async function readManifest(name: string, text: string): Promise<Listed> {
  return (await kindOf(name)?.(text)) ?? { names: [] };
}

async function fromToml(text: string, namesOf: (root: Record<string, unknown>) => readonly string[]): Promise<Listed> {
  const { readToml } = await import('./data-file.ts');
  const { value, why } = readToml(text);
  return { names: isMap(value) ? namesOf(value) : [], ...(why !== undefined && { why }) };
}

/** Reads the lists of PEP 621 and PEP 735, and the lists of Poetry, uv and PDM under their own names. */
function pyproject(root: Record<string, unknown>): readonly string[] {
  const project = mapOf(root.project);
  const tool = mapOf(root.tool);
  const poetry = mapOf(tool.poetry);
  const requirements = [
    project.dependencies,
    ...Object.values(mapOf(project['optional-dependencies'])),
    ...Object.values(mapOf(root['dependency-groups'])),
    mapOf(tool.uv)['dev-dependencies'],
    ...Object.values(mapOf(mapOf(tool.pdm)['dev-dependencies'])),
  ];
  const groups = Object.values(mapOf(poetry.group)).map((group) => mapOf(group).dependencies);
  return [
    ...requirements.flatMap((list) => (Array.isArray(list) ? requirementsIn(list.filter((item) => typeof item === 'string')) : [])),
    ...[poetry.dependencies, poetry['dev-dependencies'], ...groups].flatMap(keys).map(pythonName),
  ];
}

/** Reads the names before versions, extras and markers (PEP 508). Addresses and options have no name. */
function requirementsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const name = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?=\s*(?:[[<>=!~;@#(,]|\\?\s*$))/.exec(line)?.[1];
    return name === undefined ? [] : [pythonName(name)];
  });
}

/** PEP 503: `Psycopg2_Binary` and `psycopg2-binary` are one package. */
const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Modules that `go.mod` requires directly, with and without the major version that ends their path: `…/stripe-go/v76`. */
function modulesIn(text: string): readonly string[] {
  const lines = [...text.matchAll(/^[ \t]*(?:require[ \t]+)?([\w.-]+(?:\/[\w.~-]+)+)[ \t]+v\d\S*(.*)$/gm)];
  return lines
    .filter((match) => !/\/\/\s*indirect/.test(match[2] ?? ''))
    .flatMap((match) => {
      const path = match[1] ?? '';
      const bare = path.replace(/\/v\d+$/, '');
      return bare === path ? [path] : [path, bare];
    });
}

async function composer(text: string): Promise<Listed> {
  try {
    const root: unknown = JSON.parse(text);
    if (!isMap(root)) return { names: [] };
    return { names: [...keys(root.require), ...keys(root['require-dev'])], commands: commandsIn(root.scripts) };
  } catch {
    const { readBrokenJson } = await import('./data-file.ts');
    return { names: [], why: readBrokenJson(text).why };
  }
}

const mapOf = (value: unknown): Record<string, unknown> => (isMap(value) ? value : {});
const keys = (value: unknown): readonly string[] => Object.keys(mapOf(value));

/** The names that a manifest lists, and its mistake. The words of `why` follow the name of the file. */
export interface Listed {
  readonly names: readonly string[];
  /** Programs that its scripts start. */
  readonly commands?: readonly string[];
  readonly why?: string;
}

const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * The packages of a `package.json`. A broken file is read as far as possible, because a merge conflict does not change what an app uses.
 */
export async function readPackageJson(text: string): Promise<Listed> {
  try {
    return listed(JSON.parse(text));
  } catch {
    const { readBrokenJson } = await import('./data-file.ts');
    const { value, why } = readBrokenJson(text);
    return { ...listed(value), why };
  }
}

function listed(value: unknown): Listed {
  if (!isMap(value)) return { names: [], why: 'holds no JSON object' };
  const names = lists.flatMap((list) => (isMap(value[list]) ? Object.keys(value[list]).filter(isPackageName) : []));
  const commands = commandsIn(value.scripts);
  return { names, ...(commands.length > 0 && { commands }) };
}

const isPackageName = (name: string): boolean => name.length <= 214 && /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name);
