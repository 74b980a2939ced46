import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isWhole } from '../support/whole.ts';
import { byProcess } from './planted.ts';

const mb = 1024 * 1024;
/** As many as the largest account has, or a share that takes the same way. */
const pages = isWhole ? 1_000 : 100;

/** A server that answers each page so, from 1 on. */
async function serverOf(answer: (page: number, reply: ServerResponse) => void): Promise<string> {
  const server = createServer(({ url = '' }, reply) => {
    reply.setHeader('content-type', 'application/json');
    answer(Number(new URL(url, 'http://localhost').searchParams.get('after') ?? 0) + 1, reply);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const read = async (answer: (page: number, reply: ServerResponse) => void) =>
  await byProcess('read-list.ts', [await serverOf(answer)], { PATH: process.env.PATH });

describe('a list', () => {
  it('without an end is read until it is as large as no list is: pages of 12 MB', async () => {
    const filler = Buffer.alloc(12 * mb, 'x');
    const { outcome, mb: memory } = await read((page, reply) => {
      reply.write(`{"next":"${page}","items":[{"id":${page},"text":"`);
      reply.write(filler);
      reply.end('"}]}');
    });
    expect(outcome).toContain(
      'PROVIDER_RESPONSE: The list GET /items of acme takes more than 256 MB, the most that pilotfish reads of one list,',
    );
    expect(memory).toBeLessThan(900);
  });

  it('of values that take twenty times what they were sent as counts for what they take', async () => {
    const filler = Buffer.alloc(3 * mb, '{},');
    const { outcome, mb: memory } = await read((page, reply) => {
      reply.write(`{"next":"${page}","items":[{"id":${page},"all":[`);
      reply.write(filler);
      reply.end('{}]}]}');
    });
    expect(outcome).toContain('takes more than 256 MB');
    expect(memory).toBeLessThan(1_100);
  });

  it(`of ${100 * pages} entries in pages of a hundred is read whole`, async () => {
    const entry = (id: number): string =>
      JSON.stringify({ id, name: `entry ${id}`, text: 'of usual length '.repeat(30), tags: ['a', 'b'] });
    const { outcome } = await read((page, reply) => {
      const entries = Array.from({ length: 100 }, (_, n) => entry(page * 100 + n));
      reply.end(`{"items":[${entries.join(',')}],"next":${page < pages ? `"${page}"` : 'null'}}`);
    });
    expect(outcome).toBe(`${100 * pages} entries`);
  });

  it('with a page that unfolds into more than an answer holds is refused at that page', async () => {
    // Parts of one gzip text follow each other.
    const bomb = Buffer.concat(Array<Buffer>(40).fill(gzipSync(Buffer.alloc(10 * mb, ' '))));
    const { outcome, mb: memory } = await read((_, reply) => {
      reply.setHeader('content-encoding', 'gzip');
      reply.end(bomb);
    });
    expect(outcome).toContain('answered 200 to GET /items with more than 20 MB, and pilotfish reads no more.');
    expect(memory).toBeLessThan(350);
  });
});
