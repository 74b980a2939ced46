import crypto from 'node:crypto';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from './random.ts';

/** Files of the simulated machines. Everything below this folder is in memory. */
export const virtualFolder = '/simulated';
export const virtualFiles = new Map<string, string>();

/**
 * Takes chance and the machine out of this process, for as long as it lives: random ids and back-offs come from the seed, plans
 * from memory, what waits a turn waits in virtual time, and a fingerprint is a plain hash, because deriving a key takes longer than a whole seed may.
 */
export function installStandIns({ random, later }: { random: () => Random; later: (fire: () => void) => void }): void {
  Reflect.set(globalThis, 'setImmediate', later);
  Math.random = () => random().next();
  const hex = (digits: number): string => Array.from({ length: digits }, () => '0123456789abcdef'[random().int(0, 15)] ?? '0').join('');
  crypto.randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  crypto.scrypt = ((value: string, salt: string, length: number, ...more: readonly unknown[]) => {
    const tell = more.at(-1);
    const tag = crypto.createHash('sha256').update(`${salt}\n${value}`).digest().subarray(0, length);
    if (typeof tell === 'function') queueMicrotask(() => tell(null, tag));
  }) as typeof crypto.scrypt;
  const { open, stat, mkdir, readdir, readFile, rm, writeFile } = fs;
  fs.stat = ((path: unknown, ...more: readonly unknown[]) => {
    if (!isVirtual(path)) return Reflect.apply(stat, fs, [path, ...more]);
    return virtualFiles.has(path) ? Promise.resolve({}) : Promise.reject(missing(path));
  }) as typeof stat;
  fs.open = ((path: unknown, ...more: readonly unknown[]) => {
    if (!isVirtual(path)) return Reflect.apply(open, fs, [path, ...more]);
    const text = virtualFiles.get(path);
    return text === undefined ? Promise.reject(missing(path)) : Promise.resolve(fileOf(text));
  }) as typeof open;
  type Call = (...given: readonly unknown[]) => Promise<unknown>;
  const also =
    (real: Call, virtual: (path: string, more: unknown) => Promise<unknown>): Call =>
    (path, ...more) =>
      isVirtual(path) ? virtual(path, more[0]) : Reflect.apply(real, fs, [path, ...more]);
  Reflect.set(
    fs,
    'mkdir',
    also(mkdir as Call, async () => undefined),
  );
  Reflect.set(
    fs,
    'rm',
    also(rm as Call, async (path) => virtualFiles.delete(path)),
  );
  Reflect.set(
    fs,
    'writeFile',
    also(writeFile as Call, async (path, text) => virtualFiles.set(path, String(text))),
  );
  Reflect.set(
    fs,
    'readdir',
    also(readdir as Call, async (path) => Promise.reject(missing(path))),
  );
  Reflect.set(
    fs,
    'readFile',
    also(readFile as Call, async (path) => virtualFiles.get(path) ?? Promise.reject(missing(path))),
  );
  syncBuiltinESMExports();
}

const isVirtual = (path: unknown): path is string => typeof path === 'string' && path.startsWith(`${virtualFolder}/`);
const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });

const fileOf = (text: string) => ({
  stat: () => Promise.resolve({ isDirectory: () => false, isFile: () => true, size: text.length }),
  readFile: () => Promise.resolve(Buffer.from(text)),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
