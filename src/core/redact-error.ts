import { Failure, Failures, Interrupted } from './errors.ts';
import type { Redactor } from './redact.ts';

/** Runs `act`, and masks every secret in an error that it throws. */
export async function withoutSecrets<T>(redactor: Redactor, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    throw maskedError(thrown, redactor);
  }
}

/** The error itself where neither it nor its causes hold a secret; otherwise an error that says the same with each secret masked. */
export function maskedError(thrown: unknown, redactor: Redactor): unknown {
  if (thrown instanceof Failures) {
    const [first, ...more] = thrown.failures;
    const told = [maskedFailure(first, redactor), ...more.map((one) => maskedFailure(one, redactor))] as const;
    return told.every((one, index) => one === thrown.failures[index]) ? thrown : new Failures(told);
  }
  if (thrown instanceof Failure) return maskedFailure(thrown, redactor);
  if (thrown instanceof Interrupted) return thrown;
  if (!(thrown instanceof Error)) return redactor.json(thrown);
  if (!holdsSecret(thrown, redactor)) return thrown;
  const told = new Error(redactor.text(thrown.message));
  told.name = thrown.name;
  told.stack = redactor.text(thrown.stack ?? '');
  return told;
}

/** The cause is left out, because it may hold the secret. It only helps to find a defect, and says less than the detail. */
function maskedFailure(failure: Failure, redactor: Redactor): Failure {
  if (!holdsSecret(failure, redactor)) return failure;
  const { code, detail, fix, place, status } = failure;
  return new Failure(code, {
    detail: redactor.text(detail),
    fix: redactor.text(fix),
    ...(place && { place }),
    ...(status !== undefined && { status }),
  });
}

/** Causes may be nested. Deeper nesting is a loop. */
const deepest = 10;

function holdsSecret(error: unknown, redactor: Redactor): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < deepest; depth += 1) {
    if (redactor.has(at.message) || redactor.has(at.stack ?? '')) return true;
    if (at instanceof Failure && (redactor.has(at.detail) || redactor.has(at.fix))) return true;
    at = at.cause;
  }
  return typeof at === 'string' && redactor.has(at);
}
