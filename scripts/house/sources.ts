import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { root } from '../tasks.ts';

/** One import of a source file, as written. */
export interface Import {
  /** The path from the root of the repository: `src/plan/load.ts`. */
  readonly file: string;
  /** The path of the imported file, or the specifier of a package. */
  readonly target: string;
  readonly isOurs: boolean;
  /** The import disappears in the build. */
  readonly isType: boolean;
  /** `import()`: the file is read when the call runs. */
  readonly isDynamic: boolean;
}

export interface FunctionSize {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly lines: number;
}

/** One file of `src` without tests. */
export interface Source {
  readonly file: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Schemas and charts are left out: they are data. */
  readonly functions: readonly FunctionSize[];
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & { readonly [member: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Reads every file of `src` that is no test. */
export async function readSources(): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for await (const name of glob('src/**/*.ts', { cwd: root })) {
    const file = name.replaceAll('\\', '/');
    if (!file.endsWith('.test.ts')) sources.push(readSource(file, await readFile(join(root, file), 'utf8')));
  }
  return sources.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Reads the imports and functions of one file. */
export function readSource(file: string, text: string): Source {
  const imports: Import[] = [];
  const functions: FunctionSize[] = [];
  const lineOf = lineFinder(text);
  const add = (specifier: string, isType: boolean, isDynamic = false): void => {
    const isOurs = specifier.startsWith('.');
    imports.push({ file, target: isOurs ? normalize(join(dirname(file), specifier)) : specifier, isOurs, isType, isDynamic });
  };
  const visit = (node: Node, name: string): void => {
    const specifier = specifierOf(node);
    if (specifier !== null) add(specifier, isTypeOnly(node), node.type === 'ImportExpression');
    const own = nameOf(node) ?? name;
    if (isFunction(node) && !isData(file, node)) {
      const line = lineOf(node.start);
      functions.push({ file, line, name: own, lines: lineOf(node.end) - line + 1 });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, own);
    }
  };
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, '(file)');
  return { file, lines: text.split('\n').length - 1, imports, functions };
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

const importing = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']);

function specifierOf(node: Node): string | null {
  if (!importing.has(node.type) || !isNode(node.source)) return null;
  return typeof node.source.value === 'string' ? node.source.value : null;
}

function isTypeOnly({ importKind, exportKind, specifiers }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type') return true;
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every((one: Node) => one.importKind === 'type' || one.exportKind === 'type');
}

const isFunction = ({ type }: Node): boolean => ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);

/** `() => z.strictObject({ … })`, `() => setup({ … }).createMachine({ … })`, and a file of schemas or of a chart. */
function isData(file: string, { body }: Node): boolean {
  if (/(schema|\.machine)\.ts$/.test(file)) return true;
  let at = body;
  while (isNode(at) && (at.type === 'CallExpression' || at.type === 'MemberExpression'))
    at = at.type === 'CallExpression' ? at.callee : at.object;
  return isNode(at) && at.type === 'Identifier' && (at.name === 'z' || at.name === 'setup');
}

/** The name that a declaration or a member of an object gives to its value. */
function nameOf({ id, key }: Node): string | null {
  const named = isNode(id) ? id : key;
  return isNode(named) && typeof named.name === 'string' ? named.name : null;
}
