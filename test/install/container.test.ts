import { access, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { describe, expect, it, onTestFinished } from 'vitest';
import { execute, root } from '../cli/program.ts';
import { isWhole } from '../support/whole.ts';
import { copyRepository } from './empty.ts';

const text = await readFile(join(root, 'Containerfile'), 'utf8');
const instructions = DockerfileParser.parse(text).getInstructions();
const words = (of: Instruction): readonly string[] => of.getArguments().map((argument) => argument.getValue());
const keywords = instructions.map((instruction) => instruction.getKeyword());

describe('the container file', () => {
  it('builds in one stage and runs in another, as a user without rights', () => {
    expect(keywords.filter((keyword) => keyword === 'FROM')).toHaveLength(2);
    expect(keywords.lastIndexOf('USER')).toBeGreaterThan(keywords.lastIndexOf('RUN'));
    expect(JSON.parse(instructions.at(-1)?.getArgumentsContent() ?? '')).toEqual(['pilotfish']);
  });

  it('takes files of the repository, and each of them is there', async () => {
    for (const instruction of instructions.filter((one) => one.getKeyword() === 'COPY' && !words(one)[0]?.startsWith('/')))
      for (const file of words(instruction).slice(0, -1)) await access(join(root, file));
  });

  it('has a Node that runs pilotfish', async () => {
    const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const [, least] = /^>=(\d+)\./.exec(engines.node) ?? [];
    for (const [image = ''] of instructions.filter((one) => one.getKeyword() === 'FROM').map(words))
      expect(Number(/\/node:(\d+)-/.exec(image)?.[1])).toBeGreaterThanOrEqual(Number(least));
  });
});

// No container tool runs in the tests, so each step runs in a folder that stands for the root of the image. The system has git already.
// It installs the tools of the build, which takes minutes. `npm run whole -- test/install` runs it.
it.skipIf(!isWhole)('the steps of the container file end in a program that starts', async () => {
  const checkout = await copyRepository();
  const image = await mkdtemp(join(tmpdir(), 'pilotfish-image-'));
  onTestFinished(() => rm(image, { recursive: true, force: true }));
  const inside = (path: string): string => (path.startsWith('/') ? join(image, path) : path);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(image, 'home'),
    npm_config_prefix: join(image, 'usr'),
    npm_config_cache: join(image, 'npm'),
  };
  let workdir = image;
  const steps: Readonly<Record<string, (instruction: Instruction) => Promise<void>>> = {
    WORKDIR: async (of) => {
      workdir = inside(words(of)[0] ?? '');
      await mkdir(workdir, { recursive: true });
    },
    COPY: async (of) => {
      const [from = '', ...more] = words(of);
      // The folder of the image is that of both stages, so what the first made is there.
      if (from.startsWith('/')) return;
      const [to = '', ...files] = [from, ...more].toReversed();
      for (const file of files) {
        const isFolder = to.endsWith('/');
        await cp(join(checkout, file), isFolder ? join(workdir, to, basename(file)) : join(workdir, to), { recursive: true });
      }
    },
    RUN: async (of) => {
      const command = of.getArgumentsContent() ?? '';
      if (command.startsWith('apt-get ')) return;
      const ended = await execute('bash', ['-ec', command.replaceAll(/(?<=\s)\/out\b/g, inside('/out'))], { cwd: workdir, env });
      expect(ended.code, `${command}\n${ended.stdout}${ended.stderr}`).toBe(0);
    },
  };
  for (const instruction of instructions) await steps[instruction.getKeyword()]?.(instruction);
  const entry = join(image, 'usr/bin', JSON.parse(instructions.at(-1)?.getArgumentsContent() ?? '')[0]);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(await execute(entry, ['--version'], { cwd: workdir, env })).toMatchObject({ code: 0, stdout: `${version}\n` });
});
