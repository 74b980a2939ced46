import { confirm, isCancel, password, text } from '@clack/prompts';
import { Failure } from '../core/errors.ts';
import type { Ask } from '../onboard/setup/world.ts';
import type { Keyboard, Screen } from './world.ts';

export interface AskOptions {
  readonly input: Keyboard;
  /** stderr: stdout is for the report. */
  readonly output: Screen;
  /** Ends the question that is open. */
  readonly signal: AbortSignal;
}

/** Questions at a terminal. Ctrl-C comes as a key while one is open, and not as a signal. */
export function createAsk({ input, output, signal }: AskOptions): Ask {
  const common = { input, output, signal, withGuide: false };
  return {
    secret: async (message) => {
      const answer = await password({ ...common, message, mask: '•' });
      return isCancel(answer) ? stop(signal) : (answer ?? '');
    },
    text: async (message) => {
      const answer = await text({ ...common, message });
      return isCancel(answer) ? stop(signal) : (answer ?? '');
    },
    confirm: async (message) => {
      const answer = await confirm({ ...common, message });
      return isCancel(answer) ? stop(signal) : answer;
    },
  };
}

function stop(signal: AbortSignal): never {
  signal.throwIfAborted();
  throw new Failure('INTERRUPTED', { detail: 'Ctrl-C was pressed before the setup was done.' });
}
