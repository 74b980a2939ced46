import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPage } from '../../scripts/docs/read-page.ts';
import { type Company, openCompany } from '../checkouts/company.ts';
import { type Ended, root } from '../cli/program.ts';
import { openShop } from './shop.ts';

/** Pages whose commands are about a scope that was applied: each command runs as it stands there. */
let company: Company;
beforeEach(async () => {
  company = await openCompany();
});
afterEach(() => company.close());

const database = `  - id: database
    adapter: neon
    op: branch
    project_id: quiet-river-12345678
    name: shop-\${ctx.scope}
`;
const variable = `  - id: flag
    adapter: vercel
    op: env
    project: shop
    key: PREVIEW_NAME
    value: { public: shop }
    git_branch: \${ctx.git.branch}
`;

const page = async (name: string) => readPage(await readFile(join(root, `docs/guide/${name}.md`), 'utf8'));
const branches = (): readonly string[] => company.world.neon.world.branches().map(({ name }) => name);
const boundTo = (): readonly (string | null | undefined)[] =>
  company.world.vercel.world.project().env.flatMap(({ key, gitBranch }) => (key === 'PREVIEW_NAME' ? [gitBranch] : []));

/** A repository on a branch, whose pull request 12 was applied with this plan. */
async function applied(plan: string) {
  const shop = await openShop(company, 'ledger');
  const write = (text: string): Promise<void> => writeFile(join(shop.cwd, 'release.plan.yaml'), text);
  await write(plan);
  await good(
    shop.run('git checkout --quiet -b feature/checkout && git add . && git -c user.name=a -c user.email=a@b.c commit --quiet -m x'),
  );
  const build = async (branch: string) => company.world.vercel.world.push(branch, await company.git(shop.cwd, 'rev-parse', 'HEAD'));
  await build('feature/checkout');
  await good(shop.run('pilotfish apply --scope pr-12'));
  return { ...shop, write, build };
}

async function good(run: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await run;
  expect(code, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

it('the page on receipts reads what a run left, and its table has every member of a receipt', async () => {
  const shop = await applied(`version: 1\nchanges:\n${database}`);
  const { blocks } = await page('receipts');
  const told: string[] = [];
  for (const { language, text } of blocks) if (language === 'sh') told.push(await good(shop.run(text)));
  const receipt = JSON.parse(told[0] ?? '');
  const shown = JSON.parse((blocks.find(({ language }) => language === 'json')?.text ?? '').replace(/,\s*…\n/g, '\n'));
  // The providers stand on the loopback here, so the receipt names their hosts.
  expect([...Object.keys(shown), 'hosts'].toSorted()).toEqual(Object.keys(receipt).toSorted());
  expect(Object.keys(shown.lines[0])).toEqual(Object.keys(receipt.lines[0]));
  const text = await readFile(join(root, 'docs/guide/receipts.md'), 'utf8');
  for (const member of Object.keys(receipt).filter((one) => !['v', 'environment', 'scope', 'plan', 'startedAt', 'ms'].includes(one)))
    expect(text).toMatch(new RegExp(`^\\|[^|]*\`${member}\``, 'm'));
  const files = [...(told[1] ?? '').matchAll(/^\.pilotfish\/([a-z]+(?:\.jsonl?|\/))/gm)].map(([, file]) => file ?? '');
  for (const file of new Set(files.filter((one) => one !== 'receipt.json'))) expect(text).toContain(`| \`${file}\` |`);
  await good(shop.run('pilotfish apply --destroy --scope pr-12'));
});

it('what the page on leaving keeps stays, and nothing of pilotfish is left in the repository', async () => {
  const shop = await applied(`version: 1\nchanges:\n${database}`);
  const { blocks } = await page('leaving');
  const [keep, leave] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  // Without an apply in between, the destroy would not know.
  await shop.write(blocks.find(({ language }) => language === 'yaml')?.text ?? '');
  await good(shop.run(keep ?? ''));
  expect(branches()).toContain('shop-pr-12');
  const refs = async (): Promise<string> => await company.remote.git('for-each-ref', '--format=%(refname)');
  expect(await refs()).toContain('pilotfish');
  await good(shop.run(leave ?? ''));
  expect(await refs()).not.toContain('pilotfish');
  expect(branches()).toContain('shop-pr-12');
});

it('a branch that is renamed gets its variables, keeps what the scope names, and a prune removes the old ones', async () => {
  const shop = await applied(`version: 1\nchanges:\n${database.replace('shop-$', 'web-$')}${variable}`);
  const { blocks } = await page('renamed-branch');
  const [again, prune] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  await good(shop.run('git branch -m feature/checkout feature/basket'));
  await shop.build('feature/basket');
  const told = await good(shop.run(again ?? ''));
  expect(told).toMatch(/create +flag/);
  expect(told).not.toMatch(/create +database/);
  expect(told).toContain('`--prune` removes it');
  expect(boundTo().toSorted()).toEqual(['feature/basket', 'feature/checkout']);
  await good(shop.run(prune ?? ''));
  expect([boundTo(), branches().filter((name) => name.startsWith('web-'))]).toEqual([['feature/basket'], ['web-pr-12']]);
  await good(shop.run('pilotfish apply --destroy --scope pr-12'));
  expect([boundTo(), branches().filter((name) => name.startsWith('web-'))]).toEqual([[], []]);
});

it('the page on upgrading runs, and a ledger of a later format is refused by every command before anything is sent', async () => {
  const shop = await applied(`version: 1\nchanges:\n${database.replace('shop-$', 'api-$')}`);
  const [look] = (await page('upgrading')).blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  await good(shop.run(look ?? ''));
  await later(shop, (text) => text.replace('"v": 2,', '"v": 3,'));
  const before = company.requests().provider;
  for (const command of ['plan', 'apply', 'apply --destroy']) {
    const { code, stdout, stderr } = await shop.run(`pilotfish ${command} --scope pr-12`);
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/LEDGER_VERSION[\s\S]*Install the newer pilotfish/)]);
  }
  expect(company.requests().provider).toBe(before);
});

/** Somebody's later pilotfish wrote the first record. */
async function later(shop: Awaited<ReturnType<typeof applied>>, change: (text: string) => string): Promise<void> {
  const folder = await company.folder('later');
  await company.git(folder, 'clone', '--quiet', '--branch', 'pilotfish-receipts/preview/pr-12', company.remote.urlWithAuth, '.');
  const path = (await company.git(folder, 'ls-files', '.pilotfish/records')).split('\n')[0] ?? '';
  await writeFile(join(folder, path), change(await readFile(join(folder, path), 'utf8')));
  await good(shop.run(`cd '${folder}' && git -c user.name=a -c user.email=a@b.c commit --quiet -am later && git push --quiet`));
}
