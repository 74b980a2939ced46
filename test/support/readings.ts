import type { Asked, FactReader, Reading } from '../../src/onboard/detect/facts.ts';

const nothing: Asked = { hosts: [], schemes: [], modules: [], resources: [] };

/** What the readers that take a file say of it, together. */
export async function readAll(
  readers: readonly FactReader[],
  path: string,
  text: string,
  asked: Partial<Asked> = {},
): Promise<readonly Reading[]> {
  const taking = readers.filter((reader) => reader.takes(path));
  return Promise.all(taking.map(async (reader) => await reader.read({ path, text }, { ...nothing, ...asked })));
}

/** The facts of one kind as `name`, with `(use)` behind all that does not run. */
export const namesOf = (readings: readonly Reading[], kind: string): readonly string[] =>
  readings
    .flatMap(({ facts = [] }) => facts)
    .filter((fact) => fact.kind === kind)
    .map(({ name, use }) => (use === 'runtime' ? name : `${name} (${use})`));

/** The lines of facts and variables, as `name:line`. */
export const linesIn = (readings: readonly Reading[]): readonly string[] =>
  readings.flatMap(({ facts = [], variables = [] }) => [...facts, ...variables].map(({ name, line }) => `${name}:${line}`));
