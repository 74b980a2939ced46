import type { Call, Reply } from '../kit/index.ts';
import { invalid, reusedKey } from './errors.ts';

/** Answers by account mode and idempotency key. */
export type Remembered = Record<string, { readonly asked: string; readonly reply: Reply; readonly at: number }>;

const keptFor = 24 * 3_600_000;

/**
 * Does a write once per `Idempotency-Key`: the same request again gets the first answer, another request under that key is
 * refused. Keys are forgotten after a day; a request that failed its checks leaves none behind.
 */
export function once<S extends { readonly answers: Remembered }>(call: Call<S, unknown>, act: () => Reply): Reply {
  const key = call.headers.get('idempotency-key');
  if (key === null || key === '') return act();
  if (key.length > 255) throw invalid('Idempotency keys can be up to 255 characters long.');
  const slot = `${call.credential} ${key}`;
  const asked = `${call.method} ${call.path} ${call.text}`;
  const earlier = call.state.answers[slot];
  if (earlier && call.now - earlier.at < keptFor) {
    if (earlier.asked !== asked) throw reusedKey(key);
    return { ...earlier.reply, headers: { ...earlier.reply.headers, 'idempotent-replayed': 'true' } };
  }
  const reply = act();
  call.state.answers[slot] = { asked, reply, at: call.now };
  return reply;
}
