import { saysCi } from '../core/ci.ts';
import type { Progress } from './progress-board.ts';
import { createLiveProgress, type LiveScreen } from './progress-live.ts';
import { createPlainProgress } from './progress-plain.ts';
import type { Styles } from './styles.ts';

export interface ProgressOptions {
  /** The value of `--progress`. Any other value lets the terminal decide. */
  readonly mode: unknown;
  readonly stream: LiveScreen;
  readonly env: NodeJS.ProcessEnv;
  readonly styles: Styles;
  readonly now: () => number;
  /** The report goes elsewhere, so the last picture must stay. */
  readonly staysAtEnd?: boolean;
}

/** Live progress needs a terminal that can redraw: not a dumb one, and no CI log. A user who asked for live progress reads why not. */
export function chooseProgress({ mode, stream, env, styles, now, staysAtEnd = false }: ProgressOptions): Progress {
  if (mode === 'none') {
    return { listen: () => {}, print: (line) => void stream.write(`${line}\n`), stop: () => {} };
  }
  const lack = whyNotLive(stream, env);
  if (lack === null && mode !== 'plain') return createLiveProgress({ stream, styles, now, staysAtEnd });
  const plain = createPlainProgress({ stream, styles, now });
  if (mode === 'live') plain.print(`Progress is plain, because ${lack}.`);
  return plain;
}

function whyNotLive(stream: LiveScreen, env: NodeJS.ProcessEnv): string | null {
  if (stream.isTTY !== true) return 'stderr is not a terminal';
  if (env.TERM === 'dumb') return 'TERM is dumb, and a dumb terminal cannot redraw';
  return saysCi(env) ? 'CI is set, and a CI log cannot redraw' : null;
}
