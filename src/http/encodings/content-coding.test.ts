import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bounds } from '../../core/bounds.ts';
import { codings, decoded } from './content-coding.ts';
import { BodyTooLong } from './decode.ts';

const plain = Buffer.from('{"data":[]}');
const read = async (coding: string, bytes: Uint8Array): Promise<string> =>
  Buffer.from(await decoded({ status: 200, headers: { 'content-encoding': coding }, bytes })).toString('utf8');

test.for([
  ['gzip', gzipSync(plain)],
  ['x-gzip', gzipSync(plain)],
  [' GZIP ', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ['identity', plain],
  ['snappy', plain],
  ['', plain],
] as const)('a body in the coding "%s" is decoded', async ([coding, bytes]) => {
  expect(await read(coding, bytes)).toBe(plain.toString('utf8'));
});

test('an answer without a body is empty, whatever coding its header names', async () => {
  expect(await read('gzip', Buffer.alloc(0))).toBe('');
});

test('a packed body whose end is missing is read as far as it goes', async () => {
  expect(await read('gzip', gzipSync(plain).subarray(0, -8))).toBe(plain.toString('utf8'));
});

test('a body that is not packed as its header says breaks the exchange', async () => {
  await expect(read('gzip', plain)).rejects.toThrow('incorrect header check');
});

test('a small body that unfolds into more than any answer holds is refused', async () => {
  const bomb = Buffer.alloc(bounds.answer + 1);
  for (const [coding, bytes] of [
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
  ] as const) {
    await expect(read(coding, bytes), coding).rejects.toThrow(BodyTooLong);
  }
});

test('a body that is packed many times over is refused', async () => {
  await expect(read('gzip, gzip, gzip, gzip, gzip, gzip', gzipSync(plain))).rejects.toThrow('packed 6 times over');
});

test('a request without encryption asks for old codings only', () => {
  expect(codings(new URL('https://api.example'))).toBe('br, gzip, deflate');
  expect(codings(new URL('http://api.example'))).toBe('gzip, deflate');
});
