import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Place } from '../../support/s3-place.ts';
import { announce } from './program.ts';

/** It comes without types, so these are the parts that are used. */
interface Running {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}
type S3rver = new (options: Readonly<Record<string, unknown>>) => Running;

/** A server of objects for tests of other projects. It accepts the conditions of a write and ignores one of them, or both. */
export async function startS3rver(bucket = 'ledgers'): Promise<S3Place> {
  const load = createRequire(import.meta.url);
  const { version } = load('@20minutes/s3rver/package.json') as { readonly version: string };
  // @ts-expect-error: the package has no types.
  const { default: S3rver } = (await import('@20minutes/s3rver')) as { readonly default: S3rver };
  announce(`s3rver/${version}`);
  const directory = await mkdtemp(join(tmpdir(), 'pilotfish-s3rver-'));
  // Its own secret key has six letters, and no signature of a longer one holds there.
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    port,
    region: 'us-east-1',
    bucket,
    keys: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER-of-twenty-letters' },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
