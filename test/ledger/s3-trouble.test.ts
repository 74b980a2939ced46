import { serveS3Objects } from 'pilotfish-sandbox/aws-s3-objects';
import { describeS3Trouble } from '../support/describe-s3-trouble.ts';

describeS3Trouble(
  'S3',
  async () => {
    const server = await serveS3Objects();
    return { ...server, keys: { ...server.keys.full }, bucket: 'ledgers' };
  },
  { writes: 80 },
);
