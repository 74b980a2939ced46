import type { Part } from './parts.ts';
import type { Result, Results } from './results.ts';

/** Writes one line per part: whether it holds, its seconds and its figures. The last line says whether everything holds at this commit. */
export function tableOf(all: readonly Pick<Part, 'name'>[], results: Pick<Results, 'commit' | 'of'>): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name }) => {
    const result = results.of(name);
    if (result === null) return `${name.padEnd(width)}  not run`;
    const { state, seconds, figures } = result;
    const shown = figures.map((line) => line.trim().replaceAll(/\s+/g, ' ')).join('; ');
    return `${name.padEnd(width)}  ${state === 'failed' ? 'FAILED ' : state.padEnd(7)}  ${`${seconds} s`.padStart(6)}  ${shown}`;
  });
  const at =
    results.commit === null ? 'this tree (its changes are not committed, so no result is kept)' : `commit ${results.commit.slice(0, 12)}`;
  const those = (state: Result['state'] | null): string =>
    all
      .filter(({ name }) => (results.of(name)?.state ?? null) === state)
      .map(({ name }) => name)
      .join(', ');
  const [failed, skipped, missing] = [those('failed'), those('skipped'), those(null)];
  if (failed !== '') lines.push('', `Failed at ${at}: ${failed}.`);
  else if (missing !== '') lines.push('', `No part failed at ${at}. Not run: ${missing}.`);
  else lines.push('', `Everything holds at ${at}${skipped === '' ? '.' : `, and was not looked at: ${skipped}.`}`);
  return lines.join('\n');
}
