import type { FactReader } from '../facts.ts';
import { envFiles } from './env-file.ts';
import { ormFiles } from './orm.ts';
import { packageReaders } from './packages/index.ts';

/** Every reader. Their order means nothing. */
export const readers: readonly FactReader[] = [...packageReaders, envFiles, ormFiles];
