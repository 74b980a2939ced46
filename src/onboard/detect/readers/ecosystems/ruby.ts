import type { FactReader } from '../../facts.ts';
import { ruby } from '../code/ruby.ts';
import { gemfile, gemspec } from '../packages/ruby.ts';

export const readers: readonly FactReader[] = [gemfile, gemspec, ruby];
