import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { maskOutput } from './child-output.ts';

const secret = 'postgresql://ann:hunter2hunter2@db.example/shop';
const MiB = 1024 * 1024;

/** Prints these chunks as a program does, and gives what its reader gets. */
async function shown(chunks: Iterable<Buffer>, own: readonly string[] = [secret]): Promise<Buffer> {
  const [source, target] = [Readable.from(chunks), new PassThrough()];
  maskOutput(source, target, { own, all: new Redactor() });
  source.once('end', () => target.end());
  return Buffer.concat(await target.toArray());
}

function* chunksOf(text: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < text.length; at += length) yield text.subarray(at, at + length);
}

describe('what a command prints', () => {
  it('keeps each byte that is no secret, whatever its encoding', async () => {
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 7) % 256));
    for (const length of [1, 3, 1024]) expect((await shown(chunksOf(bytes, length))).equals(bytes)).toBe(true);
  });

  it('is masked where a chunk ends inside a secret', async () => {
    const text = Buffer.from(`a ${secret} b\nc ${secret}`);
    for (let length = 1; length < text.length; length += 5) expect(String(await shown(chunksOf(text, length)))).toBe('a *** b\nc ***');
  });

  it.each(['', ' '])('is masked in a line without end, wherever the parts of it are cut, with "%s" between', async (between) => {
    const words = between === '' ? secret : 'correct horse battery staple';
    const filler = 'x'.repeat(20_011);
    const text = Buffer.from(Array.from({ length: 160 }, () => `${filler}${between}${words}${between}`).join(''));
    const out = String(await shown(chunksOf(text, 64 * 1024), [words]));
    expect(out).toBe(Array.from({ length: 160 }, () => `${filler}${between}***${between}`).join(''));
  });

  it('is held back for a program whose reader is slow, and is shown meanwhile', async () => {
    const [source, written] = [Readable.from(chunksOf(Buffer.alloc(4 * MiB, 'x'), MiB)), [] as number[]];
    const target = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        written.push(chunk.length);
        setImmediate(done);
      },
    });
    maskOutput(source, target, { own: [secret], all: new Redactor() });
    await new Promise((resolve) => source.once('end', resolve));
    await new Promise((resolve) => target.end(resolve));
    expect(written.reduce((sum, length) => sum + length, 0)).toBe(4 * MiB);
    expect(written.length).toBeGreaterThan(3);
  });
});
