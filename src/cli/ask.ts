import { confirm, isCancel, password, text } from '@clack/prompts';
import { Failure } from '../core/errors.ts';
import type { Ask } from '../onboard/setup/world.ts';
import type { Keyboard, Screen } from './world.ts';

export interface AskOptions {
  readonly input: Keyboard;
  /** stderr, because stdout is for the report. */
  readonly output: Screen;
  /** Ends the open question. */
  readonly signal: AbortSignal;
  /** Is called on Ctrl-C between two questions. */
  readonly interrupt: () => void;
  /** The work that Ctrl-C at a question ends: `before the setup was done`. */
  readonly undone: string;
}

export interface TerminalAsk extends Ask {
  /** Leaves the terminal as it was. */
  close(): void;
}

/**
 * Asks questions at a terminal. While a question is open, Ctrl-C comes as a key and not as a signal. Between questions the terminal shows
 * no typed text either: a token that was pasted too early, or with a line break, would stay on the screen.
 */
export function createAsk({ input, output, signal, interrupt, undone }: AskOptions): TerminalAsk {
  const common = { input, output, signal, withGuide: false };
  const drop = (keys: Buffer | string): void => {
    if (keys.includes('\u0003')) interrupt();
  };
  const hush = (): void => {
    input.setRawMode?.(true);
    input.on('data', drop).resume();
  };
  const question = async <T>(open: () => Promise<T | symbol>): Promise<T> => {
    input.off('data', drop);
    try {
      const answer = await open();
      if (!isCancel(answer)) return answer as T;
      signal.throwIfAborted();
      throw new Failure('INTERRUPTED', { detail: `You pressed Ctrl-C ${undone}.` });
    } finally {
      hush();
    }
  };
  hush();
  return {
    secret: async (message) => (await question<string | undefined>(() => password({ ...common, message, mask: '•' }))) ?? '',
    text: async (message) => (await question<string | undefined>(() => text({ ...common, message }))) ?? '',
    confirm: (message) => question<boolean>(() => confirm({ ...common, message })),
    close: () => {
      input.off('data', drop).pause();
      input.setRawMode?.(false);
    },
  };
}
