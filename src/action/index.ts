import process from 'node:process';
import { tellWarnings } from '../cli/signals.ts';
import { redactorOf } from '../engine/prepare/secret-variables.ts';
import { oneLine } from '../report/text.ts';
import { runAction } from './action.ts';

const redactor = redactorOf(process.env, {});
const say = (line: string): void => void process.stdout.write(`pilotfish: ${oneLine(redactor.text(line))}\n`);
tellWarnings(process, say);
// What nobody caught, in one line of ours. Node would show the line that threw, and in a bundle that is a good part of the program.
process.on('uncaughtException', (thrown: unknown) => {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stdout.write(`\npilotfish stopped: ${oneLine(redactor.text(text))}\n`, () => process.exit(1));
});

const code = await runAction(process, redactor);
// Keep-alive sockets of a finished run must not hold the job.
process.stdout.write('', () => process.exit(code));
