import { expect, it } from 'vitest';
import { isOrdinary } from './ordinary.ts';

it.each(['create', 'interrupted', 'recordingIntent', 'PROVIDER_AUTH', 'pr-1204', 'preview/pr-1204', 'neon.branch', '200000', '2026-11-25'])(
  '%s reads like a word that texts have anyway',
  (text) => {
    expect(isOrdinary(text)).toBe(true);
  },
);

it.each(['abcdefghijkl', 'tok_1234567', 'hook-4f1d9a', 'correct-horse-battery-staple', 'postgres://u:p@h/db', 'aB3dE6', 'whsec_1a2b3c'])(
  '%s does not',
  (text) => {
    expect(isOrdinary(text)).toBe(false);
  },
);
