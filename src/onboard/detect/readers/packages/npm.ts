import type { FactReader, Reading, SourceFile } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, jsonNames, linesOfNames } from '../source.ts';
import { yamlLines } from '../yaml-lines.ts';
import { jsonOf, keysOf, mapOf, textOf, textsOf } from './json.ts';

/** The manifest of npm, pnpm, Yarn and Bun. */
export const packageJson: FactReader = {
  name: 'package.json',
  takes: (path) => baseOf(path) === 'package.json',
  endings: ['json'],
  read: async (file) => {
    const { root, problem } = await jsonOf(file.text);
    const listing = new Listing(file, 'npm');
    readLists(file, root, listing);
    readWorkspace(file, root, listing);
    for (const [name, command] of Object.entries(mapOf(root.scripts))) listing.script(name, command);
    return listing.reading({
      name: textOf(root.name),
      isPublished: isPublished(root),
      hasProgram: root.bin !== undefined,
      ...(problem !== undefined && { problem }),
    });
  },
};

function readLists(file: SourceFile, root: Record<string, unknown>, listing: Listing): void {
  const lineOf = linesOfNames(file.text, jsonNames);
  const add = (names: readonly string[], use: 'runtime' | 'develop'): void => {
    for (const name of names) if (isPackageName(name)) listing.package(name, use, lineOf(name));
  };
  const optional = mapOf(root.peerDependenciesMeta);
  const peers = keysOf(root.peerDependencies);
  add([...keysOf(root.dependencies), ...keysOf(root.optionalDependencies)], 'runtime');
  add(
    peers.filter((name) => mapOf(optional[name]).optional !== true),
    'runtime',
  );
  const develop = keysOf(root.devDependencies);
  if (isBundled(root)) add(bundledOf(develop, root.scripts), 'runtime');
  add([...develop, ...peers], 'develop');
}

/** A framework that bundles the app. A project that lists it for development lists what the app runs there as well. */
const bundlers = [
  '@sveltejs/kit',
  'astro',
  'nuxt',
  'next',
  '@solidjs/start',
  '@qwik.dev/city',
  '@builder.io/qwik-city',
  '@tanstack/react-start',
];

function isBundled(root: Record<string, unknown>): boolean {
  const develop = mapOf(root.devDependencies);
  if (bundlers.some((name) => Object.hasOwn(develop, name))) return true;
  return (
    keysOf(root.dependencies).length === 0 &&
    root.private === true &&
    (Object.hasOwn(develop, 'vite') || Object.hasOwn(develop, 'wrangler'))
  );
}

/** Programs that scripts start, and what only checks, formats and tests the code, are not in the bundle. */
function bundledOf(names: readonly string[], scripts: unknown): readonly string[] {
  const started = Object.values(mapOf(scripts))
    .filter((script) => typeof script === 'string')
    .join(' ; ')
    .slice(0, 100_000);
  const words = new Set(started.split(/[^\w@./-]+/));
  return names.filter((name) => !words.has(name) && !tool.test(name));
}

const tool =
  /^(?:@types\/|eslint|prettier|vitest|jest|@testing-library\/|@playwright\/|cypress|msw)|(?:^|[/-])(?:cli|tools|eslint|plugin|wrangler|vercel|supabase)(?:[/-]|$)/;

function readWorkspace(file: SourceFile, root: Record<string, unknown>, listing: Listing): void {
  const { workspaces } = root;
  for (const pattern of textsOf(Array.isArray(workspaces) ? workspaces : mapOf(workspaces).packages)) listing.member(pattern);
  const folder = folderOf(file.path);
  for (const list of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, version] of Object.entries(mapOf(root[list]))) {
      if (typeof version !== 'string') continue;
      const [, kind = '', place = ''] = /^(workspace|file|link|portal):(.*)$/.exec(version) ?? [];
      if (kind === 'workspace') listing.reference(name);
      else if (kind !== '' && !place.endsWith('.tgz')) listing.reference(folderAt(folder, place));
    }
  }
}

/** `files` and `publishConfig` say what is published. An app says `private`, or nothing at all. */
function isPublished(root: Record<string, unknown>): boolean | null {
  if (root.private === true) return false;
  return root.publishConfig !== undefined || Array.isArray(root.files) ? true : null;
}

const isPackageName = (name: string): boolean => name.length <= 214 && /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name);

/** Lists of members that stand beside `package.json`. */
export const npmWorkspace: FactReader = {
  name: 'lists of npm workspaces',
  takes: (path) => /(?:^|\/)(?:pnpm-workspace\.ya?ml|lerna\.json|rush\.json)$/.test(path),
  endings: ['yaml', 'yml', 'json'],
  read: async (file) => {
    const listing = new Listing(file, 'npm');
    if (!file.path.endsWith('.json')) {
      for (const { path, value } of yamlLines(file.text)) if (path[0] === 'packages' && path[1] === '-') listing.member(value);
      return listing.reading();
    }
    const { root, problem } = await jsonOf(file.text, true);
    for (const pattern of textsOf(root.packages)) listing.member(pattern);
    const projects: readonly unknown[] = Array.isArray(root.projects) ? root.projects : [];
    for (const project of projects) listing.member(textOf(mapOf(project).projectFolder) ?? '');
    return listing.reading(problem === undefined ? {} : { problem });
  },
};

/** A project of Nx. It may stand without a `package.json`; then the root lists its packages. */
export const nxProject: FactReader = {
  name: 'project.json of Nx',
  takes: (path) => baseOf(path) === 'project.json',
  endings: ['json'],
  read: async (file): Promise<Reading> => {
    const { root } = await jsonOf(file.text, true);
    if (root.targets === undefined && root.projectType === undefined) return {};
    const listing = new Listing(file, 'npm');
    for (const [name, target] of Object.entries(mapOf(root.targets))) {
      const { command, commands } = { ...mapOf(target), ...mapOf(mapOf(target).options) };
      listing.script(name, [textOf(command), ...textsOf(commands)].filter((one) => one !== null).join(' && '));
    }
    for (const name of textsOf(root.implicitDependencies)) listing.reference(name.replace(/^!/, ''));
    return listing.reading({ name: textOf(root.name) });
  },
};
