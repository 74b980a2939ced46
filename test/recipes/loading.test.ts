import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { compileFamilies, withoutSignals } from '../../scripts/build/families.ts';
import { familiesFolder, filesIn } from '../../src/recipes/family-files.ts';
import { familiesOf, familyNames, loadFamily } from '../../src/recipes/load.ts';
import { openApi } from '../specification/api.ts';
import { tempFolder } from '../support/temp-folder.ts';

const read: string[] = [];
vi.mock(import('../../src/platform/own-files.ts'), async (original) => {
  const real = await original();
  const readOwnFile: typeof real.readOwnFile = (file) => {
    read.push(file.pathname);
    return real.readOwnFile(file);
  };
  return { ...real, readOwnFile };
});

const familyFiles = (): readonly string[] => read.flatMap((path) => /families\/(\w+)\.yaml$/.exec(path)?.[1] ?? []);

it('a plan that names one recipe reads one family file', async () => {
  const line = {
    id: 'dns',
    recipe: 'dns.cname',
    zone_id: '023e105f4ecef8ad9ca31a8372d0c353',
    name: 'pr-12.example.com',
    target: 'x.example.com',
  };
  const api = await openApi({
    lines: [line],
    env: { CLOUDFLARE_API_TOKEN: 'token-of-cloudflare' },
    answer: () => ({ body: { result: [] } }),
  });
  onTestFinished(() => api.close());
  read.splice(0);
  const { errors } = await api.plan();
  expect(errors).toEqual([]);
  expect(familyFiles()).toEqual(['cloudflare']);
});

const loadAll = `
const [recipes, folder] = process.argv.slice(1);
const { filesIn } = await import(recipes + 'family-files.ts');
const { familiesOf } = await import(recipes + 'load.ts');
const { pathToFileURL } = await import('node:url');
const began = process.cpuUsage();
const families = familiesOf(filesIn(pathToFileURL(folder + '/')));
const names = await families.names();
for (const { name } of names) await families.load(name);
const { user, system } = process.cpuUsage(began);
console.log(JSON.stringify({ families: names.length, ms: (user + system) / 1000 }));`;

it('all families of the package are loaded in less than 150 ms of processor time, as they are in the sources without their signals', async () => {
  const folder = await tempFolder('families');
  await compileFamilies(fileURLToPath(familiesFolder), folder);
  const built = familiesOf(filesIn(pathToFileURL(`${folder}/`)));
  for (const { name } of await familyNames()) expect(await built.load(name), name).toEqual(withoutSignals(await loadFamily(name)));

  const recipes = fileURLToPath(new URL('../../src/recipes/', import.meta.url));
  const times: number[] = [];
  let families = 0;
  for (let i = 0; i < 3; i += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', loadAll, recipes, folder]);
    const result: { readonly families: number; readonly ms: number } = JSON.parse(stdout);
    times.push(result.ms);
    families = result.families;
  }
  console.log(`${families} families in ${times.map((ms) => Math.round(ms)).join(', ')} ms`);
  expect(families).toBeGreaterThan(0);
  expect(Math.min(...times)).toBeLessThan(150);
});
