import { join } from 'node:path';
import type { CodeSplittingOptions, Plugin } from 'rolldown';
import { root } from '../tasks.ts';

/** What every start loads, and what every run does. Whoever needs a part of it takes it whole. */
const parts = {
  shell: ['src/cli/process.ts'],
  run: ['src/cli/foreign.ts', 'src/cli/run-command.ts', 'src/engine/run.ts'],
} as const;

/**
 * One chunk for each part, of all that its modules import statically. A bundler makes a chunk for each set of importers, which comes to
 * forty files for a run, and each file costs a start half a millisecond.
 */
export function startChunks(): { readonly plugin: Plugin; readonly codeSplitting: CodeSplittingOptions } {
  const partOf = new Map<string, keyof typeof parts>();
  const plugin: Plugin = {
    name: 'start-chunks',
    buildEnd() {
      for (const name of ['shell', 'run'] as const) {
        const reached = new Set(parts[name].map((path) => join(root, path)));
        for (const id of reached) {
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
          if (!partOf.has(id)) partOf.set(id, name);
        }
      }
    },
  };
  const group = (name: keyof typeof parts, priority: number) => ({ name, priority, test: (id: string) => partOf.get(id) === name });
  return { plugin, codeSplitting: { groups: [group('shell', 2), group('run', 1)] } };
}
