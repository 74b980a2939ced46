import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'rolldown';
import { root } from '../tasks.ts';

/**
 * undici holds its HTTP parser twice, for machines with and without SIMD, each as base64 in a module. No compression finds what the two
 * have in common there. One packed file with the bytes of both takes 15 KB, the two modules 48 KB.
 */
const names = ['llhttp-wasm', 'llhttp_simd-wasm'] as const;
const fileOf = (name: string): string => join(root, 'node_modules/undici/lib/llhttp', `${name}.js`);
const packName = 'http-parsers.br';
const shared = '\0http-parsers';

/** Writes the packed file beside the programs. */
export async function writeHttpParsers(dir: string): Promise<void> {
  await writeFile(join(dir, packName), brotliCompressSync(Buffer.concat(bytesOfBoth())));
}

/** Makes each of the two modules give its part of the packed file. */
export function packedHttpParsers(): Plugin {
  const [first] = bytesOfBoth();
  const parts = new Map([
    [fileOf(names[0]), `module.exports = require(${JSON.stringify(shared)}).bytes().subarray(0, ${first?.length})`],
    [fileOf(names[1]), `module.exports = require(${JSON.stringify(shared)}).bytes().subarray(${first?.length})`],
  ]);
  return {
    name: 'packed-http-parsers',
    resolveId: (id) => (id === shared ? id : null),
    load: (id) => (id === shared ? unpacks : (parts.get(id) ?? null)),
  };
}

const unpacks = `
  import { readFileSync } from 'node:fs';
  import { brotliDecompressSync } from 'node:zlib';
  export const bytes = () => brotliDecompressSync(readFileSync(new URL('./${packName}', import.meta.url)));
`;

function bytesOfBoth(): readonly Buffer[] {
  const load = createRequire(import.meta.url);
  return names.map((name): Buffer => load(fileOf(name)));
}
