import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { bounds, inMb } from '../../../core/bounds.ts';
import { RemoteTrouble } from '../patience.ts';
import { tooLarge } from '../too-large.ts';
import type { GitHttpCall } from './git-http.ts';
import { NotGit } from './git-packets.ts';
import { type Asked, fetchCall, packet } from './git-wire.ts';

/** The most that one answer with the newest commits of so many branches may have. */
export const packOf = (branches: number): number => bounds.pack + branches * bounds.packOfBranch;

/**
 * Asks for the newest commits of many branches at once and writes the pack to a file as it comes, so no pack takes memory. Throws for an answer
 * with more than `most` bytes, and leaves no file then.
 */
export async function packToFile(remote: Asked, oids: readonly string[], file: string, most: number): Promise<void> {
  const args = ['no-progress\n', 'ofs-delta\n', ...oids.map((oid) => `want ${oid}\n`), 'deepen 1\n', 'done\n'].map(packet);
  const call: GitHttpCall = { ...fetchCall(remote, args), isStreamed: true };
  const { body } = await remote.http.request(call);
  const opened = await open(file, 'wx', 0o600);
  let isWhole = false;
  try {
    let length = 0;
    let isPack = false;
    for await (const line of packets(body ?? [])) {
      if (!isPack) {
        const words = line.toString('utf8').trimEnd();
        if (words.startsWith('ERR ')) throw new NotGit(words.slice(4));
        isPack = words === 'packfile';
        continue;
      }
      if (line[0] === 3) throw new NotGit(line.toString('utf8', 1).trim());
      if (line[0] !== 1) continue;
      length += line.length - 1;
      if (length > most) throw tooLarge('its host sent more', `${inMb(most)} in one answer`);
      await opened.write(line, 1);
    }
    if (!isPack) throw new RemoteTrouble('its answer holds no pack', { wasSent: false });
    isWhole = true;
  } finally {
    await opened.close();
    if (!isWhole) rmSync(file, { force: true });
  }
}

/** A packet begins with its length as four digits, so none is longer. */
const longest = 0xffff;

/**
 * The lines of an answer while it comes, without packets that only end a part. A line stands in one buffer for all lines until the next one is
 * asked for: a copy of each would be garbage as large as the answer.
 */
async function* packets(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  const packet = Buffer.allocUnsafe(longest);
  let [length, end] = [0, 0];
  for await (const part of body) {
    for (let at = 0; at < part.length; ) {
      const taken = part.subarray(at, at + (length < 4 ? 4 : end) - length);
      packet.set(taken, length);
      at += taken.length;
      length += taken.length;
      if (length === 4) end = endOf(packet.toString('latin1', 0, 4));
      if (length < 4 || length < end) continue;
      if (end > 4) yield packet.subarray(4, end);
      length = 0;
    }
  }
  if (length > 0) throw new RemoteTrouble('its answer was cut off', { wasSent: false });
}

function endOf(digits: string): number {
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new NotGit('it does not answer as a git repository does');
  return Math.max(Number.parseInt(digits, 16), 4);
}
