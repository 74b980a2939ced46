import { HttpFailure } from '../http/failure.ts';
import type { Http } from '../http/types.ts';
import type { UntilGone } from './reach.ts';
import { readOptions } from './read.ts';
import { says } from './says.ts';
import { fillId } from './template.ts';

/** Whether an object whose delete was accepted is gone by now, by a read of its own. What it still answers is of no interest. */
export async function isGone(http: Http, how: UntilGone, id: string, signal: AbortSignal): Promise<boolean> {
  const gone = [404, 410, ...(how.none ?? [])];
  const saysGone = (body: unknown): boolean => how.none_match !== undefined && says(body, how.none_match);
  const request = fillId(how.read, id);
  try {
    const answer = await http.send(request, readOptions(request, { signal, share: false }, gone));
    return gone.includes(answer.status) || saysGone(answer.body);
  } catch (thrown) {
    if (thrown instanceof HttpFailure && thrown.status !== null && saysGone(thrown.body)) return true;
    throw thrown;
  }
}
