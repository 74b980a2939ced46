import { Failure, Failures } from '../core/errors.ts';

/** `null` for what a broken plan does not tell: `plan` says what is wrong with it, and where; `init` does not judge it. */
export async function orNone<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof Failures) return null;
    throw thrown;
  }
}
