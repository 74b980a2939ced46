import { randomBytes } from 'node:crypto';
import { RemoteTrouble } from '../patience.ts';
import type { S3Objects } from './s3-objects.ts';
import { unconditional } from './s3-refusal.ts';

/**
 * Proves on an object of its own that the store holds both conditions of a write, and takes the object away. Some stores accept the headers,
 * ignore them and overwrite. Throws `LEDGER_REFUSED` for such a store.
 */
export async function proveConditions(objects: S3Objects): Promise<void> {
  await objects.repeated(async () => {
    const key = `probe/${randomBytes(16).toString('hex')}`;
    const put = (headers: Record<string, string>) =>
      objects.link.ask({ method: 'PUT', key, headers, body: Buffer.from(`${randomBytes(8).toString('hex')}\n`) });
    try {
      const made = await put({ 'if-none-match': '*' });
      if (made.status !== 200) throw repeatedUnderway;
      for (const [condition, what] of mustFail) {
        if ((await put(condition)).status === 200) throw unconditional(objects.link.refuser, what);
      }
      const { etag } = await objects.link.ask({ method: 'HEAD', key });
      if (etag === '') throw unconditional(objects.link.refuser, 'its answers name no ETag');
      if ((await put({ 'if-match': etag })).status !== 200) throw repeatedUnderway;
    } finally {
      await objects.drop(key);
    }
  });
}

const mustFail = [
  [{ 'if-none-match': '*' }, 'it ignores If-None-Match, and overwrites an object that exists'],
  [{ 'if-match': `"${'0'.repeat(32)}"` }, 'it ignores If-Match, and overwrites an object that is another one than the expected'],
] as const;

/** A proxy that repeats a request gets the answer that its own first one made untrue. */
const repeatedUnderway = new RemoteTrouble('it refuses a condition that holds, as where a proxy sends a request twice', {
  wasSent: false,
  retryAfterMs: 250,
});
