import { door } from '../../core/door.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { Problems } from '../../plan/problems.ts';
import type { PlanLine } from '../../plan/types.ts';
import type { RunRequest } from '../types.ts';

/** The lines of `--only` with all that they need; a name that no line has is a mistake of the command. */
export function narrow(
  order: readonly PlanLine[],
  after: ReadonlyMap<string, readonly string[]>,
  { only, recreate, isWhole = only.length === 0 }: Pick<RunRequest, 'only' | 'recreate'> & { readonly isWhole?: boolean },
  problems: Problems,
): readonly PlanLine[] {
  const ids = order.map((line) => line.id);
  const known = new Set(ids);
  for (const [input, names] of [['only', only] as const, ['recreate', recreate] as const]) {
    for (const name of names.filter((wanted) => !known.has(wanted))) {
      problems.add('USAGE', {
        detail: `${door.named(input)} names ${JSON.stringify(name)}, and this environment has no line of that id.${didYouMean(name, ids)}`,
        fix: 'Name a line of the plan.',
      });
    }
  }
  if (isWhole) return order;
  const wanted = new Set<string>();
  const open = only.filter((id) => known.has(id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (wanted.has(id)) continue;
    wanted.add(id);
    open.push(...(after.get(id) ?? []));
  }
  for (const name of recreate.filter((id) => known.has(id) && !wanted.has(id))) {
    problems.add('USAGE', {
      detail: `${door.named('recreate')} names ${name}, which ${door.named('only')} leaves out.`,
      fix: `Add ${door.passed('only', name)}.`,
    });
  }
  return order.filter((line) => wanted.has(line.id));
}
