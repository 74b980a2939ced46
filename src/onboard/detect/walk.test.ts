import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { walk } from './walk.ts';

it('a hidden folder is listed without its subfolders, except those of workflows and their shell scripts', async () => {
  const root = await tempFolder('walk');
  const files = [
    '.github/workflows/a.yml',
    '.github/actions/deploy/action.yml',
    '.github/ISSUE_TEMPLATE/bug.md',
    '.github/scripts/ship.sh',
    '.github/scripts/report.py',
    '.gitlab/ci/b.yml',
    '.cache/x/y.js',
    '.vercel/project.json',
    'apps/web/.github/workflows/c.yml',
  ];
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '');
  }
  expect([...walk(root).files].sort()).toEqual([
    '.github/actions/deploy/action.yml',
    '.github/scripts/ship.sh',
    '.github/workflows/a.yml',
    '.gitlab/ci/b.yml',
    '.vercel/project.json',
    'apps/web/.github/workflows/c.yml',
  ]);
});
