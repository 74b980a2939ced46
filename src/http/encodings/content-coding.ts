import { brotliDecompress, constants, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import type { WireAnswer } from '../types.ts';
import { BodyTooLong, bodyLimit } from './decode.ts';

/** What an answer may be packed with. Some proxies without encryption spoil what they do not know, so only old codings go there. */
export const codings = ({ protocol }: URL): string => (protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate');

/** The body as it was before it was packed. A coding that nobody asked for is left as it is. */
export async function decoded({ status, headers, bytes }: WireAnswer): Promise<Uint8Array> {
  const packed = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (bytes.byteLength === 0 || !packed.some((name) => name in unpackers)) return bytes;
  // Each layer may unfold a thousandfold, and each is held to the limit.
  if (packed.length > mostCodings) throw new Error(`an answer that is packed ${packed.length} times over`);
  let unpacked = bytes;
  for (const name of packed.toReversed()) unpacked = (await unpackers[name]?.(unpacked, status)) ?? unpacked;
  return unpacked;
}

const mostCodings = 5;

type Unpack = (bytes: Uint8Array, status: number) => Promise<Uint8Array>;

const ungzip: Unpack = async (bytes, status) => {
  // Some servers leave out the end.
  return await within(status, (done) => gunzip(bytes, { ...limits, finishFlush: constants.Z_SYNC_FLUSH }, done));
};

const unpackers: { readonly [coding: string]: Unpack | undefined } = {
  gzip: ungzip,
  'x-gzip': ungzip,
  deflate: async (bytes, status) => {
    // Half of the servers leave out the frame that the standard asks for.
    const unpack = ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw;
    return await within(status, (done) => unpack(bytes, { ...limits, finishFlush: constants.Z_SYNC_FLUSH }, done));
  },
  br: async (bytes, status) => {
    return await within(status, (done) => brotliDecompress(bytes, { ...limits, finishFlush: constants.BROTLI_OPERATION_FLUSH }, done));
  },
};

const limits: ZlibOptions = { maxOutputLength: bodyLimit };

type Done = (error: NodeJS.ErrnoException | null, bytes: Buffer) => void;

function within(status: number, unpack: (done: Done) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    unpack((error, bytes) => {
      if (error === null) resolve(bytes);
      else reject(error.code === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLong(status) : error);
    });
  });
}
