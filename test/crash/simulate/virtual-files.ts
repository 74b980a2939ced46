import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Files of the simulated machines. Everything below this folder is in memory. To be imported before what takes these functions. */
export const virtualFolder = '/simulated';
export const virtualFiles = new Map<string, string>();

type Call = (...given: readonly unknown[]) => unknown;

const isVirtual = (path: unknown): path is string => typeof path === 'string' && path.startsWith(`${virtualFolder}/`);
const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });

function textOf(path: string): string {
  const text = virtualFiles.get(path);
  if (text === undefined) throw missing(path);
  return text;
}

/** What is done with a path below the folder, at once or as a promise. */
const virtual: { readonly [name: string]: (path: string, more: unknown) => unknown } = {
  stat: (path) => ({ isDirectory: () => false, isFile: () => true, size: textOf(path).length }),
  // Bytes where no encoding was asked for.
  readFile: (path, more) => (typeof more === 'string' ? textOf(path) : Buffer.from(textOf(path))),
  access: (path) => void textOf(path),
  appendFile: (path, text) => virtualFiles.set(path, `${virtualFiles.get(path) ?? ''}${String(text)}`),
  exists: (path) => virtualFiles.has(path),
  realpath: (path) => path,
  mkdir: () => undefined,
  rm: (path) => virtualFiles.delete(path),
  writeFile: (path, text) => virtualFiles.set(path, String(text)),
  readdir: (path) => {
    throw missing(path);
  },
};

for (const [name, instead] of Object.entries(virtual)) {
  const done = async (path: string, more: unknown): Promise<unknown> => instead(path, more);
  standIn(promises, name, done);
  standIn(fs, `${name}Sync`, instead);
}
syncBuiltinESMExports();

function standIn(module: object, name: string, instead: (path: string, more: unknown) => unknown): void {
  const real: Call | undefined = Reflect.get(module, name);
  if (real === undefined) return;
  Reflect.set(module, name, (path: unknown, ...more: readonly unknown[]) =>
    isVirtual(path) ? instead(path, more[0]) : Reflect.apply(real, module, [path, ...more]),
  );
}
