import process from 'node:process';
import { runAction } from './action.ts';

const code = await runAction(process);
// Keep-alive sockets of a finished run must not hold the job.
process.stdout.write('', () => process.exit(code));
