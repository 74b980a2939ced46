import { createHash, hash } from 'node:crypto';
import { deflateSync, type ZlibOptions } from 'node:zlib';
import type { ObjectFormat } from './git-format.ts';

/** An object of git, with the parts that make its name. */
export interface GitObject {
  readonly oid: string;
  readonly type: keyof typeof kinds;
  readonly content: Buffer;
}

/** As packs number them. */
const kinds = { commit: 1, tree: 2, blob: 3 } as const;

/**
 * Objects of git, made here and at once: isomorphic-git makes each through streams and promises of its own, and packs only what it
 * finds again by a walk through the whole tree. A ledger of thousands of records is pushed several times a run.
 */
export function gitObject(type: GitObject['type'], content: Buffer, format: ObjectFormat): GitObject {
  return { type, content, oid: hash(format, whole(type, content), 'hex') };
}

/** Its text with the head that git puts in front. */
const whole = (type: GitObject['type'], content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${type} ${content.length}\0`, 'latin1'), content]);

/** As git keeps a single object in a file. */
export const looseOf = ({ type, content }: GitObject): Buffer => deflateSync(whole(type, content), { level: 1 });

/** The order of git: a folder's name counts as if it ended in a slash. */
export function gitTree(
  entries: Iterable<{ readonly name: string; readonly mode: string; readonly oid: string }>,
  format: ObjectFormat,
): GitObject {
  const ordered = [...entries].map(({ name, mode, oid }) => ({
    key: Buffer.from(mode === '40000' ? `${name}/` : name, 'utf8'),
    bytes: Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'utf8'), Buffer.from(oid, 'hex')]),
  }));
  ordered.sort((a, b) => Buffer.compare(a.key, b.key));
  return gitObject('tree', Buffer.concat(ordered.map(({ bytes }) => bytes)), format);
}

export function gitCommit(o: {
  readonly tree: string;
  readonly parent: string | null;
  readonly by: { readonly name: string; readonly email: string };
  /** Seconds since 1970. */
  readonly at: number;
  readonly message: string;
  readonly format: ObjectFormat;
}): GitObject {
  const who = `${plain(o.by.name)} <${plain(o.by.email)}> ${o.at} +0000`;
  const parent = o.parent === null ? '' : `parent ${o.parent}\n`;
  const text = `tree ${o.tree}\n${parent}author ${who}\ncommitter ${who}\n\n${o.message}`;
  return gitObject('commit', Buffer.from(text, 'utf8'), o.format);
}

/** A name with one of these in it would end the line, or the name. */
const plain = (text: string): string => text.replace(/[\0\n<>]/g, '').trim();

/** Objects of a remote with SHA-1 as they are sent: one pack, each object by itself. */
export function packOf(objects: readonly GitObject[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const { type, content } of objects) parts.push(sizeOf(kinds[type], content.length), deflateSync(content, tightness(content.length)));
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** zlib clears a quarter of a megabyte for each text, but most texts have a few hundred characters. Room for those alone halves the time. */
const tightness = (length: number): ZlibOptions =>
  length > 4_096 ? { level: 1 } : { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2_048 };

/** Kind and length, seven bits to a byte after the first four; the highest bit says that more follow. */
function sizeOf(kind: number, length: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(length / 16);
  let byte = (kind << 4) | (length & 15);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, byte]);
}
