import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineTransport } from './transport.ts';

/** A transport between two streams, and what went through it. */
async function open(longest = 1_000) {
  const input = new PassThrough();
  const sent: unknown[] = [];
  const got: unknown[] = [];
  let ends = 0;
  const write = (line: string): Promise<void> => {
    sent.push(JSON.parse(line));
    return Promise.resolve();
  };
  const onEnd = (): void => {
    ends += 1;
  };
  const transport = new LineTransport({ input, write, longest, onEnd });
  transport.onmessage = (message) => void got.push(message);
  await transport.start();
  return { input, transport, sent, got, ends: () => ends };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const request = (id: number, text = ''): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { text } });

describe('one message a line', () => {
  it('is read whole however it is cut, also within a character', async () => {
    const { input, got } = await open();
    const bytes = Buffer.from(`${JSON.stringify(request(1, 'über – 🐟'))}\n${JSON.stringify(request(2))}\r\n\n`);
    for (const byte of bytes) input.write(Buffer.from([byte]));
    await turn();
    expect(got).toEqual([request(1, 'über – 🐟'), request(2)]);
  });

  it('that is too long is refused under its id, and those around it are read', async () => {
    const { input, got, sent } = await open();
    const long = 'x'.repeat(5_000);
    input.write(`${JSON.stringify(request(1))}\n${JSON.stringify(request(2, long))}\n`);
    input.write(`{"method":"tools/call","params":{"text":"${long}`);
    for (let i = 0; i < 50; i += 1) input.write(long);
    input.write(`"},"jsonrpc":"2.0","id":"three"}\n${JSON.stringify(request(4))}\n`);
    await turn();
    expect(got).toEqual([request(1), request(4)]);
    expect(sent).toMatchObject([
      { id: 2, error: { code: -32600 } },
      { id: 'three', error: { code: -32600 } },
    ]);
  });

  it('that is too long is answered without an id where only something inside it has one', async () => {
    const { input, sent } = await open();
    input.write(`{"jsonrpc":"2.0","method":"x","params":{"text":"${'x'.repeat(5_000)}","id":9}}\n`);
    await turn();
    expect(sent).toEqual([{ jsonrpc: '2.0', error: { code: -32600, message: expect.stringContaining('at most 1000') } }]);
  });

  it('of exactly the most that is read is read', async () => {
    const text = JSON.stringify(request(1));
    const { input, got } = await open(text.length);
    input.write(`${text}\n${text} \n`);
    await turn();
    expect(got).toEqual([request(1)]);
  });
});

describe('the end', () => {
  it('is told once, and nothing is read or sent after it', async () => {
    const { input, transport, got, sent, ends } = await open();
    input.end(`${JSON.stringify(request(1))}\n`);
    await turn();
    await turn();
    await transport.close();
    await transport.send({ jsonrpc: '2.0', method: 'late' });
    expect(ends()).toBe(1);
    expect(got).toEqual([request(1)]);
    expect(sent).toEqual([]);
  });
});
