import type { Clock } from '../core/clock.ts';
import { type Refuser, unreachable } from './git-refusal.ts';
import { type GitRemote, type PushedCommit, type PushOutcome, RemoteTrouble } from './git-remote.ts';

/** Attempts when nothing was sent, and when a push may have landed: then an answer is worth more waiting. */
const attemptsUnsent = 3;
const attemptsSent = 7;
const longestWait = 60_000;

/** Whose answer is waited for, and by which clock. */
export interface Waiting extends Refuser {
  readonly clock: Clock;
}

/**
 * Pushes until it is known whether the commit is on the remote.
 *
 * Every attempt begins with the remote's head, so an attempt after a lost answer first sees whether the one before landed: the
 * head is our commit, or still the expected one, or another. In the last case our commit may be below it, because someone
 * built on it before we looked.
 */
export async function pushUntilKnown(
  remote: GitRemote,
  push: PushedCommit,
  o: Waiting & { readonly isBelow: (oid: string, ref: string) => Promise<boolean> },
): Promise<PushOutcome> {
  let mayHaveLanded = false;
  const outcome = await persist(o, (trouble) => {
    mayHaveLanded ||= trouble.wasSent;
    return mayHaveLanded;
  })(() => remote.push(push));
  if (outcome === 'landed' || !mayHaveLanded) return outcome;
  const isBelow = await persist(o, () => true)(() => o.isBelow(push.oid, push.ref));
  return isBelow ? 'landed' : 'moved';
}

/** Removes until it is known whether the ref is gone: an attempt that finds it absent after a lost answer was preceded by ours. */
export async function removeUntilKnown(
  remote: GitRemote,
  o: Waiting & { readonly ref: string; readonly expect: string },
): Promise<PushOutcome> {
  let mayHaveLanded = false;
  const outcome = await persist(o, (trouble) => {
    mayHaveLanded ||= trouble.wasSent;
    return mayHaveLanded;
  })(() => remote.remove(o.ref, o.expect));
  return outcome === 'absent' ? (mayHaveLanded ? 'landed' : 'moved') : outcome;
}

/** Repeats a read of the remote while its trouble may pass. */
export function readUntilAnswered<T>(o: Waiting, read: () => Promise<T>): Promise<T> {
  return persist(o, () => false)(read);
}

/** Repeats on trouble, waiting longer each time or as long as the remote asks. Trouble that lasts becomes `LEDGER_REFUSED`. */
function persist(o: Waiting, mayBeSent: (trouble: RemoteTrouble) => boolean) {
  return async <T>(operation: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await operation();
      } catch (thrown) {
        if (!(thrown instanceof RemoteTrouble)) throw thrown;
        const wasSent = mayBeSent(thrown);
        const isThrottled = thrown.retryAfterMs !== null;
        if (attempt >= (wasSent || isThrottled ? attemptsSent : attemptsUnsent)) throw await unreachable(o, thrown.message, wasSent);
        const wait = thrown.retryAfterMs ?? 250 * 2 ** (attempt - 1) * (1 + Math.random() / 2);
        await o.clock.sleep(Math.min(wait, longestWait));
      }
    }
  };
}
