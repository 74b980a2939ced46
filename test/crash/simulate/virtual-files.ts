import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Files of the simulated machines. Everything below this folder is in memory. To be imported before what makes promises of these functions. */
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

/** What is done with a path below the folder, in either form that Node has of a function. */
const virtual: { readonly [name: string]: (path: string, more: unknown) => unknown } = {
  stat: (path) => ({ isDirectory: () => false, isFile: () => true, size: textOf(path).length }),
  // Bytes where no encoding was asked for.
  readFile: (path, more) => (typeof more === 'string' ? textOf(path) : Buffer.from(textOf(path))),
  mkdir: () => undefined,
  rm: (path) => virtualFiles.delete(path),
  writeFile: (path, text) => virtualFiles.set(path, String(text)),
  readdir: (path) => {
    throw missing(path);
  },
};

for (const [name, instead] of Object.entries(virtual)) {
  const [told, promised]: [Call, Call] = [Reflect.get(fs, name), Reflect.get(promises, name)];
  const done = async (path: string, more: unknown): Promise<unknown> => instead(path, more);
  Reflect.set(promises, name, (path: unknown, ...more: readonly unknown[]) =>
    isVirtual(path) ? done(path, more[0]) : Reflect.apply(promised, promises, [path, ...more]),
  );
  Reflect.set(fs, name, (path: unknown, ...more: readonly unknown[]) => {
    const tell = more.at(-1);
    if (!isVirtual(path) || typeof tell !== 'function') return Reflect.apply(told, fs, [path, ...more]);
    done(path, more[0]).then(
      (value: unknown) => tell(null, value),
      (thrown: unknown) => tell(thrown),
    );
  });
}
syncBuiltinESMExports();
