import type { FactReader } from '../../facts.ts';
import { php } from '../code/php.ts';
import { composerJson } from '../packages/php.ts';
import { wpConfig } from '../settings/wordpress.ts';

export const readers: readonly FactReader[] = [composerJson, wpConfig, php];
