import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { packToFile } from './git-stream.ts';
import { packet } from './git-wire.ts';

const pack = Buffer.from(Array.from({ length: 200 }, (_, i) => i % 128));
const band = (number: number, bytes: Buffer): Buffer => packet(Buffer.concat([Buffer.from([number]), bytes]).toString('latin1'));
/** An answer with progress between two parts of a pack. */
const answer = Buffer.concat([
  packet('packfile\n'),
  band(1, pack.subarray(0, 120)),
  band(2, Buffer.from('Counting objects\n')),
  band(1, pack.subarray(120)),
  Buffer.from('0000'),
]);

async function packOf(parts: readonly Buffer[], most = 1_000): Promise<Buffer> {
  const file = path.join(await tempFolder('pack'), 'file.pack');
  const http = { request: async () => ({ url: '', statusCode: 200, statusMessage: 'OK', body: bodyOf(parts) }) };
  await packToFile({ http, url: 'https://git.example.com/a.git', headers: {} }, ['a'.repeat(40)], file, most);
  return readFile(file);
}

async function* bodyOf(parts: readonly Buffer[]) {
  yield* parts;
}

it('a pack comes whole, wherever the answer is split', async () => {
  for (let size = 1; size <= answer.length; size += 1) {
    const parts = Array.from({ length: Math.ceil(answer.length / size) }, (_, i) => answer.subarray(i * size, (i + 1) * size));
    expect(await packOf(parts), `in parts of ${size} bytes`).toEqual(pack);
  }
});

it('an answer that ends inside of a line was cut off, wherever it ends', async () => {
  for (const length of [2, 20, 100, answer.length - 2]) {
    await expect(packOf([answer.subarray(0, length)])).rejects.toThrow('its answer was cut off');
  }
});

it('an answer that is not of git, holds no pack, names an error or is too long is no pack', async () => {
  await expect(packOf([Buffer.from('<html>')])).rejects.toThrow('does not answer as a git repository does');
  await expect(packOf([packet('acknowledgments\n')])).rejects.toThrow('holds no pack');
  await expect(packOf([packet('ERR upload-pack: not our ref\n')])).rejects.toThrow('not our ref');
  await expect(packOf([packet('packfile\n'), band(3, Buffer.from('out of disk'))])).rejects.toThrow('out of disk');
  await expect(packOf([answer], pack.length - 1)).rejects.toThrow('its host sent more');
});
