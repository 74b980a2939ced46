import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * What one of the project's own tools was asked for. `--help` shows its usage and ends the process with 0; a word that it does not
 * know ends it with 2, before anything was done.
 */
export function optionsOf<const C extends ParseArgsConfig>(usage: string, config: C): ReturnType<typeof parseArgs<C>> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n\n${usage}`);
    process.exit(2);
  }
}
