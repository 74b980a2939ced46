import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, addressesIn, packages } from './address.ts';
import { serverNameOf, writeServerFile } from './server-file.ts';

/**
 * Writes the addresses into every package of the folder, and the name of the tool server into the first one and `server.json`. In the
 * sources no package has an address, and the second is private.
 */
export async function fillAddresses(folder: string, address: Address): Promise<void> {
  for (const name of packages) {
    const file = join(folder, name, 'package.json');
    const { private: _, ...manifest } = JSON.parse(await readFile(file, 'utf8'));
    const mcpName = name === '.' ? serverNameOf(manifest, address) : null;
    const filled = { ...manifest, ...(mcpName !== null && { mcpName }), ...addressesIn(address, name === '.' ? null : name) };
    await writeFile(file, `${JSON.stringify(filled, null, 2)}\n`);
  }
  await writeServerFile(folder, address);
}
