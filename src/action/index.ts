import process from 'node:process';
import { expectShortRun } from '../core/short-run.ts';
import { oneLine } from '../report/text.ts';
import { runAction } from './action.ts';

// What nobody caught, in one line of ours. Node would show the line that threw, and in a bundle that is a good part of the program.
process.on('uncaughtException', (thrown: unknown) => {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stdout.write(`\npilotfish stopped: ${oneLine(text)}\n`, () => process.exit(1));
});

expectShortRun();
const code = await runAction(process);
// Keep-alive sockets of a finished run must not hold the job.
process.stdout.write('', () => process.exit(code));
