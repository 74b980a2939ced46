import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../tasks.ts';

const kit = 'sandbox/kit/simulation.ts';

/** Finds the test files that can talk to a simulation: those whose imports lead to the kit. A new suite is found by itself. */
export function suitesOfSimulations(folder: string = root): readonly string[] {
  const importers = new Map<string, string[]>();
  const files = globSync('{sandbox,src,test}/**/*.ts', { cwd: folder });
  for (const file of files) {
    // A file that imports only types of the kit counts too. A suite too many does no harm; a suite too few would.
    for (const [, path = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /(?:from|import)\s*\(?\s*'(\.[^']+|pilotfish-sandbox\/[^']+)'/g,
    )) {
      const imported = path.startsWith('.') ? relative('.', join(dirname(file), path)) : `${path.replace('pilotfish-', '')}.ts`;
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const reached = new Set([kit]);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached].filter((file) => file.endsWith('.test.ts')).sort();
}
