import { Failure } from '../core/errors.ts';
import { type Draft, type DraftedLine, references } from './draft.ts';
import { type Standing, stands } from './standing.ts';

/**
 * The lines that an existing plan is to get, by id, with those that they refer to and that it lacks. Throws `USAGE` for an id that
 * nothing in the repository asks for, and for one that the plan has.
 */
export function linesToAdd(ids: readonly string[], draft: Draft, standing: Standing): readonly DraftedLine[] {
  const missing = draft.lines.filter((line) => !stands(standing, line));
  const byId = new Map(missing.map((line) => [line.id, line]));
  const wanted = new Set<string>();
  const want = (id: string): void => {
    const line = byId.get(id);
    if (!line || wanted.has(id)) return;
    wanted.add(id);
    for (const [, { value }] of line.params) for (const other of references(value)) want(other);
  };
  for (const id of ids) {
    if (!byId.has(id)) throw unknown(id, [...byId.keys()], standing);
    want(id);
  }
  // Somebody asked for them by name, so they are lines and no comments.
  return missing.filter(({ id }) => wanted.has(id)).map((line) => ({ ...line, aside: null, dependsOn: [] }));
}

function unknown(id: string, known: readonly string[], standing: Standing): Failure {
  const detail = standing.lines.some((line) => line.id === id)
    ? `The plan has the line ${id} already.`
    : `Nothing that was found in this repository asks for a line ${id}.`;
  return new Failure('USAGE', {
    detail,
    fix: known.length === 0 ? 'The plan has a line for all that was found.' : `Add one of ${known.join(', ')}.`,
  });
}
