import type { FactReader } from '../../facts.ts';
import { rust } from '../code/rust.ts';
import { cargoToml } from '../packages/cargo.ts';

export const readers: readonly FactReader[] = [cargoToml, rust];
