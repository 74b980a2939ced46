import type { GitHttpRequest } from 'isomorphic-git';

/** A body of isomorphic-git's HTTP plugin in one piece; `null` for none. */
export async function wholeBody(body: GitHttpRequest['body']): Promise<Buffer | null> {
  if (!body) return null;
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** The other way around: a body of one piece. */
export async function* bodyOf(content: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield content;
}
