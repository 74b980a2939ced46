import { readFile } from 'node:fs/promises';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure, Failures } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { asNotTrusted, forPlugin, reasonOf } from './plugin-code.ts';
import { codeOf, readSeen, type SeenModule, watchModules } from './plugin-modules.ts';
import type { Registry } from './registry.ts';

/** Adds the recipe family in a file. Throws `Failures` with every mistake. */
export type AddFamilyFile = (registry: Registry, bytes: Uint8Array, file: string) => Promise<void>;

interface PluginOptions {
  readonly cwd: string;
  readonly addFamilyFile: AddFamilyFile;
  readonly seen?: SeenModule | null;
}

/**
 * Loads the modules of PILOTFISH_PLUGINS, a comma-separated list of module names and paths, in order. Each exports
 * `register(registry)`, or is a YAML file with a recipe family. Names and paths are looked up from the working directory, wherever pilotfish
 * itself is installed. Gives a function that identifies their code, with all modules that they have loaded by the time of the call.
 */
export async function loadPlugins(
  registry: Registry,
  list: string | undefined,
  { cwd, addFamilyFile, seen = null }: PluginOptions,
): Promise<() => string> {
  const failures: Failure[] = [];
  const entries: string[] = [];
  watchModules(seen);
  for (const name of (list ?? '').split(',').map((part) => part.trim())) {
    if (name === '') continue;
    try {
      const url = await locate(name, cwd);
      entries.push(url);
      if (/\.ya?ml$/.test(name)) await addFamilyFile(registry, await readSeen(url), name);
      else await registerOf(await import(url))(forPlugin(registry, name));
    } catch (cause) {
      failures.push(...(cause instanceof Failures ? cause.failures : [cause]).map((one) => asNotTrusted(one) ?? notLoaded(name, one)));
    }
  }
  const [first, ...rest] = failures;
  if (first) throw new Failures([first, ...rest]);
  return () => codeOf(entries);
}

/** A mistake in a file of the plugin keeps its place and its fix. */
function notLoaded(name: string, cause: unknown): Failure {
  const { place, fix, hasOwnFix } = cause instanceof Failure ? cause : {};
  const detail = `The plugin ${name} of PILOTFISH_PLUGINS did not load: ${reasonOf(cause)}`;
  return new Failure('PLUGIN_FAILED', { detail, cause, ...(place && { place }), ...(hasOwnFix && fix !== undefined && { fix }) });
}

function registerOf(module: unknown): (registry: Registry) => unknown {
  const exported = isObject(module) ? module : {};
  const { register, default: other } = exported;
  const found = register ?? (isObject(other) ? other.register : undefined);
  if (typeof found !== 'function') throw new Error('it exports no function `register`');
  return (registry) => found(registry);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

async function locate(name: string, cwd: string): Promise<string> {
  if (name.startsWith('file:')) return name;
  if (name.startsWith('.') || isAbsolute(name)) return pathToFileURL(resolve(cwd, name)).href;
  const base = join(resolve(cwd), 'plan.js');
  try {
    return asUrl(createRequire(base).resolve(name));
  } catch (cause) {
    // The resolver for `require` does not find a package that only `import` may load.
    const path = await importPath(name, base);
    if (path === null) throw cause;
    return asUrl(path);
  }
}

const asUrl = (path: string): string => (isAbsolute(path) ? pathToFileURL(path).href : path);

async function importPath(name: string, base: string): Promise<string | null> {
  const manifest = findPackageJSON(name, pathToFileURL(base));
  if (manifest === undefined) return null;
  const { exports, name: ownName } = JSON.parse(await readFile(manifest, 'utf8'));
  if (typeof ownName !== 'string' || !name.startsWith(ownName)) return null;
  const subpath = `.${name.slice(ownName.length)}`;
  const isByPath = isMap(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const target = importTarget(isByPath ? exports[subpath] : subpath === '.' ? exports : undefined);
  return target === null ? null : join(dirname(manifest), target);
}

function importTarget(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!isMap(value)) return null;
  const condition = Object.keys(value).find((key) => key === 'node' || key === 'import' || key === 'default');
  return condition === undefined ? null : importTarget(value[condition]);
}
