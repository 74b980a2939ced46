import { join } from 'node:path';
import { type OutputChunk, type Plugin, type RolldownOptions, rolldown } from 'rolldown';
import { root } from '../tasks.ts';
import { bundlerOptions, minified, target } from './bundler.ts';
import { startChunks } from './chunks.ts';

type Define = Readonly<Record<string, string>>;

/**
 * Writes the programs and the library as one split bundle: so `--version` loads a few kilobytes, and a plugin that imports `pilotfish`
 * shares the classes of the program. The bundle is CommonJS in files whose names hold a hash of them, which `src/start/load.ts` loads
 * together with what V8 compiled before; what others start or import are three modules of a few lines. All lie flat in one folder, because
 * recipes are read from `./families/` beside the file that asks for them, and the parts of `trace.html` from `./trace-page/`.
 */
export async function writePrograms(dir: string, define: Define): Promise<readonly OutputChunk[]> {
  const { plugin, codeSplitting } = startChunks();
  const parts = await write(
    {
      ...bundlerOptions,
      input: { cli: sources.cli, mcp: sources.mcp, library: sources.library },
      plugins: [...bundlerOptions.plugins, plugin, importingByLoader],
      transform: { target, define: { ...define }, inject: { 'performance.now': [join(root, 'src/core/monotonic.ts'), 'monotonic'] } },
    },
    {
      dir,
      format: 'cjs',
      entryFileNames: '[name]-[hash].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      ...minified,
      ...wrapped,
      codeSplitting,
    },
  );
  const entries = await write(
    {
      ...bundlerOptions,
      input: {
        pilotfish: join(root, 'src/cli/pilotfish.ts'),
        'pilotfish-mcp': join(root, 'src/mcp/pilotfish-mcp.ts'),
        index: libraryEntry,
      },
      plugins: [loadingParts(parts)],
      transform: { target },
    },
    {
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      minify: 'dce-only',
      codeSplitting: { groups: [{ name: 'load', test: (id) => id === programs || (id.startsWith(join(root, 'src/')) && !isEntry(id)) }] },
    },
  );
  return [...parts, ...entries];
}

/** As a module of CommonJS is called. Put around a text when it is loaded, V8 would copy all of it once more. */
const wrapped = { postBanner: '(function (exports, require, module, __filename) {', postFooter: '})' };

const sources = {
  cli: join(root, 'src/cli/process.ts'),
  mcp: join(root, 'src/mcp/launch.ts'),
  library: join(root, 'src/index.ts'),
};
const libraryEntry = '\0library';
const programs = '\0programs';
const isEntry = (id: string): boolean => id.endsWith('/pilotfish.ts') || id.endsWith('/pilotfish-mcp.ts');

/** What the program imports from outside of it, the loader imports (`src/start/load.ts`). */
const importingByLoader: Plugin = {
  name: 'importing-by-loader',
  resolveId: (source) => (source.endsWith('/start/import-module.ts') ? { id: 'pilotfish:import', external: true } : null),
};

/** In place of what the entries import: the file of it, loaded when it is asked for. */
function loadingParts(parts: readonly OutputChunk[]): Plugin {
  const fileOf = (source: string): string => JSON.stringify(entryOf(parts, source).fileName);
  const loader = `import { load } from ${JSON.stringify(join(root, 'src/start/load.ts'))};`;
  const texts = new Map([
    [
      programs,
      `${loader}
export const start = () => load(${fileOf(sources.cli)}).start();
export const launch = (entry) => load(${fileOf(sources.mcp)}).launch(entry);
export { load };`,
    ],
    [
      libraryEntry,
      `import { load } from ${JSON.stringify(programs)};
export const { ${entryOf(parts, sources.library).exports.join(', ')} } = load(${fileOf(sources.library)});`,
    ],
  ]);
  return {
    name: 'loading-parts',
    resolveId: (source, importer) => {
      if (texts.has(source)) return source;
      return importer !== undefined && isEntry(importer) && source.startsWith('./') ? programs : null;
    },
    load: (id) => {
      const code = texts.get(id);
      return code === undefined ? null : { code, moduleType: 'js' };
    },
  };
}

function entryOf(parts: readonly OutputChunk[], source: string): OutputChunk {
  const entry = parts.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId === source);
  if (!entry) throw new Error(`the bundle has no entry for ${source}`);
  return entry;
}

async function write(options: RolldownOptions, to: Parameters<Awaited<ReturnType<typeof rolldown>>['write']>[0]): Promise<OutputChunk[]> {
  const bundled = await rolldown(options);
  const { output } = await bundled.write(to);
  await bundled.close();
  return output.filter((file) => file.type === 'chunk');
}
