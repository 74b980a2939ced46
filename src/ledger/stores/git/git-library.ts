import { once } from '../../../core/once.ts';

/** isomorphic-git, which takes longer to load than a run of a few lines: only what fetches, or reads what was fetched, asks for it. */
export const gitLibrary = once(() => import('./git-library-parts.ts'));
