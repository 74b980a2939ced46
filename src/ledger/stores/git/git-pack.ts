import { inflateSync } from 'node:zlib';
import { bounds, inMb } from '../../../core/bounds.ts';
import { tooLarge } from '../too-large.ts';

/** Git's numbers for the two kinds of differences to another object: by its place in the pack, and by its id. */
const byPlace = 6;
const byId = 7;

/** Git itself makes no longer chains of differences than 4,095, and 50 where nobody asks for more. */
const longestChain = 250;

/**
 * Refuses a pack before anything of it is kept. Each object tells its size in front of its packed bytes, so a megabyte that unpacks to a
 * gigabyte is known before it is unpacked; one that lies about its size ends at the size that it told.
 */
export function checkPack(pack: Buffer): void {
  const count = pack.length < 12 ? 0 : pack.readUInt32BE(8);
  const chains = new Map<number, number>();
  let sum = 0;
  let at = 12;
  for (let n = 0; n < count; n += 1) {
    const start = at;
    const head = headOf(pack, at);
    at = head.end;
    const chain = head.type === byPlace ? (chains.get(start - head.back) ?? 0) + 1 : 0;
    if (head.type === byPlace) chains.set(start, chain);
    if (chain > longestChain) throw tooLarge('its host sent a longer chain of differences', `${longestChain} of them`);
    mustFit(head.size);
    const { bytes, used } = unpacked(pack.subarray(at), head.size);
    const size = head.type >= byPlace ? targetSize(bytes) : head.size;
    mustFit(size);
    sum += size;
    if (sum > bounds.unpacked) throw tooLarge('its newest commits hold more', `${inMb(bounds.unpacked)} in one fetch`);
    at += used;
  }
}

function mustFit(size: number): void {
  if (size > bounds.file) throw tooLarge(`a file of its newest commits has ${inMb(size)}`, `${inMb(bounds.file)} for a file`);
}

/** Kind and size: seven bits to a byte after the first four; the highest bit says that more follow. Then the place of the other object. */
function headOf(
  pack: Buffer,
  start: number,
): { readonly type: number; readonly size: number; readonly back: number; readonly end: number } {
  let at = start;
  let byte = pack.readUInt8(at++);
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = pack.readUInt8(at++);
    size += (byte & 0x7f) * scale;
  }
  let back = 0;
  if (type === byId) at += 20;
  if (type === byPlace) {
    byte = pack.readUInt8(at++);
    back = byte & 0x7f;
    while (byte & 0x80) {
      byte = pack.readUInt8(at++);
      back = (back + 1) * 128 + (byte & 0x7f);
    }
  }
  return { type, size, back, end: at };
}

function unpacked(packed: Buffer, size: number): { readonly bytes: Buffer; readonly used: number } {
  const { buffer, engine } = inflateSync(packed, { maxOutputLength: size + 1, info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  return { bytes: buffer, used: engine.bytesWritten };
}

/** A difference begins with two sizes: that of its base, and that of its result. */
function targetSize(difference: Buffer): number {
  let at = 0;
  let size = 0;
  for (let n = 0; n < 2; n += 1) {
    size = 0;
    for (let scale = 1, more = true; more; scale *= 128) {
      const byte = difference.readUInt8(at++);
      size += (byte & 0x7f) * scale;
      more = (byte & 0x80) !== 0;
    }
  }
  return size;
}
