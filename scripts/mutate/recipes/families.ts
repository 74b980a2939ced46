import { loadFamily as loadOwn } from '../../../src/recipes/load.ts';
import type { Family, FamilyOp } from '../../../src/recipes/schema.ts';

export { familiesOf, familyNames } from '../../../src/recipes/load.ts';

let mutant: Family | null = null;
let hear: ((family: string, op: string) => void) | null = null;

/** In place of the product's: one family may be a mutant. */
export async function loadFamily(name: string): Promise<Family> {
  const family = mutant?.name === name ? mutant : await loadOwn(name);
  return hear === null ? family : listening(family, hear);
}

/** From now on the family of this name is this one; `null` ends it. */
export function put(family: Family | null): void {
  mutant = family;
}

/** Tells which operations the tests bind; `null` ends it. */
export function listen(to: ((family: string, op: string) => void) | null): void {
  hear = to;
}

/** Nothing but a line of the operation reads its template. */
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
