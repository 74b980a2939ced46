import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';
import { bounds } from '../../core/bounds.ts';
import type { WireAnswer } from '../types.ts';
import { BodyTooLong } from './decode.ts';

/** The codings that a request asks for. Some proxies spoil codings that they do not know, so a request without encryption asks for old ones. */
export const codings = ({ protocol }: URL): string => (protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate');

/**
 * The body as it was before it was packed. A coding that nobody asked for is left as it is. undici (8.12.4) has two decoders of its own. Its
 * interceptor `decompress` prints a warning for each process and refuses bodies without their end, which `lenient` accepts. Its `fetch` takes
 * 0.4 ms of CPU more for each request, a third of the time that a run takes for a line.
 */
export async function decoded({ status, headers, bytes }: WireAnswer): Promise<Uint8Array> {
  const packed = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const known = packed.flatMap((name) => unpackers[name] ?? []);
  if (bytes.byteLength === 0 || known.length === 0) return bytes;
  // Each layer may unfold a thousandfold, so the limit holds for each.
  if (packed.length > mostCodings) throw new Error(`an answer that is packed ${packed.length} times over`);
  let unpacked = bytes;
  try {
    for (const unpack of known.toReversed()) unpacked = await unpack(unpacked);
    return unpacked;
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLong(status) : error;
  }
}

const mostCodings = 5;

/** Some servers leave out the end of a packed body. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: bounds.answer };

type Unpack = (bytes: Uint8Array) => Promise<Uint8Array>;

const ungzip: Unpack = (bytes) => promisify(gunzip)(bytes, lenient);

const unpackers: { readonly [coding: string]: Unpack | undefined } = {
  gzip: ungzip,
  'x-gzip': ungzip,
  // Half of the servers leave out the frame that the standard asks for.
  deflate: (bytes) => promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, lenient),
  br: (bytes) => promisify(brotliDecompress)(bytes, { ...lenient, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
