import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodeBlock, readPage } from '../../scripts/docs/read-page.ts';
import { execute, root } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isWhole } from '../support/whole.ts';
import { copyRepository, emptyPlace } from './empty.ts';

const { blocks, headings } = readPage(await readFile(join(root, 'docs/install.md'), 'utf8'));
const { version }: { readonly version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** The blocks of a chapter that are commands, in their order. */
const under = (heading: string): readonly CodeBlock[] =>
  blocks.filter((block) => block.under === heading && block.language === 'sh' && block.unchecked === null);

interface Words {
  readonly checkout?: string;
  readonly folder?: string;
  readonly address?: string;
}

/** The commands of a block with the words that stand for something of the reader's. */
function commandsOf({ text }: CodeBlock, words: Words): string {
  const all: { readonly [word: string]: string | undefined } = { ...words, version };
  return text.replace(/<(\w+)>/g, (whole, word: string) => all[word] ?? whole);
}

/** Packs what `npm run build` made. */
async function packed(): Promise<string> {
  const folder = await tempFolder('packed');
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const pack = await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, env });
  expect(pack.code, pack.stderr).toBe(0);
  return folder;
}

it('every block of the page is run by a test below', () => {
  const chapters = headings.map(({ text }) => text).filter((text) => under(text).length > 0);
  expect(chapters).toEqual(['From the checkout', 'As a package', 'From a git address', 'One executable']);
  expect(chapters.map((chapter) => under(chapter).length)).toEqual([1, 3, 2, 2]);
});

describe('the package, from an empty folder', () => {
  const [, install, npx] = under('As a package');
  it.each([
    ['is installed from its file, without a registry', install],
    ['runs from its file without an install', npx],
  ])('%s', async (_, block) => {
    const folder = await packed();
    const { sh } = await emptyPlace({ isRepository: block === install });
    const ended = await sh(`export npm_config_offline=true\n${commandsOf(block as CodeBlock, { folder })}`);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout.trim().split('\n').at(-1)).toBe(version);
  });
});

// These install the tools of the build from the registry, which takes minutes. `npm run whole -- test/install` runs them.
describe.skipIf(!isWhole)('a checkout', () => {
  const [build] = under('From the checkout');
  const [pack] = under('As a package');
  const [binary, link] = under('One executable');
  it('is built, packed and made into an executable by the commands of the page', async () => {
    const checkout = await copyRepository();
    const { folder, sh } = await emptyPlace({ isRepository: false });
    for (const block of [build, pack, binary, link]) {
      const ended = await sh(commandsOf(block as CodeBlock, { checkout, folder }));
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(ended.stdout.trim().split('\n').at(-1)).toBe(block === pack ? `pilotfish-${version}.tgz` : version);
    }
    // A checkout's own `npm ci` builds nothing, and no command above leaves a change behind.
    const status = await execute('git', ['status', '--porcelain'], { cwd: checkout, env: process.env });
    expect(status.stdout).toBe('');
  });
});

describe.skipIf(!isWhole)('a git address, from an empty folder', () => {
  const [install, npx] = under('From a git address');
  it.each([
    ['is installed and built', install],
    ['runs without an install', npx],
  ])('%s', async (_, block) => {
    const address = `file://${await copyRepository()}`;
    const { sh } = await emptyPlace({ isRepository: block === install });
    const ended = await sh(commandsOf(block as CodeBlock, { address }));
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout.trim().split('\n').at(-1)).toBe(version);
  });
});
