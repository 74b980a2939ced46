import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeBlock, readPage } from '../../scripts/docs/read-page.ts';
import { bakery } from '../bad-input/bakery.ts';
import { type Company, openCompany } from '../checkouts/company.ts';
import { root } from '../cli/program.ts';

let company: Company;
let blocks: readonly CodeBlock[] = [];
beforeAll(async () => {
  company = await openCompany();
  blocks = readPage(await readFile(join(root, 'docs/guide/your-own-recipe.md'), 'utf8')).blocks;
});
afterAll(() => company.close());

const partsUnder = (step: string, language: string): readonly string[] =>
  blocks.filter((block) => block.language === language && block.under.startsWith(step)).map(({ text }) => text);

it('the guide leads from one line to a family, step by step', async () => {
  const cwd = await company.folder('family');
  const provider = bakery();
  const served = await serve([provider]);
  const env = { ...served.env, BAKERY_API_URL: served.base('bakery'), BAKERY_KEY: provider.tokens.full };
  const put = async (name: string, text = ''): Promise<void> => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };
  /** Runs the commands of a step as they stand, and gives their documents. */
  const runs = async (step: string) => {
    const documents = [];
    for (const line of partsUnder(step, 'sh').flatMap((text) => text.trim().split('\n'))) {
      const [program, ...args] = line.split(' ');
      expect(program).toBe('pilotfish');
      const { code, stdout, stderr } = await company.run(cwd, [...args, '--json'], env);
      expect(code, stdout + stderr).toBe(0);
      documents.push(JSON.parse(stdout));
    }
    return documents;
  };
  try {
    await put('release.plan.yaml', partsUnder('1.', 'yaml')[0]);
    expect(await runs('1.')).toMatchObject([{ status: 'complete', stats: { writes: 1 } }]);
    const [made] = provider.world.wares('loaves');
    expect(made).toMatchObject({ name: 'loaf-try-1', grain: 'rye' });

    const [family = '', short] = partsUnder('2.', 'yaml');
    await put('recipes/bakery.yaml', family);
    await put('release.plan.yaml', short);
    expect(await runs('2.')).toMatchObject([{ lines: [{ verdict: 'none' }] }, { status: 'complete', stats: { writes: 0 } }]);
    expect(provider.world.wares('loaves')).toEqual([made]);

    await put('recipes/bakery.yaml', family.replace('kind: resource', 'kind: resorce'));
    const { code, stdout, stderr } = await company.run(cwd, ['plan', '--scope', 'try-1'], env);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(partsUnder('3.', 'text')[0]?.trim());

    const [output = '', operation = '', longer] = partsUnder('4.', 'yaml');
    await put('recipes/bakery.yaml', `${family.trimEnd().replace('    example:', `${output.trimEnd()}\n    example:`)}\n${operation}`);
    await put('release.plan.yaml', longer);
    expect(await runs('4.')).toMatchObject([
      { status: 'complete', stats: { writes: 2 } },
      { status: 'complete', stats: { writes: 0 } },
    ]);
    expect(provider.world.wares('loaves')).toMatchObject([{ id: made?.id, grain: 'wheat' }]);
    expect(provider.world.wares('lights')).toMatchObject([{ name: 'light-try-1', over: made?.shelf }]);
    for (const loaf of provider.world.wares('loaves')) Object.assign(loaf, { grain: 'rye' });
    const drifted = JSON.parse((await company.run(cwd, ['plan', '--scope', 'try-1', '--json'], env)).stdout);
    expect(drifted.lines[0]).toMatchObject({ id: 'bread', verdict: 'update', drift: 'changed' });

    await rm(join(cwd, 'recipes'), { recursive: true });
    await rm(join(cwd, 'release.plan.yaml'));
    expect(await runs('5.')).toMatchObject([{ status: 'complete', stats: { writes: 2 } }]);
    expect([...provider.world.wares('loaves'), ...provider.world.wares('lights')]).toEqual([]);
    verifyHandled([provider]);
  } finally {
    await served.stop();
  }
});
