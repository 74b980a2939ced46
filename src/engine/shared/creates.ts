import { Failure } from '../../core/errors.ts';
import type { HttpFailureFacts } from '../../http/types.ts';
import type { Bulk, Desired, Io, ObjectBound, Wanted } from '../../ops/bound.ts';
import { identityOf } from '../../ops/provider.ts';
import type { Live } from '../../remote/live-object.ts';
import { type Attempt, ioOf, type Judged, sendingBy } from '../line/phases.ts';
import type { Session } from '../session.ts';
import { accessOf } from './parent-asks.ts';

interface Ask extends Wanted {
  readonly work: Judged;
  readonly key: string | null;
  resolve(live: Live): void;
  reject(error: unknown): void;
}

/** The creates of a run. Those that one request may carry, and whose intents became durable together, are one request. */
export class Creates {
  readonly #session: Session;
  readonly #waiting = new Map<string, Ask[]>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Makes the object of a line. `key` is the idempotency key of its intent. */
  create(work: Judged & { readonly bound: ObjectBound }, desired: Desired, key: string | null): Promise<Live> {
    return new Promise((resolve, reject) => {
      const { bound } = work;
      const ask: Ask = { work, bound, desired, key, resolve, reject };
      const { bulk } = bound;
      if (!bulk) return void this.#alone(ask);
      const name = `${accountOf(work, bulk)} ${accessOf(work.http)}`;
      const waiting = this.#waiting.get(name);
      if (waiting) return void waiting.push(ask);
      const asks = [ask];
      this.#waiting.set(name, asks);
      // This waits one turn, so that creates whose intents became durable together come together.
      setImmediate(() => {
        this.#waiting.delete(name);
        for (let at = 0; at < asks.length; at += bulk.most) void this.#together(bulk, asks.slice(at, at + bulk.most));
      });
    });
  }

  async #alone(ask: Ask): Promise<void> {
    const { work, bound, desired, key } = ask;
    const io = ioOf(work, this.#session.ending, key === null ? {} : { idempotencyKey: key });
    try {
      ask.resolve(await bound.create(noting([work.attempt], io), desired));
    } catch (error) {
      ask.reject(error);
    }
  }

  async #together(bulk: Bulk, asks: readonly Ask[]): Promise<void> {
    const [first, second] = asks;
    if (!first) return;
    if (!second) return await this.#alone(first);
    const attempts = asks.map(({ work }) => work.attempt);
    const before = attempts.map(({ mayStand }) => mayStand);
    try {
      const made = await bulk.create(noting(attempts, ioOf(first.work, this.#session.ending)), asks);
      if (made === null) return void (await Promise.all(asks.map((ask) => this.#alone(ask))));
      for (const [i, ask] of asks.entries()) {
        const one = made[i];
        if (one === undefined) {
          // The answer says nothing of this object, so it may stand.
          ask.reject(new Failure('INTERNAL', { detail: `${ask.work.id} got no answer from the request that made it.` }));
        } else if (one instanceof Error) {
          // The answer says that this object was not made.
          ask.work.attempt.mayStand = before[i] ?? false;
          ask.work.attempt.isMade = false;
          ask.reject(one);
        } else ask.resolve(one);
      }
    } catch (error) {
      for (const ask of asks) ask.reject(error);
    }
  }
}

const accountOf = ({ prepared, block }: Judged, bulk: Bulk): string => identityOf(prepared.adapter, block, bulk.key);

/** Notes whether an attempt of the create landed or may have: a server that failed may have failed after it. */
function noting(attempts: readonly Attempt[], io: Io): Io {
  const mayStand = (): void => {
    for (const attempt of attempts) attempt.mayStand = true;
  };
  const onFailure = ({ unanswered, status }: HttpFailureFacts): void => {
    if (unanswered || (status ?? 0) >= 500) mayStand();
  };
  return sendingBy(io, async (request, options) => {
    for (const attempt of attempts) attempt.isMade = false;
    const answer = await io.http.send(request, { ...options, onFailure });
    mayStand();
    for (const attempt of attempts) attempt.isMade = true;
    return answer;
  });
}
