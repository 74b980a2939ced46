import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { root } from '../tasks.ts';
import { bundlerOptions, minified, transformWith } from './bundler.ts';

type Define = Readonly<Record<string, string>>;

export interface ProgramOptions {
  /** Takes in the database client as well, for a program that nothing can be installed beside. */
  readonly isWhole?: boolean;
  readonly plugins?: readonly Plugin[];
}

/**
 * Writes the programs and the library as one split bundle. So `--version` loads a few kilobytes, and a plugin that imports `pilotfish`
 * shares the classes of the program. All files lie flat in one folder: the code reads recipes from `./families/` beside its own file, and
 * the parts of `trace.html` from `./trace-page/`.
 */
export async function writePrograms(
  dir: string,
  define: Define,
  { isWhole = false, plugins = [] }: ProgramOptions = {},
): Promise<readonly OutputChunk[]> {
  const bundled = await rolldown({
    ...bundlerOptions,
    // Who keeps a ledger in a database installs it beside the package.
    external: isWhole ? [] : ['pg'],
    input: {
      pilotfish: join(root, 'src/cli/pilotfish.ts'),
      'pilotfish-mcp': join(root, 'src/mcp/pilotfish-mcp.ts'),
      index: join(root, 'src/index.ts'),
    },
    plugins: [...bundlerOptions.plugins, ...plugins],
    transform: transformWith(define),
  });
  try {
    const { output } = await bundled.write({
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      ...minified,
    });
    return output.filter((file) => file.type === 'chunk');
  } finally {
    await bundled.close();
  }
}
