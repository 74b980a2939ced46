import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { binary, execute } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { layOut } from './repositories.ts';

/** What one process used, as the system counted it. */
interface Used {
  /** Seconds of processor time, its own and the system's for it. */
  readonly cpu: number;
  /** The most memory that it held at once, in MB. */
  readonly memory: number;
}

it('init in a repository of 20,000 files needs at most 15 times the processor of a bare node, and less than 150 MB', async () => {
  const folder = await tempFolder('many');
  const measure = await measuring(folder);
  const [bare, ours]: [Used[], Used[]] = [[], []];
  // Side by side, so that a busy moment of the machine weighs on both.
  const repository = join(folder, 'repository');
  await manyFiles(repository);
  for (let turn = 0; turn < 5; turn += 1) {
    bare.push(await measure(['-e', '0'], repository));
    ours.push(await measure([binary, 'init'], repository));
    expect(await readFile(join(repository, 'release.plan.yaml'), 'utf8')).toContain('adapter: vercel');
    await rm(join(repository, 'release.plan.yaml'));
  }
  const times = median(ours.map(({ cpu }) => cpu)) / median(bare.map(({ cpu }) => cpu));
  const memory = median(ours.map((used) => used.memory));
  expect(times, `${times.toFixed(1)} times a bare node`).toBeLessThanOrEqual(15);
  expect(memory, `${memory.toFixed(0)} MB`).toBeLessThan(150);
});

/** The Next.js shop with 20,000 modules, in folders as people make them. */
async function manyFiles(folder: string): Promise<void> {
  await layOut('nextjs-vercel', folder);
  for (let i = 0; i < 500; i += 1) {
    const place = join(folder, `src/features/${i % 20}/part-${i}`);
    await mkdir(place, { recursive: true });
    const files = Array.from({ length: 40 }, (_, n) => join(place, `module-${n}.ts`));
    await Promise.all(files.map((file) => writeFile(file, 'export {};\n')));
  }
}

/** Runs node with a module before everything else that notes, at the very end, what the process used. */
async function measuring(folder: string): Promise<(args: readonly string[], cwd: string) => Promise<Used>> {
  const [module, note] = [join(folder, 'note-usage.mjs'), join(folder, 'usage.json')];
  const lines = [
    "import { writeFileSync } from 'node:fs';",
    `process.on('exit', () => writeFileSync(${JSON.stringify(note)}, JSON.stringify(process.resourceUsage())));`,
  ];
  await writeFile(module, lines.join('\n'));
  return async (args, cwd) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    expect(await execute(process.execPath, ['--import', pathToFileURL(module).href, ...args], { cwd, env })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(await readFile(note, 'utf8'));
    return { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
