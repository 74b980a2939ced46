import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const derive = crypto.scrypt;

/**
 * A secret's fingerprint is slow on purpose: some 50 ms of a processor each. Tests of whole runs at simulated providers make
 * thousands of them; here they are derived the same way at a thousandth of the cost. That they are slow is fingerprint.test.ts's.
 */
crypto.scrypt = ((...given: readonly unknown[]) =>
  Reflect.apply(
    derive,
    crypto,
    given.map((one) => (isCost(one) ? { ...one, N: 16 } : one)),
  )) as typeof derive;
syncBuiltinESMExports();

const isCost = (given: unknown): given is ScryptOptions => typeof given === 'object' && given !== null && 'N' in given;
