import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeBlob, writeExecutable } from '../../scripts/build/binary/executable.ts';
import { type Arch, archs } from '../../scripts/build/binary/node.ts';
import { startTeam } from '../demo/team.ts';
import { connect } from '../mcp/connect.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isWhole } from '../support/whole.ts';
import { emulatorFor } from './emulator.ts';
import { describeExecutable } from './smoke.ts';

let folder = '';
const executables = new Map<Arch, string>();
const executable = (of: Arch): string => executables.get(of) ?? '';
const isOwn = (of: Arch): boolean => platform() === 'linux' && of === arch();
// `npm test` builds and runs the executable for this machine. `npm run whole -- test/binary` does more with it, and the same for the other.
const wanted = archs.filter((one) => isOwn(one) || isWhole);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-executables-'));
  const blob = await writeBlob();
  try {
    for (const one of wanted) {
      const file = join(folder, `pilotfish-${one}`);
      await writeExecutable(blob, one, file);
      executables.set(one, file);
    }
  } finally {
    await blob.remove();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!isOwn('x64') && !isOwn('arm64'))('the executable for this machine', () => {
  const own = arch() as Arch;
  describeExecutable(() => [executable(own)]);

  it.each([
    ['by `pilotfish mcp`', async () => [executable(own), 'mcp'] as const],
    ['under the name pilotfish-mcp', async () => [await linkTo(executable(own))] as const],
  ])('is the tool server %s', async (_, wordsOf) => {
    const team = await startTeam();
    onTestFinished(() => team.stop());
    const { call, close, noise } = await connect({ cwd: team.checkout, env: team.env, words: await wordsOf() });
    const { document, isError } = await call('plan', { scope: 'pr-12' });
    expect([isError, document.ok]).toEqual([false, true]);
    expect(document.lines?.length).toBeGreaterThan(5);
    await close();
    expect(noise).toEqual([]);
  });
});

async function linkTo(file: string): Promise<string> {
  const link = join(await tempFolder('link'), 'pilotfish-mcp');
  await symlink(file, link);
  return link;
}

describe.each(archs.filter((one) => !isOwn(one)))('the executable for %s', (other) => {
  const emulator = emulatorFor(other);
  const why = isWhole ? emulator.missing : 'npm run whole -- test/binary runs it';
  if (why !== null) console.log(`The executable for ${other} is not run: ${why}.`);
  describe.skipIf(why !== null)('in an emulator of its processor', () => {
    describeExecutable(() => [...emulator.command, executable(other)]);
  });
});
