import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';

/** The log of the job: a stream for text, and a way to give commands to the runner. */
export interface Log {
  /** The runner shows all text that is written here, and never takes it for a command. */
  readonly screen: Writable;
  /** Calls a function that writes commands to stdout. */
  command(act: () => void): void;
}

/**
 * Text of providers and plans reaches the log, and the runner would obey a line such as `::add-path::…` in it. So the log tells the runner
 * to obey nothing until a secret word comes, and gives commands only in between. Both output streams are one here: the runner reads them
 * side by side, and text in the other stream could overtake the word.
 */
export function openLog(stdout: NodeJS.WritableStream): Log {
  const word = randomUUID();
  let isDeaf = false;
  let isLineOpen = false;
  const write = (text: string): void => {
    stdout.write(text);
    isLineOpen = !text.endsWith('\n');
  };
  const say = (text: string): void => {
    if (text === '') return;
    if (!isDeaf) write(`${isLineOpen ? '\n' : ''}::stop-commands::${word}\n`);
    isDeaf = true;
    write(text);
  };
  return {
    screen: new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        say(typeof chunk === 'string' ? chunk : chunk.toString('utf8'));
        done();
      },
    }),
    command: (act) => {
      if (isDeaf) write(`${isLineOpen ? '\n' : ''}::${word}::\n`);
      isDeaf = false;
      act();
    },
  };
}
