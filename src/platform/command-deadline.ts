import { Failure } from '../core/errors.ts';

const longestDeadlineMs = 240_000;

/** `PILOTFISH_COMMAND_DEADLINE_MS`: how long a program may take to print a token or a secret. */
export function commandDeadline(env: NodeJS.ProcessEnv): number {
  const text = env.PILOTFISH_COMMAND_DEADLINE_MS;
  if (text === undefined || text === '') return 60_000;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= longestDeadlineMs) return value;
  throw new Failure('USAGE', {
    detail: `PILOTFISH_COMMAND_DEADLINE_MS is "${text}"; it must be a whole number of milliseconds above zero, and at most ${longestDeadlineMs}.`,
    fix: 'Correct or unset PILOTFISH_COMMAND_DEADLINE_MS.',
  });
}
