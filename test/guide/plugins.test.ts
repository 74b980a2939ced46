import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPage } from '../../scripts/docs/read-page.ts';
import { bakery } from '../bad-input/bakery.ts';
import { type Company, openCompany } from '../checkouts/company.ts';
import { root } from '../cli/program.ts';

let company: Company;
beforeAll(async () => {
  company = await openCompany();
});
afterAll(() => company.close());

it('the plugin of the guide plans, applies, applies again, sees drift and is not needed to destroy', async () => {
  const { blocks } = readPage(await readFile(join(root, 'docs/guide/plugins.md'), 'utf8'));
  const partOf = (language: string): string => blocks.find((block) => block.language === language)?.text ?? '';
  const cwd = await company.folder('plugin');
  await Promise.all([mkdir(join(cwd, 'node_modules')), mkdir(join(cwd, 'plugins'))]);
  await symlink(root, join(cwd, 'node_modules/pilotfish'), 'dir');
  await symlink(join(root, 'node_modules/zod'), join(cwd, 'node_modules/zod'), 'dir');
  const plugin = join(cwd, 'plugins/bakery.ts');
  await writeFile(plugin, partOf('ts'));
  await writeFile(join(cwd, 'release.plan.yaml'), partOf('yaml'));

  const provider = bakery();
  const served = await serve([provider]);
  try {
    const addresses = { ...served.env, BAKERY_KEY: provider.tokens.full };
    const run = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const { code, stdout, stderr } = await company.run(cwd, [...args, '--scope', 'pr-12', '--json'], env);
      expect(code, stdout + stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const env = { ...addresses, PILOTFISH_PLUGINS: './plugins/bakery.ts' };
    expect(await run(['plan'], env)).toMatchObject({ summary: { create: 1 } });
    expect(provider.writes()).toEqual([]);
    expect(await run(['apply'], env)).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(provider.world.wares('loaves')).toMatchObject([{ name: 'loaf-pr-12', grain: 'rye' }]);
    expect(await run(['apply'], env)).toMatchObject({ status: 'complete', stats: { writes: 0 } });

    for (const loaf of provider.world.wares('loaves')) Object.assign(loaf, { grain: 'wheat' });
    expect((await run(['plan'], env)).lines).toMatchObject([{ verdict: 'update', drift: 'changed' }]);
    expect(await run(['apply'], env)).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(provider.world.wares('loaves')).toMatchObject([{ grain: 'rye' }]);

    await rm(plugin);
    expect(await run(['apply', '--destroy'], addresses)).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(provider.world.wares('loaves')).toEqual([]);
    verifyHandled([provider]);
  } finally {
    await served.stop();
  }
});
