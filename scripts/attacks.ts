import { run } from './tasks.ts';

/** The attacks with their whole tables, of which `npm test` has a share. Further arguments go to vitest. */
const { code } = await run('vitest', ['run', 'test/attacks', ...process.argv.slice(2)], {
  isShown: true,
  env: { PILOTFISH_ATTACKS: 'all' },
});
process.exitCode = code;
