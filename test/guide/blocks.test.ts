import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageTexts } from '../../scripts/docs/page-paths.ts';
import { type CodeBlock, readPage } from '../../scripts/docs/read-page.ts';
import { root, run } from '../../scripts/tasks.ts';
import { errorTable } from '../../src/core/error-table.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { problemsOf } from './check-block.ts';

/** Pages whose blocks of these languages are run, as they stand, by a test of their own. */
const runElsewhere: { readonly [page: string]: readonly string[] } = {
  'docs/install.md': ['sh'],
  'docs/guide/quick-start.md': ['text'],
  'docs/guide/plugins.md': ['yaml'],
  'docs/guide/your-own-recipe.md': ['yaml', 'text'],
};

const pages = [...(await pageTexts())]
  .map(([path, text]) => ({ path, blocks: readPage(text).blocks }))
  .filter(({ blocks }) => blocks.length > 0);
const scripts = Object.keys(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts);

describe('the code blocks', () => {
  it.each(pages)('of $path hold what their language says', async ({ path, blocks }) => {
    const folder = await tempFolder('guide');
    const problems: string[] = [];
    for (const block of blocks) {
      if (block.unchecked !== null || runElsewhere[path]?.includes(block.language)) continue;
      const found = await problemsOf(block, { folder, scripts });
      problems.push(...found.map((problem) => `${block.under}, ${block.language}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });

  it('of TypeScript type-check against what a plugin imports', async () => {
    const folder = await tempFolder('guide');
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['zod', '@types', 'undici-types']) {
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const blocks = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'ts'));
    expect(blocks).not.toEqual([]);
    await Promise.all(blocks.map(({ text }, i) => writeFile(join(folder, `block-${i}.ts`), text)));
    const options = { paths: { pilotfish: [join(root, 'src/index.ts')] }, typeRoots: [join(root, 'node_modules/@types')] };
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['*.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { code, output } = await run('tsc', ['-p', folder]);
    expect(code, output).toBe(0);
  });

  it('that no test looks at say why', () => {
    const silent = pages.flatMap(({ path, blocks }) =>
      blocks.filter(({ unchecked }) => unchecked?.trim() === '').map(({ under }) => `${path}: ${under}`),
    );
    expect(silent).toEqual([]);
  });
});

describe('the guide to errors', () => {
  it('explains at least twenty, each under a code that there is', () => {
    const guide = pages.find(({ path }) => path === 'docs/guide/troubleshooting.md');
    const codes = (guide?.blocks ?? []).flatMap(({ under }) => [...under.matchAll(/[A-Z_]{4,}/g)].map(([code]) => code));
    expect(codes.length).toBeGreaterThanOrEqual(20);
    for (const code of codes) expect(Object.keys(errorTable)).toContain(code);
  });
});

describe('what checks a block', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['yaml', 'changes:\n  - { id: x, recipe: stripe.webhook_endpont }'],
    ['yaml', 'changes:\n  - { id: x, recipe: cloudflare.dns_cname, zone: 1 }'],
    ['yaml', 'jobs:\n  a: { steps: [] }'],
    ['yaml', 'a: [1'],
    ['yaml', 'secret: { secret: env://WEBHOOK_SECRET }\nsecret: { secret: valt://a/b#c }'],
    ['yaml', 'include:\n  - .gitlab/pilotfish.yml'],
    ['yaml', '- uses: a\n- name: b'],
    ['json', '{ "a": }'],
    ['sh', 'pilotfish apply --scop pr-1'],
    ['sh', 'pilotfish destroy'],
    ['sh', 'npm run biuld'],
    ['sh', 'node scripts/none.ts'],
    ['sh', 'frobnicate'],
    ['js', 'const = 1'],
    ['mermaid', 'flowchrt TD\n a --> b'],
    ['text', 'USAGE  The command line is fine'],
    ['text', 'anything'],
    ['toml', 'a = = 1'],
    ['ini', 'a = 1'],
    ['', 'x'],
  ];
  it.each(wrong)('sees a mistake in %s: %s', async (language, text) => {
    const block: CodeBlock = { language, text, unchecked: null, under: '' };
    expect(await problemsOf(block, { folder: await tempFolder('guide'), scripts: ['build'] })).not.toEqual([]);
  });
});
