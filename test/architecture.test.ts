import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const src = join(dirname(fileURLToPath(import.meta.url)), '../src');

/** Folders from the bottom to the top: an import goes down, or stands in `sideways`. */
const ranks: { readonly [folder: string]: number } = {
  core: 0,
  plan: 1,
  http: 2,
  machines: 2,
  adapters: 2,
  recipes: 2,
  ledger: 2,
  secrets: 2,
  // Where pull requests live.
  host: 3,
  report: 3,
  detect: 3,
  onboard: 3,
  run: 3,
  // What loads the program.
  start: 1,
  cli: 4,
  mcp: 4,
  // `src/index.ts`, what plugins import.
  '': 5,
  // It brings that along, because nothing is installed beside it.
  action: 6,
};

/** Imports between folders of one rank. A `types` one disappears when the program is built. */
const sideways: { readonly [edge: string]: 'all' | 'types' } = {
  'adapters → http': 'all',
  'recipes → adapters': 'all',
  // The shape of what a record keeps stands beside its type.
  'ledger → adapters': 'all',
  'ledger → http': 'types',
  'adapters → secrets': 'types',
  // The tools do what its commands do, and answer with their documents.
  'mcp → cli': 'all',
  'run → host': 'all',
  'run → report': 'types',
  'onboard → detect': 'all',
  'onboard → report': 'all',
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
  readonly isType: boolean;
}

let imports: readonly Import[] = [];

beforeAll(async () => {
  const all: Import[] = [];
  for await (const file of glob('**/*.ts', { cwd: src })) {
    if (file.endsWith('.test.ts')) continue;
    all.push(...importsOf(file, await readFile(join(src, file), 'utf8')));
  }
  imports = all;
});

describe('the arrows between the folders of src', () => {
  it('reads the imports of the whole of src', () => {
    expect(imports.filter((i) => !i.target.startsWith('.')).length).toBeGreaterThan(20);
    expect(new Set(ours().map((i) => i.from))).toContain('cli');
  });

  it('knows the rank of every folder', () => {
    const unknown = ours()
      .flatMap((i) => [i.from, i.to])
      .filter((folder) => ranks[folder] === undefined);
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('imports go down, or sideways where that is listed', () => {
    const wrong = ours().filter((i) => i.from !== i.to && !isAllowed(i));
    expect(wrong.map(show)).toEqual([]);
  });

  it('no listed sideways import is left over', () => {
    const used = new Set(ours().map((i) => `${i.from} → ${i.to}`));
    expect(Object.keys(sideways).filter((edge) => !used.has(edge))).toEqual([]);
  });

  it('no two folders import each other, also not through a third', () => {
    const edges = new Map<string, Set<string>>();
    for (const i of ours()) {
      if (i.from === i.to || i.isType) continue;
      edges.set(i.from, (edges.get(i.from) ?? new Set()).add(i.to));
    }
    expect(cyclesOf(edges)).toEqual([]);
  });

  it('machines import nothing but xstate, core and each other', () => {
    const wrong = imports.filter((i) => i.from === 'machines' && !['machines', 'core'].includes(i.to) && i.target !== 'xstate');
    expect(wrong.map(show)).toEqual([]);
  });

  it('core imports nothing of ours', () => {
    expect(
      ours()
        .filter((i) => i.from === 'core' && i.to !== 'core')
        .map(show),
    ).toEqual([]);
  });

  it('only the run and what stands above it may import the machines', () => {
    const wrong = ours().filter((i) => i.to === 'machines' && !['machines', 'run'].includes(i.from));
    expect(wrong.map(show)).toEqual([]);
  });
});

const ours = (): readonly Import[] => imports.filter((i) => i.target.startsWith('.') && i.to !== 'package.json');
const show = (i: Import): string => `${i.file} imports ${i.target}${i.isType ? ' (types)' : ''}`;

function isAllowed(i: Import): boolean {
  if ((ranks[i.to] ?? 0) < (ranks[i.from] ?? 0)) return true;
  const allowed = sideways[`${i.from} → ${i.to}`];
  return allowed === 'all' || (allowed === 'types' && i.isType);
}

/** Static, dynamic and re-exporting imports of one file, with the folder of src that each leads to. */
function importsOf(file: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const statements = [
    ...code.matchAll(/^(?:import|export)\s+(?<type>type\s+)?(?<names>[^'";]*?)\bfrom\s+'(?<target>[^']+)'/gm),
    ...code.matchAll(/^import\s+'(?<target>[^']+)'/gm),
    ...code.matchAll(/\bimport\(\s*'(?<target>[^']+)'\s*\)/g),
  ];
  return statements.map(({ groups }) => {
    const target = groups?.target ?? '';
    return {
      file,
      from: folderOf(file),
      to: target.startsWith('.') ? folderOf(relative(src, resolve(src, dirname(file), target))) : target,
      target,
      isType: Boolean(groups?.type) || isOnlyTypes(groups?.names ?? ''),
    };
  });
}

/** `{ type A, type B }` */
function isOnlyTypes(names: string): boolean {
  const inside = /^\{([\s\S]*)\}\s*$/.exec(names.trim())?.[1];
  const parts =
    inside
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '') ?? [];
  return parts.length > 0 && parts.every((part) => part.startsWith('type '));
}

function folderOf(path: string): string {
  if (path.endsWith('package.json')) return 'package.json';
  const slash = path.indexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = [];
  const visit = (folder: string, path: readonly string[]): void => {
    if (path.includes(folder)) {
      cycles.push([...path.slice(path.indexOf(folder)), folder].join(' → '));
      return;
    }
    for (const next of edges.get(folder) ?? []) visit(next, [...path, folder]);
  };
  for (const folder of edges.keys()) visit(folder, []);
  return cycles;
}
