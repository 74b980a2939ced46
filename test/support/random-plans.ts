import fc from 'fast-check';
import type { Node } from '../../src/machines/coordinator/schedule.ts';

/** Plans without cycles: each line comes after some of those before it. */
export const plans: fc.Arbitrary<readonly Node[]> = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((edges) =>
    edges.map((picks, i) => ({
      id: `line-${i}`,
      after: i === 0 ? [] : [...new Set(picks.map((pick) => `line-${pick % i}`))],
    })),
  );

/** Ids below a line, however far. */
export function below(nodes: readonly Node[], id: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodes) if (node.after.some((producer) => producer === id || found.has(producer))) found.add(node.id);
  return found;
}
