import { readCodeHostEvent } from '../engine/timing/event.ts';
import { whyForeign } from '../host/foreign-head.ts';
import type { Output } from './output.ts';

/** The document of a run whose event alone shows that there is nothing to do. */
export interface SkipDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: string;
  readonly status: 'skipped';
  readonly why: string;
}

/** Reports the run of a fork as skipped, before any file of the checkout is read. Tells whether it did. */
export function isSkippedAsForeign(command: string, env: NodeJS.ProcessEnv, output: Output): boolean {
  const why = whyForeign(readCodeHostEvent(env));
  if (why === null) return false;
  output.report({ schema: 1, ok: true, command, status: 'skipped', why } satisfies SkipDoc, () => `${why}\n`);
  return true;
}
