import type { RunEvent } from './document.ts';
import { createLiveProgress, type LiveScreen } from './progress-live.ts';
import { createPlainProgress } from './progress-plain.ts';
import type { Styles } from './styles.ts';

/** Shows a run while it goes on. */
export interface Progress {
  listen(event: RunEvent): void;
  /** A line for people that must not tear the picture. */
  print(line: string): void;
  /** Leaves the terminal as it was. May be called more than once. */
  stop(): void;
}

export interface ProgressOptions {
  /** `--progress`; anything else lets the terminal decide. */
  readonly mode: unknown;
  readonly stream: LiveScreen;
  readonly env: NodeJS.ProcessEnv;
  readonly styles: Styles;
  readonly now: () => number;
}

/** Live only where redrawing works: in a terminal that is neither dumb nor a CI log, whatever was asked for. */
export function chooseProgress({ mode, stream, env, styles, now }: ProgressOptions): Progress {
  if (mode === 'none') {
    return { listen: () => {}, print: (line) => void stream.write(`${line}\n`), stop: () => {} };
  }
  const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false' && env.CI !== '0';
  const mayRedraw = stream.isTTY === true && env.TERM !== 'dumb' && !isCi;
  return mode !== 'plain' && mayRedraw ? createLiveProgress({ stream, styles, now }) : createPlainProgress({ stream, styles, now });
}
