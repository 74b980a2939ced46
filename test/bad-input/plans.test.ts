import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { type Company, openCompany, recordPlan } from '../checkouts/company.ts';
import { refused, tells } from './refusals.ts';

let company: Company;
let cwd = '';
beforeAll(async () => {
  company = await openCompany();
});
beforeEach(async () => {
  cwd = await company.folder('work');
  await company.git(cwd, 'init', '--quiet', '--initial-branch=main');
  await company.git(cwd, 'remote', 'add', 'origin', company.remote.urlWithAuth);
});
afterAll(() => company.close());

const plan = (content: string | Uint8Array): Promise<void> => writeFile(join(cwd, 'release.plan.yaml'), content);

const mistaken = `version: 1
changes:
  - id: dns
    recipe: cloudflare.dns_cnam
    zone_id: ${seed.zone.id}
    name: \${ctx.scope}.${seed.zone.name}
    target: cname.vercel-dns.com
  - id: hook
    recipe: github.repo_webhook
    repo: acme/shop
    url: https://\${ctx.scope}.acme.example
    secret: hunter2-hunter2
    active: 7
  - id: payments
    recipe: stripe.webhook_endpoint
    name: shop-\${ctx.scope}
    url: { from: hok.ping_url }
    enabled_events: [invoice.paid]
  - id: variable
    adapter: vercel
    op: env
    project: shop # TODO the project's name
    key: PAYMENTS
    value: { from: payments.sekret }
`;

