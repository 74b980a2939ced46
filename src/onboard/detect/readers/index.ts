import type { FactReader } from '../facts.ts';
import { addressReaders } from './addresses.ts';
import { envFiles } from './env-file.ts';
import { infrastructureReaders } from './infrastructure/index.ts';
import { ormFiles } from './orm.ts';
import { packageReaders } from './packages/index.ts';
import { secretListReaders } from './secret-lists.ts';
import { settingsReaders } from './settings/index.ts';

/** Every reader. Their order means nothing. */
export const readers: readonly FactReader[] = [
  ...packageReaders,
  ...settingsReaders,
  ...infrastructureReaders,
  ...addressReaders,
  ...secretListReaders,
  envFiles,
  ormFiles,
];
