import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gitObject, packOf } from './git-object.ts';
import { checkPack } from './git-pack.ts';

const mb = 1024 * 1024;

/** Kind and size, as git writes them. */
function head(kind: number, size: number): Buffer {
  const bytes = [(kind << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** The two sizes that a difference begins with. */
const sizes = (...all: readonly number[]): Buffer =>
  Buffer.from(
    all.flatMap((size) => {
      const bytes: number[] = [];
      for (let rest = size; ; rest = Math.floor(rest / 128)) {
        bytes.push(rest > 127 ? (rest & 0x7f) | 0x80 : rest);
        if (rest <= 127) return bytes;
      }
    }),
  );

function pack(...objects: readonly Buffer[]): Buffer {
  const top = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  top.writeUInt32BE(objects.length, 8);
  return Buffer.concat([top, ...objects, Buffer.alloc(20)]);
}

const difference = (target: number): Buffer => {
  const made = Buffer.concat([sizes(5, target), Buffer.from([0x90, 5])]);
  return Buffer.concat([head(7, made.length), Buffer.alloc(20), deflateSync(made)]);
};

describe('a pack', () => {
  it('passes with what a ledger has', () => {
    expect(() =>
      checkPack(packOf(['a', 'b'.repeat(200_000), ''].map((text) => gitObject('blob', Buffer.from(text), 'sha1')))),
    ).not.toThrow();
    expect(() => checkPack(pack(difference(5)))).not.toThrow();
  });

  it('is refused before it unpacks an object whose stated size is over that of a file', () => {
    const small = Buffer.concat([head(3, 600 * mb), deflateSync('no such size')]);
    expect(() => checkPack(pack(small))).toThrow(/has 600 MB\. The limit is 32 MB for a file/);
  });

  it('is unpacked no further than the size that an object states', () => {
    const bomb = Buffer.concat([head(3, 10), deflateSync(Buffer.alloc(100 * mb))]);
    expect(() => checkPack(pack(bomb))).toThrow(/larger than 11 bytes/);
  });

  it('is refused where a difference of a few bytes makes a large object of a small one', () => {
    expect(() => checkPack(pack(difference(900 * mb)))).toThrow(/has 900 MB/);
  });

  it('is refused where its objects are larger together than the commits of a ledger', () => {
    const each = Array.from({ length: 20 }, () => difference(30 * mb));
    expect(() => checkPack(pack(...each))).toThrow(/The limit is 512 MB in one fetch/);
  });

  it('is refused where differences are made of differences without end', () => {
    const base = Buffer.concat([head(3, 5), deflateSync('hello')]);
    const made = Buffer.concat([sizes(5, 5), Buffer.from([0x90, 5])]);
    const one = (back: number): Buffer => Buffer.concat([head(6, made.length), Buffer.from([back]), deflateSync(made)]);
    const chain = [base, ...Array.from({ length: 300 }, (_, n) => one(n === 0 ? base.length : one(0).length))];
    expect(() => checkPack(pack(...chain))).toThrow(/The limit is 250 of them/);
  });
});
