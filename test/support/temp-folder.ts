import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder of the running test, removed when it ends. */
export async function tempFolder(prefix: string, place: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(place, `pilotfish-${prefix}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
