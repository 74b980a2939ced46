import type { Registry } from '../ops/registry.ts';
import { readSubjects } from '../recipes/subjects.ts';

/** Every operation by its name, `neon.branch`, and whether it is one of an adapter or of a recipe. */
export async function operationsIn(registry: Registry): Promise<readonly { readonly name: string; readonly kind: 'adapter' | 'recipe' }[]> {
  const subjects = await readSubjects(registry);
  return subjects.flatMap(({ name, kind, ops }) => ops.map((op) => ({ name: `${name}.${op.name}`, kind })));
}
