import { describe } from 'vitest';
import { describeS3Trouble } from '../support/describe-s3-trouble.ts';
import { findCeph, startCeph } from './kit/ceph.ts';
import { isAlone } from './kit/program.ts';

const program = findCeph();

describe.skipIf(program === null || !isAlone('a ledger in Ceph is written through a proxy for a minute'))('in Ceph', () => {
  describeS3Trouble(
    'Ceph',
    async () => {
      if (program === null) throw new Error('there is no Ceph');
      return await startCeph(program);
    },
    { writes: 400 },
  );
});
