import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeBlock, readPage } from '../../scripts/docs/read-page.ts';
import { type Company, openCompany } from '../checkouts/company.ts';
import { type Ended, root } from '../cli/program.ts';
import { openShop } from './shop.ts';

/** `UPDATE=1` writes into the guide what is printed now. */
const isUpdate = process.env.UPDATE === '1';
const guide = join(root, 'docs/guide/quick-start.md');

let company: Company;
beforeAll(async () => {
  company = await openCompany();
});
afterAll(() => company.close());

it('the quick start does what it says, and prints what it shows', async () => {
  const shop = await openEmptyShop();
  let text = await readFile(guide, 'utf8');
  const { blocks } = readPage(text);
  // The first block builds the program, which is there.
  const steps = blocks.filter(({ under }) => !under.startsWith('1.'));
  const ran: string[] = [];
  let last: Ended = { code: 0, stdout: '', stderr: '' };
  for (const block of steps) {
    if (block.language === 'sh') {
      last = await shop.run(block.text);
      ran.push(...block.text.split('\n'));
      expect(last.code, `${block.text}\n${last.stdout}${last.stderr}`).toBe(0);
      if (block.text.includes('git push')) await shop.build();
    } else if (block.language === 'text') {
      if (isUpdate) text = text.replace(block.text, () => shownAs(block.text, last.stdout));
      else expect(withoutChance(last.stdout), `what is shown under "${block.under}"`).toEqual(withoutChance(block.text));
    } else {
      await shop.fillIn(block);
    }
  }
  expect(ran.filter((command) => command.startsWith('pilotfish')).map((command) => command.split(' ')[1])).toEqual([
    'init',
    'plan',
    'apply',
    'apply',
    'apply',
  ]);
  expect(company.world.neon.world.branches().filter(({ name }) => name.includes('try-1'))).toEqual([]);
  company.verify();
  if (isUpdate) await writeFile(guide, text);
});

/** A text that differs in nothing but chance stays as it is. */
const shownAs = (before: string, now: string): string =>
  withoutChance(before).join('\n') === withoutChance(now).join('\n') ? before : now.trimEnd();

/** The repository of the guide before its first step. */
async function openEmptyShop() {
  const { cwd, env: base, run } = await openShop(company, 'quick-start');
  // Whoever begins has no credentials yet; `init` says so.
  const { NEON_API_KEY: _, VERCEL_TOKEN: __, ...without } = base;
  let env: NodeJS.ProcessEnv = without;
  return {
    run: (script: string): Promise<Ended> => run(script, env),
    /** The host builds what was pushed. */
    build: async (): Promise<void> => {
      company.world.vercel.world.push('feature/checkout', await company.git(cwd, 'rev-parse', 'HEAD'));
    },
    /** The plan of the guide is the one that `init` wrote, with its two placeholders filled in. */
    fillIn: async ({ text }: CodeBlock): Promise<void> => {
      const path = join(cwd, 'release.plan.yaml');
      const drafted = (await readFile(path, 'utf8')).trimEnd();
      const filled = drafted
        .replace(/your-neon-project-id # TODO:.*/, 'quiet-river-12345678')
        .replace(/your-vercel-project # TODO:.*/, 'shop');
      expect(text).toBe(filled);
      await writeFile(path, `${text}\n`);
      env = base;
    },
  };
}

/** Times, hashes, ids and the number of looks differ from run to run, with them the width of columns and the order of a destroy. */
/** The providers are simulated here, so a run names their hosts. A reader's are the providers' own. */
const withoutHosts = (text: string): string => text.replace(/^Hosts that are not the provider's own:\n(?: {2}.*\n)+\n?/m, '');

const withoutChance = (text: string): readonly string[] =>
  withoutHosts(text)
    .trim()
    .replace(/\b\d+ requests?\b/g, 'N requests')
    .replace(/\b\d+ push(es)?\b/g, 'N pushes')
    .replace(/\b\d+(\.\d+)? m?s\b/g, 'TIME')
    .replace(/\b[0-9a-f]{12,40}\b/g, 'HASH')
    .replace(/\b(dpl_|br-|ep-|shop-)[a-z0-9-]+(?=[ ".])/g, '$1ID')
    .replace(/(database-url\.id +)"\w+"/g, '$1"ID"')
    .replace(/ {2,}/g, '  ')
    .replace(/ +$/gm, '')
    .split('\n')
    .toSorted((a, b) => (a.startsWith('  -') && b.startsWith('  -') ? a.localeCompare(b) : 0));
