import process from 'node:process';
import { tellWarnings } from '../cli/signals.ts';
import { redactorOf } from '../engine/prepare/secret-variables.ts';
import { oneLine } from '../report/text.ts';
import { runAction } from './action.ts';

const redactor = redactorOf(process.env, {});
const say = (line: string): void => void process.stdout.write(`pilotfish: ${oneLine(redactor.text(line))}\n`);
tellWarnings(process, say);
// Prints an uncaught error in one line. Node would print the line of code that threw, which is a large part of the program in a bundle.
process.on('uncaughtException', (thrown: unknown) => {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stdout.write(`\npilotfish stopped: ${oneLine(redactor.text(text))}\n`, () => process.exit(1));
});

const code = await runAction(process, redactor);
// Exit now: keep-alive sockets of a finished run would hold the job.
process.stdout.write('', () => process.exit(code));
