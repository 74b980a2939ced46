import type { RepositoryFacts } from '../../../src/platform/checkout.ts';
import { here } from './machine.ts';

/** In place of `src/platform/checkout.ts`: the commit that the job checked out. */
export const repositoryFacts = async (): Promise<RepositoryFacts | null> => here().checkout;
