import { Headers } from 'undici';
import { abortReason } from './abort.ts';
import { DeadlinePassed } from './deadline.ts';
import { BadBody, BodyTooLong, decodeBody, mustBeAnswer, readBody, sizeOf } from './encodings/decode.ts';
import { readGraphql } from './encodings/graphql-answer.ts';
import { exchange, type WireRequest } from './exchange.ts';
import { abandonedFailure, type Call, gatewayGaveUp, networkFailure, statusFailure, unreadableFailure } from './failure.ts';
import { NeverSent, networkFault } from './network-fault.ts';
import type { Origin } from './origin.ts';
import type { Sent } from './pace.ts';
import { isThrottled } from './retry-after.ts';
import type { Prepared, Shared } from './shared.ts';
import type { Answer, WireAnswer } from './types.ts';

/** Facts of the attempts before this one, and the signal that counts until it is sent. */
export interface AttemptFacts {
  readonly number: number;
  readonly lostBefore: boolean;
  /** True for a request that is sent again after a 401. A 401 means that nothing happened, so this counts as the same write. */
  readonly again: boolean;
  readonly idle: AbortSignal;
  /** The credential's headers, made for this attempt. */
  readonly prove: () => Promise<Readonly<Record<string, string>>>;
}

/**
 * One attempt, in one slot of its host. A write first waits at the gate without a slot; its lease is checked in the very
 * turn in which it is sent, and the gate learns whether its answer came.
 */
export async function attempt(shared: Shared, prepared: Prepared, facts: AttemptFacts): Promise<Answer> {
  const { clock, gate } = shared;
  const origin = shared.originOf(prepared.url);
  const { block, method, url, write, line } = prepared;
  const explain = prepared.signer?.explain;
  const call: Call = {
    block,
    method,
    url,
    write,
    known: prepared.known,
    bare: prepared.signer === null,
    redactor: shared.redactor,
    time: origin.timeAt(block.base_url),
    lostBefore: facts.lostBefore,
    ...(explain && { explain: (answer) => explain(answer) }),
  };
  if (write) await gate?.open(facts.idle);

  return origin.run(facts.idle, async (turn) => {
    const headers = new Headers(prepared.headers);
    for (const [name, value] of Object.entries(await facts.prove())) headers.set(name, value);
    if (facts.idle.aborted) throw abortReason(facts.idle);

    // No wait stands between here and the send, so a lease or lock that is good at the check is good at the send.
    const watches = write ? [prepared.options.lock, gate].filter((one) => one != null) : [];
    for (const watch of watches) watch.check();
    const answered = watches.map((watch) => watch.sent());
    if (write) origin.shared.forget();
    const sentAt = clock.mono();
    const settle = (whole: boolean) => {
      for (const tell of answered) tell(whole);
      if (!write) return;
      if (whole) origin.shared.forget();
      else origin.shared.distrust(shared.deadlineMs);
    };
    const content = { headers, body: prepared.body };
    const signal = write ? prepared.options.signal : facts.idle;
    let answer: WireAnswer;
    try {
      answer = await toldExchange(shared, call, content, { line, isNewWrite: write && !facts.again, attempt: facts.number, signal });
    } catch (thrown) {
      // A request that surely never left cannot land.
      settle(thrown instanceof BodyTooLong || networkFault(thrown).kind !== 'cut');
      throw unanswered(call, thrown, prepared, facts);
    }
    settle(!gatewayGaveUp.has(answer.status));
    return await accepted(call, answer, prepared, origin, { sentAt, turn });
  });
}

/** One exchange. It is counted when it is sent and reported when it ends, and its answer tells the time at its host. */
export async function toldExchange(
  shared: Shared,
  { method, url, time }: Call,
  content: Pick<WireRequest, 'headers' | 'body'>,
  o: { readonly line: string | null; readonly isNewWrite: boolean; readonly attempt: number; readonly signal: AbortSignal | undefined },
): Promise<WireAnswer> {
  const begun = shared.clock.mono();
  const tell = (status: number | null): void =>
    shared.tell({ line: o.line, method, url: url.href, status, ms: shared.clock.mono() - begun, attempt: o.attempt });
  shared.count({ line: o.line, write: o.isNewWrite });
  const answer = await exchange(shared, { method, url, ...content }, o.signal).catch((thrown: unknown) => {
    tell(null);
    throw thrown;
  });
  time.hear(answer.headers);
  tell(answer.status);
  return answer;
}

function unanswered(call: Call, thrown: unknown, prepared: Prepared, facts: AttemptFacts): Error {
  if (thrown instanceof BodyTooLong || thrown instanceof DeadlinePassed) return networkFailure(call, thrown);
  const given = call.write ? prepared.options.signal : facts.idle;
  if (!given?.aborted) return networkFailure(call, thrown);
  return call.write && !(thrown instanceof NeverSent) ? abandonedFailure(call, abortReason(given)) : abortReason(given);
}

async function accepted(call: Call, answer: WireAnswer, prepared: Prepared, origin: Origin, sent: Sent): Promise<Answer> {
  const { status, headers, bytes } = answer;
  const isWanted = isAccepted(prepared, status);
  let body: unknown;
  try {
    body = await readBody(bytes, headers['content-type']);
    // An endpoint of the app itself may well answer with a page.
    if (isWanted && !call.bare && status < 300)
      mustBeAnswer(body, headers['content-type'], { status, isRead: !call.write && call.method !== 'HEAD' });
  } catch (error) {
    if (!(error instanceof BadBody)) throw error;
    if (isWanted) throw unreadableFailure(call, status, error.message, { kind: error.kind });
    body = decodeBody(bytes, 'text/plain');
  }
  const { isTranslated, ...seen } = translated(call, prepared, { status, headers, body });
  if (isAccepted(prepared, seen.status)) {
    origin.answered();
    return { ...seen, size: sizeOf(bytes) };
  }
  const failure = statusFailure(call, seen, isTranslated);
  if (failure.code === 'PROVIDER_TRANSIENT' && isThrottled(seen.status, headers, seen.body)) origin.slowDown(sent);
  else origin.answered();
  if (failure.retryAfter !== null && failure.repeat === 'any') origin.hold(failure.retryAfter);
  throw failure;
}

const isAccepted = ({ options }: Prepared, status: number): boolean =>
  (status >= 200 && status < 300) || options.accept?.includes(status) === true;

/** A GraphQL answer reports an error in its body, other answers by their status. */
function translated(call: Call, { graphql }: Prepared, answer: Answer): Answer & { readonly isTranslated: boolean } {
  if (graphql === null) return { ...answer, isTranslated: false };
  try {
    return readGraphql(graphql, call.write, answer);
  } catch (error) {
    if (error instanceof BadBody) throw unreadableFailure(call, answer.status, error.message);
    throw error;
  }
}
