import { openRegistry } from '../../src/engine/prepare/registry.ts';

/** Every operation of every adapter and recipe, as `<name>.<op>`. */
export async function allOperations(): Promise<readonly string[]> {
  const registry = await openRegistry({ env: {}, cwd: process.cwd() });
  const adapters = await Promise.all([...registry.adapterNames()].map((name) => registry.adapter(name)));
  const families = await Promise.all([...registry.familyNames()].map((name) => registry.family(name)));
  const all = [...adapters, ...families].flatMap((owner) => (owner ? Object.keys(owner.ops).map((op) => `${owner.name}.${op}`) : []));
  return [...new Set(all)].sort();
}
