import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { readOwnFile } from './own-files.ts';

/** The text of a file of ours that a build compressed; `null` where there is no such file. As plain text these files would be most of the package's data. */
export async function readBrotli(file: URL): Promise<string | null> {
  const packed = readOwnFile(file);
  return packed === null ? null : (await promisify(brotliDecompress)(packed)).toString('utf8');
}
