import type { PromiseFsClient } from 'isomorphic-git';

/**
 * A file system for isomorphic-git that keeps single objects in memory and everything else, fetched packs too, on disk.
 *
 * What we commit is pushed and then known to the remote: nothing needs it on this disk. An append to a ledger of thousands of
 * files reads hundreds of folders, and each would be a file. A crash leaves no half-written object either.
 */
export function memoryObjects(disk: PromiseFsClient): PromiseFsClient {
  const objects = new Map<string, Uint8Array>();
  const { readFile, writeFile, stat } = disk.promises;
  const absent = (): Error => Object.assign(new Error('not in memory'), { code: 'ENOENT' });
  return {
    promises: {
      ...disk.promises,
      readFile: async (file: string, ...rest: unknown[]): Promise<unknown> => {
        if (!isObject(file)) return readFile(file, ...rest);
        const object = objects.get(file);
        if (object === undefined) throw absent();
        return object;
      },
      writeFile: async (file: string, data: Uint8Array, ...rest: unknown[]): Promise<unknown> => {
        if (!isObject(file)) return writeFile(file, data, ...rest);
        objects.set(file, data);
        return undefined;
      },
      // isomorphic-git asks only whether there is one.
      stat: async (file: string, ...rest: unknown[]): Promise<unknown> => {
        if (!isObject(file)) return stat(file, ...rest);
        if (!objects.has(file)) throw absent();
        return {};
      },
    },
  };
}

const isObject = (file: string): boolean => /[\\/]objects[\\/][0-9a-f]{2}[\\/][0-9a-f]{38}$/.test(file);