/** Where a text begins in the plan. */
function placeOf(text: string): string {
  const before = mistaken.slice(0, mistaken.indexOf(text)).split('\n');
  return `release.plan.yaml:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

describe('a plan with six different mistakes', () => {
  const mistakes = [
    { code: 'PLAN_INVALID', place: placeOf('cloudflare.dns_cnam'), detail: 'Did you mean "dns_cname"?' },
    { code: 'SECRET_LITERAL', place: placeOf('hunter2-hunter2'), detail: 'hook.secret' },
    { code: 'PARAM_INVALID', place: placeOf('7\n'), detail: 'active' },
    { code: 'REF_UNKNOWN', place: placeOf('hok.ping_url'), detail: 'Did you mean "hook"?' },
    { code: 'PLAN_TODO', place: placeOf('shop # TODO'), detail: "the project's name" },
    { code: 'REF_OUTPUT_UNKNOWN', place: placeOf('payments.sekret'), detail: 'Did you mean "secret"?' },
  ];

  it.each([['plan'], ['apply']])('is refused by %s with all six, each at its line and column, and nothing is sent', async (command) => {
    await plan(mistaken);
    const { text, document } = await refused(company, { cwd, args: [command, '--scope', 'pr-12'] });
    expect(document.errors?.map(({ code, place }) => ({ code, place }))).toEqual(mistakes.map(({ code, place }) => ({ code, place })));
    for (const [i, error] of (document.errors ?? []).entries()) {
      expect(error.detail).toContain(mistakes[i]?.detail);
      tells(text, error);
    }
    expect(text.match(/^ {2}Fix: /gm)).toHaveLength(6);
    expect(document.error).toEqual(document.errors?.[0]);
    expect(text + JSON.stringify(document)).not.toContain('hunter2');
  });
});

describe('a command line that is mistyped', () => {
  it.each([
    [['aply'], 'Did you mean "apply"?'],
    [['apply', '--scpoe', 'pr-12'], 'Did you mean "--scope"?'],
    [['apply', '--scope'], '`--scope` has no value.'],
    [['plan', '--pr', 'twelve'], 'twelve'],
  ])('%j is a USAGE error', async (args, words) => {
    await plan(recordPlan);
    const { text, document } = await refused(company, { cwd, args });
    expect(document.error).toMatchObject({ code: 'USAGE', detail: expect.stringContaining(words) });
    tells(text, document.error);
  });

  it('an apply that names no scope is told which flag gives it', async () => {
    await plan(recordPlan);
    const { text, document } = await refused(company, { cwd, args: ['apply'] });
    expect(document.error.code).toBe('CTX_NULL');
    expect(text).toContain('--scope');
  });
});

describe('a plan file that is none', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  it.each<[string, () => Promise<unknown>]>([
    ['empty', () => plan('')],
    ['of comments alone', () => plan('# nothing yet\n')],
    ['a binary file', () => plan(png)],
    ['not UTF-8', () => plan(Buffer.from('changes: [\xe9\xe8]\n', 'latin1'))],
    ['a folder', () => mkdir(join(cwd, 'release.plan.yaml'))],
    ['not YAML', () => plan('changes:\n  - id: [\n')],
    ['a list', () => plan('- id: dns\n')],
    ['missing', async () => undefined],
  ])('is PLAN_PARSE when it is %s, and nothing is sent', async (_title, make) => {
    await make();
    for (const args of [
      ['plan', '--scope', 'pr-12'],
      ['apply', '--scope', 'pr-12', '--plan', 'release.plan.yaml'],
    ]) {
      const { text, document } = await refused(company, { cwd, args });
      expect(document.error.code).toBe('PLAN_PARSE');
      expect(text).toContain('release.plan.yaml');
      tells(text, document.error);
    }
  });

  it('is named when --plan names a folder', async () => {
    await mkdir(join(cwd, 'plans'));
    const { text, document } = await refused(company, { cwd, args: ['plan', '--scope', 'pr-12', '--plan', 'plans'] });
    expect(document.error).toMatchObject({ code: 'PLAN_PARSE', detail: expect.stringContaining('plans') });
    tells(text, document.error);
  });
});

describe('what looks like a mistake and is none', () => {
  const run = async (folder: string, ...args: readonly string[]): Promise<ApplyDoc> => {
    const { code, stdout, stderr } = await company.run(folder, [...args, '--json']);
    expect(code, stdout + stderr).toBe(0);
    return JSON.parse(stdout);
  };

  it('--scope 007 is a scope of that name, zeros included', async () => {
    await plan(recordPlan);
    expect(await run(cwd, 'apply', '--scope', '007')).toMatchObject({
      status: 'complete',
      scope: '007',
      receipt: { branch: 'pilotfish-receipts/preview/007' },
    });
    expect(await company.remote.git('for-each-ref', '--format=%(refname:short)')).toBe('pilotfish-receipts/preview/007');
    expect(company.records()).toEqual([`007.${seed.zone.name}`]);
    expect(await run(cwd, 'apply', '--destroy', '--scope', '007')).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(company.records()).toEqual([]);
  });

  it('a folder outside of any repository keeps its ledger beside the plan', async () => {
    const bare = await company.folder('bare');
    await writeFile(join(bare, 'release.plan.yaml'), recordPlan);
    expect(await run(bare, 'apply', '--scope', 'pr-13')).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(await run(bare, 'apply', '--scope', 'pr-13')).toMatchObject({ status: 'complete', stats: { writes: 0 } });
    expect(await run(bare, 'apply', '--destroy', '--scope', 'pr-13')).toMatchObject({ status: 'complete' });
    expect(company.records()).toEqual([]);
  });
});

describe('a line of the generic adapter', () => {
  it('has each mistake told where it stands, a missing part where it is missing', async () => {
    await plan(`version: 1
providers:
  http:
    acme: { base_url: https://api.acme.example, auth: null }
changes:
  - id: hook
    adapter: http
    op: resource
    api: acme
    fields: { url: https://a.example }
    find:
      path: /hooks
      mtach: { url: https://a.example }
    create: { path: /hooks }
    delete:
      path: /hooks/{id}
      method: DELETED
    immutable:
      - name
`);
    const { text, document } = await refused(company, { cwd, args: ['plan', '--scope', 'pr-12'] });
    expect(document.errors?.map(({ code, place, detail }) => [code, place, detail.replace(/\.( .*)?$/, '')])).toEqual([
      ['PARAM_INVALID', 'release.plan.yaml:12:7', 'hook: find.match is missing'],
      ['PARAM_INVALID', 'release.plan.yaml:13:14', 'hook: "mtach" is not a key of find'],
      ['PARAM_INVALID', 'release.plan.yaml:17:15', 'hook: delete.method must be one of DELETE, POST, PUT, PATCH'],
    ]);
    for (const error of document.errors ?? []) tells(text, error);
  });
});
