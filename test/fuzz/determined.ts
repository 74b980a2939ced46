import crypto, { type UUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Random } from './random.ts';

let random = new Random(1);

/** From here on run ids and jitter are those of this seed: the same input means the same bytes in every process. */
export function determine(seed: number): void {
  random = new Random(seed);
}

const hex = (length: number): string => Array.from({ length }, () => random.int(16).toString(16)).join('');

crypto.randomUUID = (): UUID => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
syncBuiltinESMExports();
Math.random = () => random.next();
