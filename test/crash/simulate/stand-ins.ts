import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from './random.ts';

/**
 * Takes chance and the machine out of this process, for as long as it lives: random ids and back-offs come from the seed, what waits a
 * turn waits in virtual time, and a fingerprint is a plain hash, because deriving a key takes longer than a whole seed may. Files are
 * in memory from the start (`virtual-files.ts`).
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
  syncBuiltinESMExports();
}
