import { run } from './tasks.ts';

/**
 * Runs only the suites against servers that others wrote. Each prints the server's name and version, or the reason why it is skipped.
 * Further arguments go to vitest.
 */
const { code } = await run('vitest', ['run', '--reporter=verbose', 'test/real', ...process.argv.slice(2)], {
  isShown: true,
  env: { PILOTFISH_REAL: '1' },
});
process.exitCode = code;
