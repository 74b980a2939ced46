import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { familyIndexName } from '../../src/recipes/family-files.ts';
import { optionsOf } from '../options.ts';
import { root } from '../tasks.ts';
import { bundlerOptions, minified, transformWith } from './bundler.ts';
import { builtFamilies } from './families.ts';
import { licenseNotices } from './licenses.ts';
import { pageFiles } from './page.ts';

/** A tag carries this built folder, because a runner starts it from a checkout and installs nothing. The release builds it. */
const actionFolder = join(root, 'action');

/**
 * Builds the files of the action, by name. The entry is one file that needs no other, because a runner reads no other. Modules that are
 * loaded late are inside this file and are evaluated late. The same sources give the same bytes in every folder.
 */
export async function actionFiles(entry: string = join(root, 'src/action/index.ts')): Promise<ReadonlyMap<string, string>> {
  const bundled = await rolldown({
    ...bundlerOptions,
    input: entry,
    transform: transformWith(),
    treeshake: {
      // The runner's library does not declare its modules free of side effects. One of them asks for identity tokens through an HTTP client
      // with an undici of its own: 350 KB that nobody calls.
      moduleSideEffects: (id) => (/[\\/]node_modules[\\/]@actions[\\/]/.test(id) ? false : undefined),
    },
    plugins: [...bundlerOptions.plugins, await replacements()],
  });
  try {
    const { output } = await bundled.generate({
      format: 'esm',
      entryFileNames: 'index.js',
      codeSplitting: false,
      sourcemap: false,
      ...minified,
    });
    return await filesOf(onlyChunk(output));
  } finally {
    await bundled.close();
  }
}

/** The names of committed files that differ from a new build. */
async function outdatedActionFiles(): Promise<readonly string[]> {
  const outdated: string[] = [];
  for (const [name, text] of await actionFiles()) {
    const current = await readFile(join(actionFolder, name), 'utf8').catch(() => null);
    if (current !== text) outdated.push(`action/${name}`);
  }
  return outdated;
}

async function filesOf(chunk: OutputChunk): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['index.js', chunk.code],
    ['THIRD-PARTY-NOTICES.txt', `${await licenseNotices(chunk.moduleIds, root)}\n`],
  ]);
}

function onlyChunk([only, ...rest]: RolldownOutput['output']): OutputChunk {
  if (rest.length > 0) throw new Error(`the action is one file, and not also ${rest.map((file) => file.fileName).join(', ')}`);
  return only;
}

/** The modules of the sources that the bundle replaces by others. */
async function replacements(): Promise<Plugin> {
  const families = Object.fromEntries(await builtFamilies(join(root, 'src/recipes/families')));
  const texts = new Map([
    // The original reads families from a folder. The bundle holds them as text until somebody asks for one.
    [
      join(root, 'src/recipes/family-files.ts'),
      `const files = ${JSON.stringify(families)};
       export const familyIndexName = ${JSON.stringify(familyIndexName)};
       export const readFamilyFile = async (name) => (Object.hasOwn(files, name) ? files[name] : null);`,
    ],
    // The bundle also holds the parts of `trace.html`.
    [
      join(root, 'src/report/trace/page/page-files.ts'),
      `const files = ${JSON.stringify(await pageFiles())};
       export const readPageFiles = () => files;`,
    ],
  ]);
  return {
    name: 'replacements',
    load: (id) => {
      const code = texts.get(id);
      return code === undefined ? null : { code, moduleType: 'js' };
    },
  };
}

const usage = `npm run bundle -- [--check]
  --check  writes nothing: exit 1 when the committed files differ from the sources`;

async function main(): Promise<number> {
  const { values } = optionsOf(usage, { options: { check: { type: 'boolean' } } });
  if (values.check) {
    const outdated = await outdatedActionFiles();
    for (const file of outdated) console.error(`${file} differs from its sources. Run \`npm run bundle\`.`);
    return outdated.length === 0 ? 0 : 1;
  }
  for (const [name, text] of await actionFiles()) {
    await writeFile(join(actionFolder, name), text);
    console.log(`action/${name}: ${(Buffer.byteLength(text) / 1024).toFixed(0)} KB`);
  }
  return 0;
}

if (import.meta.main) process.exitCode = await main();
