import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { openAt, type S3Place } from '../support/s3-place.ts';
import { isAlone } from './kit/program.ts';
import { startS3rver } from './kit/s3rver.ts';

describe.skipIf(!isAlone('a server that ignores conditions is refused'))(
  'a ledger in a server that ignores the conditions of a write',
  () => {
    let place: S3Place;
    beforeAll(async () => {
      place = await startS3rver();
    });
    afterAll(() => place?.stop());

    it('is refused with its name before the first fact, and nothing of the probe stays', async () => {
      const store = await openAt(place);
      const branch = 'pilotfish-receipts/preview/pr-1';
      const thrown = await store.append(branch, new Map([['a', '1']]), null, 'first').catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(Failure);
      expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringMatching(/cannot hold a ledger: it ignores If-/) });
      expect((thrown as Failure).detail).toContain(`http://127.0.0.1:${place.port}`);
      console.log((thrown as Failure).detail);
      expect(await store.list('')).toEqual([]);
      expect(await store.read(branch)).toBeNull();
      await store.close();
    });
  },
);
