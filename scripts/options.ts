import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Reads the options of one of the project's own tools. `--help` shows its usage and exits with 0. An unknown word exits with 2, before the
 * tool does anything.
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
