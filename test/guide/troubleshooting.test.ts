import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeBlock, readPage } from '../../scripts/docs/read-page.ts';
import { type Company, openCompany } from '../checkouts/company.ts';
import { root } from '../cli/program.ts';

let company: Company;
let blocks: readonly CodeBlock[] = [];
beforeAll(async () => {
  company = await openCompany();
  blocks = readPage(await readFile(join(root, 'docs/guide/troubleshooting.md'), 'utf8')).blocks;
});
afterAll(() => company.close());

/** A DNS record of the scope, with one text of it changed; `more` goes on with the lines. */
const dns = (before = '', after = '', more = ''): string =>
  `version: 1
changes:
  - id: dns
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: \${ctx.scope}.${seed.zone.name}
    target: cname.vercel-dns.com
${more}`.replace(before, after);

const record = (id: string, target: string): string =>
  `  - id: ${id}\n    recipe: cloudflare.dns_cname\n    zone_id: ${seed.zone.id}\n    name: ${id}.${seed.zone.name}\n    target: ${target}\n`;
const hook = (secret: string): string =>
  `version: 1\nchanges:\n  - id: hook\n    recipe: github.repo_webhook\n    repo: acme/shop\n    url: https://pr-12.example.com\n    secret: ${secret}\n`;
const branch = (project: string): string =>
  `version: 1\nchanges:\n  - id: database\n    adapter: neon\n    op: branch\n    project_id: ${project}\n    name: shop-\${ctx.scope}\n`;
const payments =
  'version: 1\nchanges:\n  - id: payments\n    recipe: stripe.webhook_endpoint\n    name: shop-${ctx.scope}\n    url: https://${ctx.scope}.preview.example.com\n    enabled_events: [checkout.session.completed]\n';
const taker =
  '  - id: env\n    adapter: vercel\n    op: env\n    project: shop\n    key: WEBHOOK_SECRET\n    value: { from: payments.secret }\n    target: [preview]\n';

interface Case {
  readonly plan: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Applied before it, in the same folder, or, for `elsewhere`, in another one. */
  readonly after?: string;
  readonly elsewhere?: string;
}

const scoped = ['plan', '--scope', 'pr-12'];
const todo = 'quiet-river # TODO: Neon Console, the project, Settings, General, "Project ID".';

/** How each is brought about, by the heading of the guide that shows it. */
const cases: Readonly<Record<string, Case>> = {
  USAGE: { plan: dns(), args: ['apply', '--scop', 'pr-12'] },
  PLAN_PARSE: { plan: 'version: 1\nchanges:\n  - id: dns\n   recipe: x\n' },
  PLAN_INVALID: { plan: dns('dns_cname', 'dns_cnam') },
  PLAN_TODO: { plan: branch(todo) },
  PARAM_INVALID: { plan: dns('target:', 'tagret:') },
  'REF_UNKNOWN and REF_OUTPUT_UNKNOWN': { plan: dns('', '', record('b', '{ from: preview.hostname }')) },
  CTX_NULL: { plan: dns(), args: ['plan'] },
  CREDENTIAL_MISSING: { plan: branch('quiet-river-12345678'), env: { NEON_API_KEY: '' } },
  SECRET_LITERAL: { plan: hook('hunter2-hunter2') },
  SECRET_UNRESOLVED: { plan: hook('{ secret: env://HOOK_SECRET }') },
  ENV_NOT_APPROVED: { plan: dns(), args: ['apply', '--env', 'production'] },
  PROVIDER_AUTH: { plan: dns(), env: { CLOUDFLARE_API_TOKEN: 'wrong-token-0123456789' } },
  PROVIDER_NOT_FOUND: { plan: branch('quiet-river-87654321') },
  RESOURCE_FOREIGN: { plan: dns('${ctx.scope}', 'shared'), elsewhere: dns('${ctx.scope}', 'shared') },
  OUTPUT_UNAVAILABLE: { plan: payments + taker, args: ['apply', '--scope', 'pr-12'], after: payments },
};

describe('the guide to errors', () => {
  it.each(Object.entries(cases))('shows %s as it is printed', async (heading, { plan, args = scoped, env = {}, after, elsewhere }) => {
    const cwd = await company.folder('trouble');
    const prepare = async (folder: string, text: string): Promise<void> => {
      await writeFile(join(folder, 'release.plan.yaml'), text);
      const ended = await company.run(folder, ['apply', '--scope', 'pr-12']);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    };
    if (after !== undefined) await prepare(cwd, after);
    if (elsewhere !== undefined) await prepare(await company.folder('others'), elsewhere);
    await writeFile(join(cwd, 'release.plan.yaml'), plan);
    const { code, stdout, stderr } = await company.run(cwd, args, env);
    expect(code).not.toBe(0);
    const shown = blocks.find(({ under }) => under === heading)?.text ?? 'nothing is shown under this heading';
    expect(inOneLine(stdout + stderr)).toContain(inOneLine(shown));
  });
});

/** Blanks are the terminal's, places depend on the rows above, and simulated providers stand below a path of their own. */
const inOneLine = (text: string): string =>
  text
    .replace(/release\.plan\.yaml:\d+:\d+/g, 'PLACE')
    .replace(/ (GET|POST) \/(cloudflare|neon)\//g, ' $1 /')
    .replace(/\s+/g, ' ')
    .trim();
