import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** The text of a file that a build compressed; `null` where there is no such file. As plain text these files would be most of the package's data. */
export async function readBrotli(file: URL): Promise<string | null> {
  try {
    return (await promisify(brotliDecompress)(await readFile(file))).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
