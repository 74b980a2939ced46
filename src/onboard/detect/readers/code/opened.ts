import type { Asked, Fact, VariableUse } from '../../facts.ts';

/** The databases that code opens, as facts of the schemes of their addresses: a bare variable tells of an engine in this way alone. */
export function databasesOf(variables: readonly VariableUse[], { schemes }: Asked): readonly Fact[] {
  const found = new Map<string, Fact>();
  for (const { opens, file, line, use, isSkeleton } of variables) {
    const engine = opens?.engine;
    if (engine === undefined || engine === null || isSkeleton || found.has(engine)) continue;
    // Other schemes of the same engine may be those of one provider.
    const scheme = [engine, `${engine}ql`].find((one) => schemes.includes(one));
    if (scheme !== undefined) found.set(engine, { kind: 'scheme', name: scheme, file, line, use });
  }
  return [...found.values()];
}
