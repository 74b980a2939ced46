import { type Meaning, persist, RemoteTrouble, type Patience as Waiting } from '../patience.ts';
import { blocked, type Refuser, refusal, unreachable } from './git-refusal.ts';
import type { GitRemote, Push, PushOutcome, Refused } from './git-remote.ts';

/** The remote that is asked, and how long it is asked again. */
export interface Patience extends Refuser, Waiting {}

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
  const meaning = meaningFor(o, (trouble) => {
    mayHaveLanded ||= trouble.wasSent;
    return mayHaveLanded;
  });
  const outcome = await persist(o, meaning, async () => {
    const answer = await remote.push(push);
    return typeof answer === 'string' ? answer : await meaningOf(remote, answer, push, o);
  });
  // Only one run makes a commit. Another run may have removed a ref.
  if (outcome === 'already') return push.to !== null || mayHaveLanded ? 'landed' : 'moved';
  const { to } = push;
  if (outcome === 'landed' || to === null || !mayHaveLanded) return outcome;
  const isBelow = await persist(
    o,
    meaningFor(o, () => true),
    () => o.isBelow(to.oid, push.ref),
  );
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
  return persist(
    o,
    meaningFor(o, () => false),
    read,
  );
}

/** A refusal that may be over in a moment. */
class Contended extends RemoteTrouble {
  constructor(words: string) {
    super(words, { wasSent: false });
  }
}

/** What trouble that lasts is told as. */
const meaningFor = (o: Patience, mayBeSent: Meaning['mayBeSent']): Meaning => ({
  mayBeSent,
  over: (trouble, wasSent) =>
    trouble instanceof Contended && !wasSent ? refusal(o, trouble.message) : unreachable(o, trouble.message, wasSent),
});
