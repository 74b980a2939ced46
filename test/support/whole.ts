/** `npm run whole` asks for whole tables. `npm test` has a share of each that meets every row. */
export const isWhole: boolean = process.env.PILOTFISH_TESTS === 'all';

/** All of a table where whole ones are asked for; else so many of it, spread from the first to the last. */
export function some<T>(table: readonly T[], count: number): readonly T[] {
  if (isWhole || count >= table.length) return table;
  const step = (table.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => table[Math.round(i * step)] as T);
}
