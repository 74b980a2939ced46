import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStore } from '../support/describe-store.ts';
import { openAt, type S3Place } from '../support/s3-place.ts';
import { type S3Proxy, startS3Proxy } from '../support/s3-proxy.ts';
import { findCeph, startCeph } from './kit/ceph.ts';
import { isAlone } from './kit/program.ts';

const program = findCeph();

describe.skipIf(program === null || !isAlone('Ceph takes half a minute to start'))('a ledger in Ceph', () => {
  let place: S3Place;
  let proxy: S3Proxy;
  let worlds = 0;

  beforeAll(async () => {
    if (program === null) throw new Error('there is no Ceph');
    place = await startCeph(program);
    proxy = await startS3Proxy(place.port);
  }, 180_000);
  afterAll(async () => {
    await proxy?.stop();
    await place?.stop();
  });

  describeStore('s3', async () => {
    worlds += 1;
    const prefix = `world-${worlds}`;
    return {
      open: () => openAt(place, { port: proxy.port, prefix }),
      openUnreachable: () => openAt(place, { port: 2, prefix }),
      loseNextAnswer: (afterwards) => proxy.onNextCommit({ fate: 'after', ...(afterwards && { afterwards }) }),
      close: async () => undefined,
    };
  });

  it('tells where it is', async () => {
    const store = await openAt(place);
    expect([store.kind, store.location]).toEqual(['s3', `s3://ledgers/acme/web?endpoint=http://127.0.0.1:${place.port}`]);
    await store.close();
  });
});
