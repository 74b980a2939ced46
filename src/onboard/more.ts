import { Failure } from '../core/errors.ts';
import { type Draft, type DraftedLine, references } from './draft.ts';
import { type Standing, stands } from './standing.ts';

/**
 * Finds the lines to add to an existing plan by their ids, with the missing lines that they refer to. Throws `USAGE` for an id that nothing
 * in the repository asks for, and for an id that the plan has.
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
  // A person asked for these lines by name, so they are never comments.
  return missing.filter(({ id }) => wanted.has(id)).map((line) => ({ ...line, aside: null, dependsOn: [] }));
}

function unknown(id: string, known: readonly string[], standing: Standing): Failure {
  const detail = standing.lines.some((line) => line.id === id)
    ? `The plan already has the line ${id}.`
    : `pilotfish found nothing in this repository that needs a line ${id}.`;
  return new Failure('USAGE', {
    detail,
    fix: known.length === 0 ? 'The plan already has a line for everything that was found: add none.' : `Add one of ${known.join(', ')}.`,
  });
}
