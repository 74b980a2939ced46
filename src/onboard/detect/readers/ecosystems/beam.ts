import type { FactReader } from '../../facts.ts';
import { elixir } from '../code/elixir.ts';
import { gleamToml, mixExs, rebarConfig } from '../packages/beam.ts';

export const readers: readonly FactReader[] = [mixExs, rebarConfig, gleamToml, elixir];
