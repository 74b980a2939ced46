import { once } from '../core/once.ts';
import { builtIn } from './built-in.ts';
import { compiledFolder, isSettled, type Kept, readKept, writeKept } from './compiled.ts';
import { importModule } from './import-module.ts';

const { readFileSync } = builtIn('node:fs');
const { basename, join } = builtIn('node:path');
const { Script } = builtIn('node:vm');

interface Module {
  exports: unknown;
}

type Wrapper = (exports: unknown, require: (id: string) => unknown, module: Module, filename: string) => void;

/** Where this file and those that it loads are. */
const folder = import.meta.dirname;
const modules = new Map<string, Module>();
const folderOf = once(() => compiledFolder(process.env));

/**
 * What a file of the package exports, by its name beside this one. The build makes them as CommonJS, because V8 hands out what it
 * compiled after it ran for a script only (`Script#createCachedData`), not for a module; each is the text of one function, a `Wrapper`. One
 * instance each: for the program, and for the plugins that import its library.
 */
export function load(name: string): unknown {
  const known = modules.get(name);
  if (known) return known.exports;
  const filename = join(folder, name);
  const module: Module = { exports: {} };
  modules.set(name, module);
  try {
    const wrapper: Wrapper = compile(filename).runInThisContext();
    wrapper(module.exports, require, module, filename);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return module.exports;
}

const require = (id: string): unknown => {
  if (id === importing) return { importModule };
  return id.startsWith('./') ? load(id.slice(2)) : builtIn(id);
};

/** The name by which the build lets the program ask for `import-module.ts`. */
const importing = 'pilotfish:import';

function compile(filename: string): InstanceType<typeof Script> {
  const text = readFileSync(filename);
  const compiled = folderOf();
  const file = compiled === null ? null : join(compiled, `${kindOf(process.argv.slice(2))}-${basename(filename)}`);
  const kept = file === null ? null : readKept(file, text);
  // The build writes ASCII, which needs no decoding.
  const script = new Script(text.toString('latin1'), { filename, ...(kept && { cachedData: kept.data }) });
  if (file !== null) keepAtExit(script, file, text, script.cachedDataRejected === true ? null : kept);
  return script;
}

/** What is to be kept of this process when it ends, by its exit code. */
const keeping: ((code: number) => void)[] = [];

const keepAll = (code: number): void => {
  for (const keep of keeping) keep(code);
};

function keepAtExit(script: InstanceType<typeof Script>, file: string, text: Uint8Array, kept: Kept | null): void {
  if (kept !== null && isSettled(kept, Date.now())) return;
  if (keeping.length === 0) process.prependOnceListener('exit', keepAll);
  keeping.push((code) => {
    // A run that failed stopped early: that it called nothing new says nothing of others.
    if (kept !== null && code !== 0) return;
    const made = script.createCachedData();
    // V8 forgets code that was not called for long; that of a long run would be less than what was there.
    const isMore = kept === null || made.length > kept.data.length * 1.01;
    writeKept(file, text, { data: isMore ? made : kept.data, quiet: isMore ? 0 : kept.quiet + 1, at: Date.now() });
  });
}

/**
 * Runs that call much the same have files of their own: V8 takes up all that a file holds before anything runs, and what only a first apply
 * calls costs a plan of 200 lines a twentieth of its CPU.
 */
function kindOf([word = '', ...more]: readonly string[]): string {
  if (word === 'apply' && more.includes('--destroy')) return 'destroy';
  return ['init', 'plan', 'apply'].includes(word) ? word : 'other';
}
