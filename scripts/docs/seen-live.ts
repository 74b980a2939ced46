import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveReport } from '../../src/live/document.ts';
import { root } from '../tasks.ts';

/** Tells for each operation, by its name, what proofs saw: a sentence for its page. */
export type SeenLive = ReadonlyMap<string, string>;

const folder = join(root, 'test/live/reports');

/** Reads the committed reports of `pilotfish live`. */
export async function readSeenLive(): Promise<SeenLive> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const reports = await Promise.all(files.map(async (name): Promise<LiveReport> => JSON.parse(await readFile(join(folder, name), 'utf8'))));
  return new Map(reports.map((report) => [report.operation, sentenceOf(report)]));
}

function sentenceOf({ date, held, service, steps }: LiveReport): string {
  const where = service.server === undefined ? 'Seen live' : `Seen at ${service.server}`;
  const failed = steps.filter(({ result }) => result === 'not held').map(({ step }) => step);
  const left = steps.filter(({ result }) => result === 'left out').map(({ step }) => step);
  const result = held ? 'every step held' : `these steps did not hold: ${failed.join(', ')}`;
  return `${where}: ${date}, ${result}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''} ([how](../live.md)).`;
}
