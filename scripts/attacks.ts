import { optionsOf } from './options.ts';
import { run } from './tasks.ts';

const usage = `npm run attacks -- [<file>…]

The attacks with their whole tables, of which npm test has a share: all of them, or those of these files.`;

const { positionals } = optionsOf(usage, { options: {}, allowPositionals: true });
const files = positionals.length > 0 ? positionals : ['test/attacks'];
const { code } = await run('vitest', ['run', ...files], { isShown: true, env: { PILOTFISH_ATTACKS: 'all' } });
process.exitCode = code;
