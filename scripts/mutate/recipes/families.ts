import { loadFamily as loadOwn } from '../../../src/recipes/load.ts';
import type { Family, FamilyOp } from '../../../src/recipes/schema.ts';

export { familiesOf, familyNames } from '../../../src/recipes/load.ts';

let mutant: Family | null = null;
let hear: ((family: string, op: string) => void) | null = null;

/** Replaces the product's loader: one family may be a mutant. */
export async function loadFamily(name: string): Promise<Family> {
  const family = mutant?.name === name ? mutant : await loadOwn(name);
  return hear === null ? family : listening(family, hear);
}

/** Replaces the family of this name from now on; `null` ends that. */
export function put(family: Family | null): void {
  mutant = family;
}

/** Reports the operations that the tests bind; `null` ends that. */
export function listen(to: ((family: string, op: string) => void) | null): void {
  hear = to;
}

/** Reports a read of an operation's template, because only a line of the operation reads it. */
const listening = (family: Family, tell: (family: string, op: string) => void): Family => ({
  ...family,
  ops: Object.fromEntries(
    Object.entries(family.ops).map(([name, op]): [string, FamilyOp] => [
      name,
      Object.defineProperty({ ...op }, 'template', {
        enumerable: true,
        get: () => {
          tell(family.name, name);
          return op.template;
        },
      }),
    ]),
  ),
});
