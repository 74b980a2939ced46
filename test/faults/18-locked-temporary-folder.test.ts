import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { survey } from '../../src/onboard/detect/take-survey.ts';
import { layFilesForAll } from '../detect/lay-files.ts';
import { asNobody } from '../support/as-nobody.ts';
import { tempFolder } from '../support/temp-folder.ts';

it.each(['700', '750', '711'])(
  'a test that looks as another user sees its files where TMPDIR stands below a folder of mode %s',
  async (mode) => {
    const locked = await tempFolder('locked');
    const inside = join(locked, 'a', 'b');
    await mkdir(inside, { recursive: true });
    await chmod(locked, Number.parseInt(mode, 8));
    vi.stubEnv('TMPDIR', inside);
    const folder = await layFilesForAll({ 'data/x': '', '.env': 'A=1', '.env.local': 'B=1' });
    await chmod(join(folder, 'data'), 0);
    await chmod(join(folder, '.env'), 0);
    const { problems, variables } = await asNobody(() => survey(folder, []));
    expect(problems.map(({ file }) => file)).toEqual(['.env', 'data']);
    expect(variables.map(({ name }) => name)).toEqual(['B']);
    expect(process.geteuid?.()).toBe(process.getuid?.());
  },
);
