import { relative } from 'node:path';
import { beforeEach, expect } from 'vitest';

/** Tells the recording of exchanges which test is running; also for the processes that the test starts. */
beforeEach(({ task }) => {
  process.env.PILOTFISH_CONTRACTS_PLACE = `${fileOf(task.file.filepath)} > ${task.name}`;
  if (process.env.PILOTFISH_CONTRACTS_BY_SUITE === '1') process.env.PILOTFISH_CONTRACTS_SUITE = task.suite?.name ?? '';
});

const fileOf = (path: string): string => relative(process.cwd(), path);

// What a suite does before its first test.
process.env.PILOTFISH_CONTRACTS_PLACE = fileOf(expect.getState().testPath ?? '');
