import type { FactReader, SourceFile } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOf, linesOfNames, matchesOf, withoutComments } from '../source.ts';
import { yamlLines } from '../yaml-lines.ts';
import { keysOf, mapOf, textOf, textsOf, tomlOf } from './json.ts';

/** PEP 503: `Psycopg2_Binary` and `psycopg2-binary` are one package. */
const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Names of groups and files whose packages do not run in production. */
const developName =
  /(?:^|[-_.])(?:dev|develop|development|devel|test|tests|testing|lint|linting|docs?|typing|types|ci|build|local|format|style|bench)(?:[-_.]|$)/i;
const useOfGroup = (name: string): 'runtime' | 'develop' => (developName.test(name) ? 'develop' : 'runtime');

/**
 * Adds a requirement of PEP 508: the name before versions and markers. A package with extras counts with them as well, because an extra may
 * name the service: `django-anymail[postmark]`.
 */
function addRequirement(listing: Listing, requirement: string, use: 'runtime' | 'develop', line: number): void {
  const text = requirement.slice(0, 1000);
  const [, name, extras] = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?:\s*\[([\w\s,.-]*)\])?\s*(?=[<>=!~;@#(,\\]|$|--|\s#)/.exec(text) ?? [];
  const [, egg] = /[#&]egg=([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(text) ?? [];
  const found = name ?? egg;
  if (found === undefined) return;
  listing.package(pythonName(found), use, line);
  for (const extra of extras?.split(',') ?? []) {
    if (extra.trim() !== '') listing.package(`${pythonName(found)}[${pythonName(extra.trim())}]`, use, line);
  }
}

/** PEP 621 and PEP 735, and the lists of Poetry, uv, PDM, Hatch and Pixi under their own names. */
export const pyproject: FactReader = {
  name: 'pyproject.toml',
  takes: (path) => baseOf(path) === 'pyproject.toml',
  endings: ['toml'],
  read: async (file) => {
    const { root, problem } = await tomlOf(file.text);
    const listing = new Listing(file, 'pypi');
    const lineOf = linesOfNames(file.text, /["']?([A-Za-z0-9][A-Za-z0-9._-]*)(?=["']?[ \t]*(?:[=<>~!;@[,"'])|["'])/g);
    const project = mapOf(root.project);
    const tool = mapOf(root.tool);
    const poetry = mapOf(tool.poetry);
    const add = (list: unknown, use: 'runtime' | 'develop'): void => {
      for (const one of textsOf(list)) addRequirement(listing, one, use, lineOf(/^[\w.-]*/.exec(one)?.[0] ?? ''));
    };
    add(project.dependencies, 'runtime');
    for (const groups of [project['optional-dependencies'], root['dependency-groups']]) {
      for (const [group, list] of Object.entries(mapOf(groups))) add(list, useOfGroup(group));
    }
    add(mapOf(tool.uv)['dev-dependencies'], 'develop');
    for (const list of Object.values(mapOf(mapOf(tool.pdm)['dev-dependencies']))) add(list, 'develop');
    for (const environment of Object.values(mapOf(mapOf(tool.hatch).envs))) add(mapOf(environment).dependencies, 'develop');
    addTable(listing, mapOf(tool.pixi)['pypi-dependencies'], 'runtime', lineOf);
    addTable(listing, poetry.dependencies, 'runtime', lineOf);
    addTable(listing, poetry['dev-dependencies'], 'develop', lineOf);
    for (const [group, { dependencies }] of Object.entries(mapOf(poetry.group)).map(([name, of]) => [name, mapOf(of)] as const)) {
      addTable(listing, dependencies, useOfGroup(group), lineOf);
    }
    addReferences(file, root, listing);
    addScripts(tool, listing);
    return listing.reading({
      name: textOf(project.name) ?? textOf(poetry.name),
      isPublished: isPublished(root, project, tool),
      hasProgram: [...keysOf(project.scripts), ...keysOf(poetry.scripts)].length > 0,
      ...(problem !== undefined && { problem }),
    });
  },
};

/** A table of names as in Poetry. `python` is the version of the language. */
function addTable(listing: Listing, table: unknown, use: 'runtime' | 'develop', lineOf: (name: string) => number): void {
  for (const [name, how] of Object.entries(mapOf(table))) {
    if (name === 'python') continue;
    const extras = textsOf(mapOf(how).extras);
    addRequirement(listing, extras.length > 0 ? `${name}[${extras.join(',')}]` : name, use, lineOf(name));
  }
}

function addReferences({ path }: SourceFile, root: Record<string, unknown>, listing: Listing): void {
  const tool = mapOf(root.tool);
  const uv = mapOf(tool.uv);
  const { members, exclude } = mapOf(uv.workspace);
  for (const pattern of textsOf(members)) listing.member(pattern);
  for (const pattern of textsOf(exclude)) listing.member(`!${pattern}`);
  const poetry = mapOf(tool.poetry);
  const groups = Object.values(mapOf(poetry.group)).map((group) => mapOf(group).dependencies);
  for (const table of [uv.sources, poetry.dependencies, poetry['dev-dependencies'], ...groups]) {
    for (const [name, source] of Object.entries(mapOf(table))) {
      const place = textOf(mapOf(source).path);
      if (mapOf(source).workspace === true) listing.reference(name);
      else if (place !== null) listing.reference(folderAt(folderOf(path), place));
    }
  }
}

function addScripts(tool: Record<string, unknown>, listing: Listing): void {
  const hatch = Object.values(mapOf(mapOf(tool.hatch).envs)).map((environment) => mapOf(environment).scripts);
  for (const table of [mapOf(tool.poe).tasks, mapOf(tool.taskipy).tasks, mapOf(tool.pdm).scripts, ...hatch]) {
    for (const [name, task] of Object.entries(mapOf(table)))
      listing.script(name, textOf(task) ?? textOf(mapOf(task).cmd) ?? textOf(mapOf(task).shell));
  }
}

/**
 * A published package has classifiers for the index. `Private :: …` is the classifier that the index refuses, and a project without a build
 * system is no package.
 */
function isPublished(root: Record<string, unknown>, project: Record<string, unknown>, tool: Record<string, unknown>): boolean | null {
  const poetry = mapOf(tool.poetry);
  const classifiers = [...textsOf(project.classifiers), ...textsOf(poetry.classifiers)];
  if (classifiers.some((one) => one.startsWith('Private ::')) || poetry['package-mode'] === false || mapOf(tool.uv).package === false)
    return false;
  if (classifiers.some((one) => one.startsWith('Programming Language ::')) && !isServed(classifiers, project, poetry)) return true;
  return root['build-system'] === undefined ? false : null;
}

/**
 * Templates of new projects write classifiers as well. An app lists the program that serves it, which a library leaves to others, or it has
 * a framework and no word for whom it would be.
 */
function isServed(classifiers: readonly string[], project: Record<string, unknown>, poetry: Record<string, unknown>): boolean {
  if ([...keysOf(project.scripts), ...keysOf(poetry.scripts)].length > 0) return false;
  const names = [...textsOf(project.dependencies), ...keysOf(poetry.dependencies)].map((one) =>
    pythonName(/^[\w.-]*/.exec(one)?.[0] ?? ''),
  );
  if (!names.some((name) => frameworks.has(name))) return false;
  const isShort =
    classifiers.every((one) => one.startsWith('Programming Language ::')) && project.urls === undefined && project.keywords === undefined;
  return isShort || names.some((name) => servers.has(name));
}

const frameworks = new Set(['django', 'fastapi', 'flask', 'starlette', 'litestar', 'quart', 'sanic', 'pyramid', 'connexion', 'streamlit']);
const servers = new Set(['gunicorn', 'uvicorn', 'granian', 'hypercorn', 'daphne', 'uwsgi', 'waitress', 'mod-wsgi', 'uvicorn-worker']);

/** Lists of `pip`. Each included file is a list that is opened itself. */
export const requirements: FactReader = {
  name: 'requirements of pip',
  takes: (path) =>
    /(?:^|\/)(?:(?:[\w-]+[-_.])?requirements?(?:[-_.][\w.-]*)?\.(?:txt|in|pip)|(?:requirements|reqs)\/[\w.-]+\.(?:txt|in|pip))$/i.test(
      path,
    ),
  endings: ['txt', 'in', 'pip'],
  read: (file) => {
    const listing = new Listing(file, 'pypi');
    const isInFolder = /(?:^|\/)(?:requirements|reqs)\/[^/]+$/.test(file.path);
    const folder = folderOf(file.path);
    const use = useOfGroup(baseOf(file.path).replace(/\.\w+$/, ''));
    for (const [i, line] of file.text.split('\n').entries()) {
      const [, isConstraint, included] = /^\s*-(?:r|-requirement|(c|-constraint))[ =]?\s*(\S{1,500})/.exec(line.slice(0, 1000)) ?? [];
      if (included !== undefined && isConstraint === undefined) listing.reference(folderAt(folder, folderOf(included)));
      else if (/^\s*-e\s+\.{1,2}\//.test(line)) listing.reference(folderAt(folder, line.trim().split(/\s+/)[1]?.split('[')[0] ?? ''));
      else if (included === undefined && !/^\s*--?\w/.test(line)) addRequirement(listing, line, use, i + 1);
      else if (line.includes('#egg=')) addRequirement(listing, line, use, i + 1);
    }
    return listing.reading(isInFolder ? { folder: folderOf(folder) } : {});
  },
};

export const pipfile: FactReader = {
  name: 'Pipfile',
  takes: (path) => baseOf(path) === 'Pipfile',
  endings: ['pipfile'],
  read: async (file) => {
    const { root, problem } = await tomlOf(file.text);
    const listing = new Listing(file, 'pypi');
    const lineOf = linesOfNames(file.text, /^[ \t]*["']?([A-Za-z0-9._-]+)["']?[ \t]*=/gm);
    addTable(listing, root.packages, 'runtime', lineOf);
    addTable(listing, root['dev-packages'], 'develop', lineOf);
    for (const table of [root.packages, root['dev-packages']]) {
      for (const how of Object.values(mapOf(table))) {
        const place = textOf(mapOf(how).path);
        if (place !== null) listing.reference(folderAt(folderOf(file.path), place));
      }
    }
    for (const [name, script] of Object.entries(mapOf(root.scripts))) listing.script(name, script);
    return listing.reading(problem === undefined ? {} : { problem });
  },
};

/** `setup.py` is read as text, because nothing of a repository is run. */
export const setupPy: FactReader = {
  name: 'setup.py and setup.cfg',
  takes: (path) => /^setup\.(?:py|cfg)$/.test(baseOf(path)),
  endings: ['py', 'cfg'],
  names: (name) => name.startsWith('setup.'),
  read: (file) => {
    const listing = new Listing(file, 'pypi');
    const text = withoutComments(file.text, 'hash');
    if (file.path.endsWith('.cfg')) addSections(listing, text);
    else addArguments(listing, text);
    const [, name = null] = /^[ \t]*name[ \t]*=[ \t]*["']?([\w.-]+)["']?[ \t]*,?[ \t]*$/m.exec(text) ?? [];
    const isListed = text.includes('Programming Language ::');
    return listing.reading({
      name,
      isPublished: text.includes('Private ::') ? false : isListed ? true : null,
      hasProgram: text.includes('console_scripts'),
    });
  },
};

function addArguments(listing: Listing, text: string): void {
  const lineOf = linesOf(text);
  for (const match of matchesOf(text, /\b(install_requires|extras_require|tests_require|setup_requires)[ \t]*=[ \t]*[[{(]/g, 20)) {
    const start = match.index + match[0].length;
    const close = text.indexOf(match[0].endsWith('{') ? '}' : match[0].endsWith('(') ? ')' : '\n]', start);
    const end = Math.min(close < 0 ? text.length : close, start + 20_000);
    const until = match[0].endsWith('[') ? Math.min(end, endOfList(text, start, end)) : end;
    const use = match[1] === 'install_requires' ? 'runtime' : 'develop';
    for (const one of text.slice(start, until).matchAll(/["']([^"'\n]{1,300})["'](\s*:)?/g)) {
      // A string before a colon names a group of extras.
      if (one[2] === undefined) addRequirement(listing, one[1] ?? '', use, lineOf(start + one.index));
    }
  }
}

/** The `]` outside quotes that ends a list. */
function endOfList(text: string, start: number, end: number): number {
  const pattern = /"[^"\n]*"|'[^'\n]*'|\]/g;
  pattern.lastIndex = start;
  for (let match = pattern.exec(text); match && match.index < end; match = pattern.exec(text)) if (match[0] === ']') return match.index;
  return end;
}

function addSections(listing: Listing, text: string): void {
  let [section, key] = ['', ''];
  for (const [i, line] of text.split('\n').entries()) {
    const [, name] = /^\[([^\]\n]{1,100})\]/.exec(line) ?? [];
    if (name !== undefined) [section, key] = [name, ''];
    const [, field, rest] = /^([\w.-]{1,100})[ \t]*[=:](.*)$/.exec(line) ?? [];
    if (field !== undefined) key = field;
    const item = field === undefined ? line : (rest ?? '');
    if (section === 'options' && key === 'install_requires') addRequirement(listing, item, 'runtime', i + 1);
    if (section === 'options.extras_require' && key !== '') addRequirement(listing, item, useOfGroup(key), i + 1);
  }
}

/** Environments of Conda, with the list of pip inside. */
export const condaEnvironment: FactReader = {
  name: 'environment.yml of Conda',
  takes: (path) => /^environment(?:[-_.]\w+)?\.ya?ml$/.test(baseOf(path)),
  endings: ['yaml', 'yml'],
  read: async (file) => {
    const lines = yamlLines(file.text);
    if (!lines.some(({ path }) => path[0] === 'dependencies' && path[1] === '-')) return {};
    const listing = new Listing(file, 'pypi');
    const use = useOfGroup(baseOf(file.path).replace(/\.\w+$/, ''));
    for (const { path, value, line } of lines) {
      if (path[0] === 'dependencies' && path.at(-1) === '-') addRequirement(listing, value.replace(/^[\w-]+::/, ''), use, line);
    }
    return listing.reading();
  },
};
