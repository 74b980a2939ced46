import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { suitesOfSimulations } from '../../scripts/contracts/suites.ts';
import { root } from '../../scripts/tasks.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('the suites that are run', () => {
  it('are those whose imports lead to the kit, however long the way', async () => {
    const folder = await tempFolder('suites');
    const files: Readonly<Record<string, string>> = {
      'sandbox/kit/simulation.ts': "import { route } from './router.ts';",
      'sandbox/kit/router.ts': '',
      'sandbox/notes.ts': "import { simulate } from './kit/simulation.ts';",
      'test/support/world.ts': "import { notes } from 'pilotfish-sandbox/notes';\nimport { other } from './other.ts';",
      'test/support/other.ts': "import type { World } from './world.ts';",
      'test/near.test.ts': "import { notes } from 'pilotfish-sandbox/notes';",
      'test/far/far.test.ts': "import { other } from '../support/other.ts';",
      'test/late.test.ts': "const world = await import('./support/world.ts');",
      'test/none.test.ts': "import { route } from 'pilotfish-sandbox/kit/router';",
      'src/plan/plan.test.ts': "import { expect } from 'vitest';",
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    expect(suitesOfSimulations(folder)).toEqual(['test/far/far.test.ts', 'test/late.test.ts', 'test/near.test.ts']);
  });

  it('hold every suite of a recipe', () => {
    expect(suitesOfSimulations()).toEqual(expect.arrayContaining(['test/recipes/stripe.test.ts', 'test/lifecycle/runs.test.ts']));
  });
});

describe('npm run contracts', () => {
  const ask = (args: readonly string[], folder: string): Promise<{ readonly code: unknown; readonly text: string }> =>
    new Promise((done) => {
      const env = { ...process.env, PILOTFISH_CONTRACTS: folder };
      execFile(process.execPath, ['scripts/contracts.ts', ...args], { cwd: root, env }, (error, stdout, stderr) =>
        done({ code: error ? error.code : 0, text: stdout + stderr }),
      );
    });

  it('is refused without a folder of descriptions, with the reason', async () => {
    const { code, text } = await ask([], '');
    expect(code).toBe(2);
    expect(text).toContain('PILOTFISH_CONTRACTS names no folder of <provider>.openapi.json files');
  });

  it('refuses a flag that it does not know', async () => {
    const { code, text } = await ask(['--reprot'], '');
    expect(code).toBe(2);
    expect(text).toContain('--reprot');
    expect(text).toContain('--report ');
  });
});
