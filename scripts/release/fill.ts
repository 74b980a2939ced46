import { optionsOf } from '../options.ts';
import { root } from '../tasks.ts';
import { addressOf } from './address.ts';
import { fillAddresses } from './fill-in.ts';

const usage = `node scripts/release/fill.ts --repository <address>

Writes the addresses of the repository into the packages of this checkout. The workflow of a release does so before it packs.`;

const { values } = optionsOf(usage, { options: { repository: { type: 'string' } } });
if (values.repository === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else await fillAddresses(root, addressOf(values.repository));
