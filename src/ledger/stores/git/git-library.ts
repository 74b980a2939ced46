import { once } from '../../../core/once.ts';

/** Loads isomorphic-git. This takes longer than a run of a few lines, so only code that fetches, or reads what was fetched, asks for it. */
export const gitLibrary = once(() => import('./git-library-parts.ts'));
