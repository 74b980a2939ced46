import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, readonly string[]]>([
  [
    'react-email',
    { 'package.json': app(['next', '@react-email/components', 'react-email', 'nodemailer']), 'vercel.json': '{}' },
    ['resend'],
  ],
  [
    'a rate limiter over another Redis',
    { 'package.json': app(['express', '@upstash/ratelimit', 'ioredis']), 'fly.toml': 'app = "a"\n' },
    ['upstash_redis'],
  ],
  ['octokit', { 'package.json': app(['next', 'octokit', '@octokit/rest']), 'vercel.json': '{}' }, ['github']],
  [
    'firebase alone',
    { 'package.json': app(['vite', 'firebase']), 'netlify.toml': '[build]\ncommand = "vite build"\n' },
    ['firebase_auth', 'firebase_hosting', 'firestore'],
  ],
  [
    'an endpoint of S3 at another cloud',
    {
      'package.json': app(['next', '@aws-sdk/client-s3']),
      'vercel.json': '{}',
      'lib/files.ts':
        "import { S3Client } from '@aws-sdk/client-s3';\nexport const files = new S3Client({ region: 'auto', endpoint: 'https://0123456789abcdef.r2.cloudflarestorage.com' });\n",
    },
    ['s3'],
  ],
  [
    'an endpoint of S3 in an example',
    {
      'package.json': app(['next', '@aws-sdk/client-s3']),
      'vercel.json': '{}',
      '.env.example': 'S3_ENDPOINT=https://fly.storage.tigris.dev\nS3_BUCKET=shop\n',
    },
    ['s3'],
  ],
])('%s proves none of those', async (_, files, none) => {
  const { services } = await initIn(files);
  expect(services.filter((name) => none.includes(name))).toEqual([]);
});
