import type { FactReader } from '../../facts.ts';
import { dart, swift } from '../code/mobile.ts';
import { melos, pubspec } from '../packages/dart.ts';
import { packageSwift, podfile } from '../packages/swift.ts';

export const readers: readonly FactReader[] = [pubspec, melos, packageSwift, podfile, dart, swift];
