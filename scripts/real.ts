import { run } from './tasks.ts';

/**
 * The suites against servers that we did not write, alone: each prints the server's name and version, or why it is skipped.
 * Further arguments go to vitest.
 */
const { code } = await run('vitest', ['run', '--reporter=verbose', 'test/real', ...process.argv.slice(2)], {
  isShown: true,
  env: { PILOTFISH_REAL: '1' },
});
process.exitCode = code;
