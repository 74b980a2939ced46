import type { DraftLine } from '../../ops/detect.ts';
import { type DraftProvider, references } from '../draft.ts';
import type { Wired } from '../wiring/wiring.ts';
import type { Role } from './judge.ts';
import { hookParams, type Target, takesAddress } from './targets.ts';

/** The lines of a host belong to each of its sites, and all others to the service. */
export const isOfHost = ({ adapter }: DraftProvider, { part }: DraftLine): boolean =>
  part === 'variable' || part === 'deployment' || part === 'address' || (part === undefined && adapter.detect?.hosting !== undefined);

export const draftsOf = ({ adapter }: DraftProvider, part: DraftLine['part']): readonly DraftLine[] =>
  (adapter.detect?.draft ?? []).filter((line) => line.part === part);

export const isFrom = ({ from }: Pick<Wired, 'from'>, { isRecipe }: DraftProvider): boolean => (from === 'family') === isRecipe;

/** The use of a drafted line. */
export function roleOf({ adapter }: DraftProvider, line: DraftLine): Role {
  if (line.part === 'flags') return 'example';
  if (line.part === 'report') return 'report';
  if (line.part === 'database') return 'source';
  const op = adapter.ops[line.op];
  const needsAddress = takesAddress({
    ...line,
    params: Object.fromEntries(Object.entries(line.params).filter(([name]) => op?.params[name]?.required)),
  });
  if (needsAddress || op?.kind === 'action' || (takesAddress(line) && hookParams(line, op).length > 0)) return 'act';
  if (op?.kind !== 'item') return 'source';
  return Object.values(line.params).some((value) => references(value).length > 0) ? 'companion' : 'act';
}

/** The line with the path of the route that the app's own files have, or with a mark where they have none. */
export function withPath(line: DraftLine, { path, isGuess }: Target, { adapter }: DraftProvider): DraftLine {
  const op = adapter.ops[line.op];
  const [param] = [...hookParams(line, op), ...('path' in line.params ? ['path'] : [])];
  if (param === undefined) return line;
  const { [param]: known, ...check } = line.check ?? {};
  const hint = known ?? `the path of your app that answers ${adapter.title}.`;
  if (path === null || isGuess) {
    const value = path ?? line.params[param] ?? op?.params[param]?.default ?? '/';
    return { ...line, params: { ...line.params, [param]: value }, check: { ...check, [param]: hint } };
  }
  return { ...line, params: { ...line.params, [param]: path }, check };
}
