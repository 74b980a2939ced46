import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { must, ownNode } from './node.ts';

const execute = promisify(execFile);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Commands that use more and more of the program. None of them needs a network. */
const commands = [['--version'], ['explain', 'PLAN_INVALID'], ['init', '--json']] as const;
const turns = 9;

/** The size and the start-up of the executable for this machine, beside those of an install from the packed package, as lines of text. */
export async function figuresOf(folder: string): Promise<string> {
  const binary = join(folder, `pilotfish-linux-${arch()}`);
  const place = await mkdtemp(join(tmpdir(), 'pilotfish-figures-'));
  try {
    const { tarball, installed, program } = await install(place);
    const sizes = [
      `executable: ${megabytes((await stat(binary)).size)}, of that Node: ${megabytes((await stat(ownNode)).size)}; compressed by gzip: ${megabytes(await gzipped(binary))}`,
      `npm install: ${megabytes(installed)} from a package of ${megabytes(tarball)}, beside a Node of its own`,
    ];
    const times: string[] = [];
    for (const command of commands) {
      const own = await medians({ executable: [binary], 'npm install': [ownNode, program] }, command, place);
      times.push(`pilotfish ${command.join(' ')}: ${own}`);
    }
    return [...sizes, `start-up, median of ${turns}, nothing kept from the run before:`, ...times].join('\n');
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function install(place: string): Promise<{ readonly tarball: number; readonly installed: number; readonly program: string }> {
  await must('npm', ['pack', '--silent', '--pack-destination', place]);
  const [name = ''] = (await readdir(place)).filter((file) => file.endsWith('.tgz'));
  const to = join(place, 'install');
  await mkdir(to);
  await writeFile(join(to, 'package.json'), '{ "private": true }');
  await must('npm', ['install', '--prefix', to, '--offline', '--silent', join(place, name)]);
  const modules = join(to, 'node_modules');
  const tarball = (await stat(join(place, name))).size;
  return { tarball, installed: await sizeOf(modules), program: join(modules, 'pilotfish/dist/pilotfish.js') };
}

/** Takes turns, so that a busy moment of the machine meets all of them. Without a cache of compiled code, as a job of CI runs. */
async function medians(programs: Readonly<Record<string, readonly string[]>>, args: readonly string[], home: string): Promise<string> {
  const times = Object.entries(programs).map(([name, argv]) => ({ name, argv, ms: [] as number[] }));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { argv, ms } of times) {
      const cwd = await mkdtemp(join(home, 'run-'));
      const [file = '', ...first] = argv;
      const began = performance.now();
      await execute(file, [...first, ...args], { cwd, env: { HOME: cwd, PATH: process.env.PATH, CI: '1' } });
      ms.push(performance.now() - began);
    }
  }
  return times.map(({ name, ms }) => `${name} ${ms.sort((a, b) => a - b)[turns >> 1]?.toFixed(0)} ms`).join(', ');
}

async function sizeOf(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function gzipped(file: string): Promise<number> {
  let size = 0;
  await pipeline(createReadStream(file), createGzip(), async (parts: AsyncIterable<Buffer>) => {
    for await (const part of parts) size += part.length;
  });
  return size;
}
