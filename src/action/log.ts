import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';

/** The log of the job: a place for text, and a way to speak to the runner. */
export interface Log {
  /** Whatever is written here is shown, and never taken for a command. */
  readonly screen: Writable;
  /** Calls what writes commands to stdout. */
  command(act: () => void): void;
}

/**
 * Text of providers and plans reaches the log, and a line such as `::add-path::…` in it would be obeyed. So the runner is told to obey
 * nothing until a word comes that nobody can know, and hears commands of ours only in between. Both output streams are one here:
 * the runner reads them side by side, and what is written to the other could overtake the word.
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
