import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openRegistry } from '../src/engine/prepare/registry.ts';
import { readSubjects } from '../src/recipes/subjects.ts';
import { rootAction } from './docs/action.ts';
import { architecturePage } from './docs/architecture.ts';
import { cliPage } from './docs/cli.ts';
import { errorsPage } from './docs/errors.ts';
import { eventsPage } from './docs/events.ts';
import { updateExternalLinks } from './docs/external-links.ts';
import { recipeFamilySchema } from './docs/family-schema.ts';
import { guaranteesPage } from './docs/guarantees.ts';
import { httpPage } from './docs/http.ts';
import { limitsPage } from './docs/limits.ts';
import { machinePages } from './docs/machines.ts';
import { manPage } from './docs/man.ts';
import { readmePictures } from './docs/pictures.ts';
import { planPage } from './docs/plan.ts';
import { readmePage } from './docs/readme.ts';
import { recipeIndex, recipePage } from './docs/recipes.ts';
import { planSchema, schemaText } from './docs/schema.ts';
import { readSeenLive } from './docs/seen-live.ts';
import { specificationPage } from './docs/specification.ts';
import { optionsOf } from './options.ts';
import { serverFileText } from './release/server-file.ts';
import { root } from './tasks.ts';

/** Folders that hold only generated pages. A page there that is no longer generated is removed. */
const generatedFolders = ['docs/machines', 'docs/pictures', 'docs/recipes', 'schema'];

/** Every generated page by its path. The pages come from the tables that the program itself uses. */
export async function pages(): Promise<ReadonlyMap<string, string>> {
  const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
  const seen = await readSeenLive();
  return new Map([
    ['action.yml', await rootAction()],
    ['README.md', await readmePage(subjects)],
    ...(await readmePictures()),
    ['ARCHITECTURE.md', await architecturePage()],
    ['docs/plan.md', planPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/cli.md', cliPage()],
    ['man/pilotfish.1', manPage()],
    ['docs/events.md', eventsPage()],
    ['docs/specification.md', specificationPage()],
    ['docs/guarantees.md', await guaranteesPage()],
    ['docs/limits.md', limitsPage()],
    ['docs/http.md', await httpPage()],
    ...machinePages(),
    ['docs/recipes/README.md', recipeIndex(subjects)],
    ...[...Map.groupBy(subjects, ({ name }) => name).values()].flatMap(([first, ...more]): [string, string][] =>
      first ? [[`docs/recipes/${first.name}.md`, recipePage(first, more, seen)]] : [],
    ),
    ['schema/release.plan.schema.json', schemaText(planSchema(subjects))],
    ['schema/recipe-family.schema.json', schemaText(recipeFamilySchema())],
    ['server.json', await serverFileText(root, null)],
  ]);
}

/** The paths of pages that differ from a new generation, left-over pages included. */
export async function outdatedPages(): Promise<readonly string[]> {
  const made = await pages();
  const outdated: string[] = [];
  for (const [path, text] of made) {
    if ((await readFile(join(root, path), 'utf8').catch(() => null)) !== text) outdated.push(path);
  }
  return [...outdated, ...(await leftOver(made))];
}

async function leftOver(made: ReadonlyMap<string, string>): Promise<string[]> {
  const files = await Promise.all(
    generatedFolders.map(async (folder) => (await readdir(join(root, folder)).catch(() => [])).map((name) => `${folder}/${name}`)),
  );
  return files.flat().filter((path) => !made.has(path));
}

async function write(): Promise<void> {
  const made = await pages();
  for (const path of await leftOver(made)) await rm(join(root, path));
  for (const [path, text] of made) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await updateExternalLinks();
  console.log(`${made.size} pages written`);
}

if (import.meta.main) {
  optionsOf('npm run docs', {});
  await write();
}
