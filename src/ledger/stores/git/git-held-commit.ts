import { inflateSync } from 'node:zlib';
import type { Asked } from './git-wire.ts';
import { ask, greetedWith, packet, packetsOf } from './git-wire.ts';

/** No commit of a ledger is longer. */
const longest = 1024 * 1024;

/**
 * Asks the remote for a commit, even if no branch leads to it any more; one character stands for a byte. `null` when the remote holds no
 * such commit, or speaks only the first version of git's protocol, which cannot ask for one.
 */
export async function heldCommit(remote: Asked, oid: string): Promise<string | null> {
  const pack = await heldPack(remote, oid, { isWhole: false });
  return pack && firstCommit(pack);
}

/** The same with all files, as a pack. */
export async function heldPack(remote: Asked, oid: string, { isWhole }: { readonly isWhole: boolean }): Promise<Buffer | null> {
  const abilities = await greetedWith(remote);
  if (abilities === null) return null;
  // Where the remote can leave the files out, it sends the commit alone.
  const canFilter = abilities.some((line) => /^fetch=.*\bfilter\b/.test(line));
  const less = canFilter && !isWhole ? [packet('filter tree:0\n')] : [];
  const content = await ask(remote, 'fetch', [
    packet('no-progress\n'),
    packet(`want ${oid}\n`),
    packet('deepen 1\n'),
    ...less,
    packet('done\n'),
  ]);
  const lines = packetsOf(content);
  const start = lines.findIndex((line) => line.toString('latin1').trimEnd() === 'packfile');
  if (start < 0) return null;
  return Buffer.concat(lines.slice(start + 1).flatMap((line) => (line[0] === 1 ? [line.subarray(1)] : [])));
}

/** The first object of a pack, which begins with its commits. */
function firstCommit(pack: Buffer): string | null {
  if (pack.toString('latin1', 0, 4) !== 'PACK') return null;
  let at = 12;
  const kind = ((pack[at] ?? 0) >> 4) & 7;
  while (((pack[at] ?? 0) & 0x80) !== 0) at += 1;
  try {
    return kind === 1 ? inflateSync(pack.subarray(at + 1), { maxOutputLength: longest }).toString('latin1') : null;
  } catch {
    return null;
  }
}
