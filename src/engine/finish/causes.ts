import type { LinePosition } from '../schedule/lines.ts';
import { type Session, workOf } from '../session.ts';

/** The end of a line, with the failed lines that kept it from its turn. */
export interface EndPosition extends LinePosition {
  /** The first causes, and not the skipped lines between, in the order of the run. Empty for a line that had its turn. */
  readonly because: readonly string[];
}

const bad: ReadonlySet<string> = new Set(['failed', 'refused', 'recordingUnready']);
/** A line that had no turn ended with the first of its producers. The others may tell another reason. */
const hadTurn = ({ state, context }: LinePosition): boolean => state !== 'skipped' && !(state === 'paused' && context.verdict === null);

/**
 * Gives each line without a turn the reasons of all its producers, whichever of them ended first. A line below a failed one waits for its
 * correction. Any other line below a paused one waits for the deployment.
 */
export function withCauses(session: Pick<Session, 'works'>, positions: readonly LinePosition[]): readonly EndPosition[] {
  const below = belowOf(session, positions);
  const because = new Map<string, string[]>();
  for (const { id } of positions.filter(({ state }) => bad.has(state))) {
    for (const user of below(id)) because.set(user, [...(because.get(user) ?? []), id]);
  }
  const paused = positions.filter((position) => position.state === 'paused' && hadTurn(position));
  const waiting = new Set(paused.flatMap(({ id }) => [...below(id)]));
  return positions.map((position) => {
    const causes = because.get(position.id);
    if (causes) return { ...position, state: 'skipped', because: causes };
    if (!waiting.has(position.id)) return { ...position, because: [] };
    return { ...position, state: 'paused', context: { ...position.context, why: 'waits for the deployment' }, because: [] };
  });
}

/** Finds the lines without a turn below a line. */
function belowOf(session: Pick<Session, 'works'>, positions: readonly LinePosition[]): (id: string) => ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const position of positions) {
    if (hadTurn(position)) continue;
    for (const producer of workOf(session, position.id).after) users.set(producer, [...(users.get(producer) ?? []), position.id]);
  }
  return (id) => {
    const found = new Set<string>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const user of users.get(next) ?? []) {
        if (!found.has(user)) open.push(user);
        found.add(user);
      }
    }
    return found;
  };
}
