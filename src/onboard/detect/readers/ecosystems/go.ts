import type { FactReader } from '../../facts.ts';
import { go } from '../code/go.ts';
import { goMod, goWork } from '../packages/go.ts';

export const readers: readonly FactReader[] = [goMod, goWork, go];
