import type { ApplyDoc, ClosedDoc, RunStatus } from './document.ts';
import type { Tone } from './styles.ts';
import { counted, showTime } from './text.ts';

export interface Ending {
  readonly tone: Tone;
  /** Where there is no colour. */
  readonly symbol: string;
  readonly words: string;
}

/** How a run ended, in words: the same in the terminal and on the pull request. */
export const endings: { readonly [status in RunStatus]: Ending } = {
  complete: { tone: 'add', symbol: '✅', words: 'complete' },
  partial: { tone: 'warn', symbol: '⏳', words: 'partial; the deployment event continues it' },
  failed: { tone: 'bad', symbol: '❌', words: 'failed; the next apply goes on from here' },
  stale: {
    tone: 'warn',
    symbol: '💤',
    words: 'stale; a newer commit or a destroyed scope stands in its place, and nothing was written',
  },
  interrupted: { tone: 'warn', symbol: '✋', words: 'interrupted; the next apply goes on from here' },
};

export const closedEndings: { readonly [status in ClosedDoc['status']]: Ending } = {
  complete: endings.complete,
  failed: { ...endings.failed, words: 'failed; run it again to go on from here' },
  interrupted: { ...endings.interrupted, words: 'interrupted; run it again to go on from here' },
};

/** What a run cost: requests, what the ledger took, and time. */
export function costText(stats: ApplyDoc['stats']): string {
  return [
    `${counted(stats.requests, 'request')} (${counted(stats.writes, 'write')})`,
    `${counted(stats.fetches, 'fetch', 'fetches')} and ${counted(stats.pushes, 'push', 'pushes')} of the ledger`,
    ...(stats.lockPushes > 0 ? [`${counted(stats.lockPushes, 'push', 'pushes')} of locks`] : []),
    showTime(stats.ms),
  ].join(', ');
}
