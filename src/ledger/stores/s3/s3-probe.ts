import { randomBytes } from 'node:crypto';
import { RemoteTrouble } from '../patience.ts';
import type { S3Objects } from './s3-objects.ts';
import { unconditional } from './s3-refusal.ts';

/**
 * Proves on an object of its own that the store holds both conditions of a write, and takes the object away. Some stores accept the headers,
 * ignore them and overwrite. Some want an ETag in If-Match as they tell it, with its quotes, and older ones (Ceph 16) without. Throws `LEDGER_REFUSED` for such a store.
 */
export async function proveConditions(objects: S3Objects): Promise<void> {
  const { link } = objects;
  const { refuser } = link;
  await objects.repeated(async () => {
    const key = `probe/${randomBytes(16).toString('hex')}`;
    const put = (headers: Record<string, string>) =>
      link.ask({ method: 'PUT', key, headers, body: Buffer.from(`${randomBytes(8).toString('hex')}\n`) });
    try {
      if ((await put({ 'if-none-match': '*' })).status !== 200) throw repeatedUnderway;
      if ((await put({ 'if-none-match': '*' })).status === 200) throw unconditional(refuser, overwrites('If-None-Match'));
      const { etag } = await link.ask({ method: 'HEAD', key });
      if (etag === '') throw unconditional(refuser, 'its answers name no ETag');
      const bare = etag.replaceAll('"', '');
      const form = (await put({ 'if-match': etag })).status === 200 ? etag : (await put({ 'if-match': bare })).status === 200 ? bare : null;
      if (form === null) throw repeatedUnderway;
      if ((await put({ 'if-match': form })).status === 200) throw unconditional(refuser, overwrites('If-Match'));
      objects.hasBareTags = form === bare;
    } finally {
      await objects.drop(key);
    }
  });
}

const overwrites = (header: string): string => `it ignores ${header}, and overwrites an object all the same`;

/** A proxy that repeats a request gets the answer that its own first one made untrue. */
const repeatedUnderway = new RemoteTrouble('it refuses a condition that holds, as where a proxy sends a request twice', {
  wasSent: false,
  retryAfterMs: 250,
});
