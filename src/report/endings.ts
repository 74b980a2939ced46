import type { ApplyDoc, ClosedDoc, RunStatus } from '../engine/document.ts';
import type { Tone } from './styles.ts';
import { counted, showTime } from './text.ts';

export interface Ending {
  readonly tone: Tone;
  /** Stands in for the colour in Markdown. */
  readonly symbol: string;
  readonly words: string;
}

type Sign = Omit<Ending, 'words'>;

const signs: { readonly [status in RunStatus]: Sign } = {
  complete: { tone: 'add', symbol: '✅' },
  partial: { tone: 'warn', symbol: '⏳' },
  failed: { tone: 'bad', symbol: '❌' },
  stale: { tone: 'warn', symbol: '💤' },
  interrupted: { tone: 'warn', symbol: '✋' },
};

/** Says how a run ended, in the same words in the terminal and on the pull request. The next destroy continues a destroy, not an apply. */
export function endingOf({ status, lines, orphansOnly }: Pick<ApplyDoc, 'status' | 'lines' | 'orphansOnly'>, isDestroy: boolean): Ending {
  const next = `the next ${isDestroy ? 'destroy' : 'apply'} goes on from here`;
  const words: { readonly [status in RunStatus]: string } = {
    // Without this, a mistyped scope would look like one whose objects were removed.
    complete:
      isDestroy && lines.length === 0
        ? `complete; ${orphansOnly ? 'this scope has no orphan' : 'nothing was recorded for this scope'}`
        : 'complete',
    partial: `partial; the deployment event or ${next}`,
    failed: `failed; ${next}`,
    stale: 'stale; a newer commit or a destroyed scope stands in its place, and nothing was written',
    interrupted: `interrupted; ${next}`,
  };
  return { ...signs[status], words: words[status] };
}

export const closedEndings: { readonly [status in ClosedDoc['status']]: Ending } = {
  complete: { ...signs.complete, words: 'complete' },
  failed: { ...signs.failed, words: 'failed; run it again to go on from here' },
  interrupted: { ...signs.interrupted, words: 'interrupted; run it again to go on from here' },
};

/** The cost of a run: its requests, its fetches and pushes of the ledger, and its time. */
export function costText(stats: ApplyDoc['stats']): string {
  return [
    `${counted(stats.requests, 'request')} (${counted(stats.writes, 'write')})`,
    `${counted(stats.fetches, 'fetch', 'fetches')} and ${counted(stats.pushes, 'push', 'pushes')} of the ledger`,
    ...(stats.lockPushes > 0 ? [`${counted(stats.lockPushes, 'push', 'pushes')} of locks`] : []),
    showTime(stats.ms),
  ].join(', ');
}
