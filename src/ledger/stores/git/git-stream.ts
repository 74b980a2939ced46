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

/** The lines of an answer while it comes, without packets that only end a part. */
async function* packets(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of body) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (;;) {
      const digits = rest.toString('latin1', 0, 4);
      if (digits.length < 4) break;
      if (!/^[0-9a-f]{4}$/i.test(digits)) throw new NotGit('it does not answer as a git repository does');
      const end = Math.max(Number.parseInt(digits, 16), 4);
      if (rest.length < end) break;
      if (end > 4) yield rest.subarray(4, end);
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw new RemoteTrouble('its answer was cut off', { wasSent: false });
}
