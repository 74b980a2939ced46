import type { FoundParam } from '../facts.ts';
import type { Claim, Deployable } from '../survey.ts';
import type { Reach } from './reach.ts';

/**
 * The params of a service: those that files of its deployables hold, and those of its deployables' hosts. A param with several values is
 * unclear: only a person knows the right one, and a line of the plan would change somebody else's project.
 */
export function idsIn(
  found: readonly (FoundParam & { readonly folder: string })[],
  reach: Reach,
  hosts: readonly Deployable[],
): Pick<Claim, 'ids' | 'unclear'> {
  const near = found.filter(({ folder }) => reach.has(folder));
  const values = new Map<string, Set<string>>();
  const add = (param: string, value: string): void => void values.set(param, (values.get(param) ?? new Set()).add(value));
  for (const { host } of hosts) {
    for (const [param, value] of Object.entries(host?.ids ?? {})) add(param, value);
    for (const [param, all] of Object.entries(host?.unclear ?? {})) for (const value of all) add(param, value);
  }
  const told = new Set(values.keys());
  for (const { param, value } of near.length > 0 ? near : found) if (!told.has(param)) add(param, value);
  const ids: Record<string, string> = {};
  const unclear: Record<string, readonly string[]> = {};
  for (const [param, all] of values) {
    const [value = '', ...others] = all;
    if (others.length === 0) ids[param] = value;
    else unclear[param] = [value, ...others];
  }
  return { ids, unclear };
}
