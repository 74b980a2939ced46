import type { Clock } from '../../../core/clock.ts';
import { blocked, type Refuser, refusal, unreachable } from './git-refusal.ts';
import { type GitRemote, type Push, type PushOutcome, type Refused, RemoteTrouble } from './git-remote.ts';

/** Attempts when nothing was sent, and when a push may have landed: then an answer is worth a longer wait. */
const attemptsUnsent = 3;
const attemptsSent = 7;
const longestWait = 60_000;

/** The remote, and how long a question to it is repeated. */
export interface Patience extends Refuser {
  readonly clock: Clock;
  /** The time for all attempts at one operation together. */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Pushes until it is known whether the push is on the remote.
 *
 * Every attempt begins with the remote's head, so an attempt after a lost answer first sees whether the one before landed: the
 * head is our commit, or still the expected one, or another. In the last case our commit may be below it, because someone
 * built on it before we looked. A ref that is gone after a lost answer was removed by us.
 */
export async function pushUntilKnown(
  remote: GitRemote,
  push: Push,
  o: Patience & { readonly isBelow: (oid: string, ref: string) => Promise<boolean> },
): Promise<'landed' | 'moved'> {
  let mayHaveLanded = false;
  const outcome = await persist(o, (trouble) => {
    mayHaveLanded ||= trouble.wasSent;
    return mayHaveLanded;
  })(async () => {
    const answer = await remote.push(push);
    return typeof answer === 'string' ? answer : await meaningOf(remote, answer, push, o);
  });
  // Only one run makes a commit. Another run may have removed a ref.
  if (outcome === 'already') return push.to !== null || mayHaveLanded ? 'landed' : 'moved';
  const { to } = push;
  if (outcome === 'landed' || to === null || !mayHaveLanded) return outcome;
  const isBelow = await persist(o, () => true)(() => o.isBelow(to.oid, push.ref));
  return isBelow ? 'landed' : 'moved';
}

/**
 * Finds the meaning of a refusal. The remote's words do not tell: hosts, hooks and git say "fetch first" and "cannot lock ref" for many
 * things. The remote's head tells: a ref moved when its head is not the expected one. Throws for everything else.
 */
async function meaningOf(remote: GitRemote, { refused }: Refused, { ref, expect, to }: Push, o: Patience): Promise<PushOutcome> {
  const head = (await remote.heads(ref, { isForPush: true })).get(ref) ?? null;
  if (head === (to?.oid ?? null)) return 'already';
  if (head !== expect) return 'moved';
  // Another push may be under way, and its head does not show yet.
  if (mayPass(refused)) throw new Contended(refused);
  const inTheWay = expect === null ? await refsInTheWay(remote, ref) : [];
  throw inTheWay.length > 0 ? await blocked(o, ref, inTheWay, refused) : await refusal(o, refused);
}

/** The host's git found the ref locked, or at another head than we did. */
const mayPass = (words: string): boolean =>
  /\.lock': file exists|is at [0-9a-f]+ but expected|failed to lock|fetch first|non-fast-forward|stale info|incorrect old value/i.test(
    words,
  ) && !/exists; cannot create/i.test(words);

/** Git keeps no ref below another one. */
async function refsInTheWay(remote: GitRemote, ref: string): Promise<readonly string[]> {
  const top = ref
    .split('/')
    .slice(0, ref.startsWith('refs/heads/') ? 3 : 2)
    .join('/');
  return [...(await remote.heads(top, { isForPush: false })).keys()].filter(
    (other) => ref.startsWith(`${other}/`) || other.startsWith(`${ref}/`),
  );
}

/** Repeats a read of the remote while its trouble may pass. */
export function readUntilAnswered<T>(o: Patience, read: () => Promise<T>): Promise<T> {
  return persist(o, () => false)(read);
}

/** A refusal that may be over in a moment. */
class Contended extends RemoteTrouble {
  constructor(words: string) {
    super(words, { wasSent: false });
  }
}

/** The limits after the signal: a last push that meets a moment's trouble is worth one more attempt. */
const attemptsStopped = 2;
const waitStopped = 500;

/**
 * Repeats on trouble, waiting longer each time or as long as the remote asks. Trouble that lasts becomes `LEDGER_REFUSED`, at the latest
 * when the patience is over, and soon when the run is told to stop.
 */
function persist(o: Patience, mayBeSent: (trouble: RemoteTrouble) => boolean) {
  return async <T>(operation: () => Promise<T>): Promise<T> => {
    const since = o.clock.mono();
    let stopped = 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await operation();
      } catch (thrown) {
        if (!(thrown instanceof RemoteTrouble)) throw thrown;
        const wasSent = mayBeSent(thrown);
        const isThrottled = thrown.retryAfterMs !== null;
        const wait = Math.min(thrown.retryAfterMs ?? 250 * 2 ** (attempt - 1) * (1 + Math.random() / 2), longestWait);
        if (o.signal?.aborted) stopped += wait > waitStopped ? attemptsStopped : 1;
        const isLate = o.clock.mono() - since + wait > (o.patienceMs ?? Number.POSITIVE_INFINITY);
        const isOver = attempt >= (wasSent || isThrottled ? attemptsSent : attemptsUnsent) || isLate || stopped >= attemptsStopped;
        if (isOver) {
          throw thrown instanceof Contended && !wasSent ? await refusal(o, thrown.message) : await unreachable(o, thrown.message, wasSent);
        }
        await sleepUnlessStopped(o, wait);
      }
    }
  };
}

/** A signal ends the sleep and is no error here. Sleeps after the signal are short. */
async function sleepUnlessStopped({ clock, signal }: Patience, ms: number): Promise<void> {
  if (signal?.aborted) return await clock.sleep(ms);
  await clock.sleep(ms, signal).catch((thrown: unknown) => {
    if (!signal?.aborted) throw thrown;
  });
}
