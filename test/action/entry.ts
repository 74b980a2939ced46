import { join } from 'node:path';

/** What the action's `main` is. */
export const entry = join(import.meta.dirname, '../../src/action/index.ts');
