import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { openShop } from '../lifecycle/shop.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { env, type Fault, provider, thing, thingsPlan } from './provider.ts';
import { type Surface, surfaceOf } from './surface.ts';

const folder = join(import.meta.dirname, 'goldens', 'runs');
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** `UPDATE=1` writes the goldens anew: read each as somebody who does not know this program. */
async function expectGolden(name: string, seen: Surface): Promise<void> {
  const files = {
    txt: `$ exit ${seen.exit}\n${seen.text}--- log\n${seen.log}--- annotations\n${seen.annotations}`,
    'json.txt': seen.json,
    md: seen.comment,
  };
  for (const [ending, text] of Object.entries(files)) {
    const file = join(folder, `${name}.${ending}`);
    if (process.env.UPDATE) {
      await mkdir(folder, { recursive: true });
      await writeFile(file, text);
    }
    expect(text, file).toBe(await readFile(file, 'utf8'));
  }
}

async function things(plan: string, faults: Readonly<Record<string, Fault>>, argv = ['apply', '--scope', 'pr-12']): Promise<Surface> {
  const agent = provider(faults);
  const clock = new LeapingClock();
  const stage = await openStage({
    simulations: [],
    env: { ...env, CLOUDFLARE_API_TOKEN: 'cf-token-0123456789' },
    plan,
    clock,
    wire: () => agent,
  });
  closing.push(stage.close, () => agent.close());
  return await surfaceOf(stage, argv, { clock });
}

const refused: Fault = { status: 422, type: 'application/json', body: '{"message":"the name is taken by another project"}' };
const page = '<!DOCTYPE html><html><head><title>Sign in to Acme</title></head><body>Please sign in.</body></html>';

/** The errors that people see in a report. */
const errorsIn = (text: string): number => (text.match(/^ *[A-Z]+_[A-Z_]+ {2}/gm) ?? []).length;
const linesOf = ({ document }: Surface) => ('lines' in document ? (document.lines ?? []) : []);

describe('one cause is one error', () => {
  const five = ['b', 'c', 'd', 'e', 'f'].map((id) => thing(id, id === 'f' ? 'e' : 'a'));

  it.each(['apply', 'plan'])('with five lines that wait for it, in %s', async (command) => {
    const seen = await things(thingsPlan(thing('a'), ...five, thing('g')), { 'a-pr-12': refused }, [command, '--scope', 'pr-12']);
    expect(seen.exit).toBe(1);
    expect(errorsIn(seen.text)).toBe(1);
    expect(seen.text).toContain('5 more wait for it: b, c, d, …');
    expect(seen.comment.match(/^❗/gm)).toHaveLength(1);
    expect(linesOf(seen).filter(({ error }) => error)).toHaveLength(1);
    expect(linesOf(seen).flatMap(({ id, because = [] }) => because.map((cause) => `${id} ${cause}`))).toEqual([
      'b a',
      'c a',
      'd a',
      'e a',
      'f a',
    ]);
    expect(seen.annotations.match(/^::error/gm)).toHaveLength(1);
    expect(seen.log.match(/PROVIDER_INVALID/g)).toHaveLength(1);
    expect(seen.log + seen.text + seen.comment + seen.annotations).not.toContain('DEPENDENCY_FAILED');
    await expectGolden(`one-root-${command}`, seen);
  });

  it('and a line below two of them names both', async () => {
    const plan = thingsPlan(thing('a'), thing('b'), thing('c', 'a'), thing('d', 'b', 'a'), thing('e', 'd'));
    const seen = await things(plan, { 'a-pr-12': refused, 'b-pr-12': refused });
    expect(errorsIn(seen.text)).toBe(2);
    expect(linesOf(seen).map(({ id, because }) => [id, because])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', ['a']],
      ['d', ['a', 'b']],
      ['e', ['a', 'b']],
    ]);
    await expectGolden('two-roots', seen);
  });

  it('also where the run lacks its scope and other values', async () => {
    const plan = `version: 1
providers: { cloudflare: {} }
changes:
${['a', 'b', 'c'].map((id) => `  - { id: ${id}, recipe: cloudflare.dns_cname, zone_id: ${seed.zone.id}, name: "${id}-\${ctx.scope}.acme.example", target: "\${ctx.git.branch}.acme.example" }\n`).join('')}`;
    const seen = await things(plan, {}, ['plan']);
    expect(seen.exit).toBe(2);
    expect(errorsIn(seen.log)).toBe(1);
    await expectGolden('missing-scope', seen);
  });
});

describe('a first healthy run', () => {
  const plan = (takes: string): string => `version: 1
providers: { vercel: {} }
changes:
  - id: preview
    adapter: vercel
    op: deploy
    project: shop
  - id: dns
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: \${ctx.scope}.${seed.zone.name}
    target: ${takes}
  - id: alias
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: www.\${ctx.scope}.${seed.zone.name}
    target: { from: dns.hostname }
`;
  const argv = ['apply', '--scope', 'pr-12', '--branch', 'feature', '--sha', 'a'.repeat(40)];

  it.each([
    ['in CI', { GITHUB_ACTIONS: 'true' }, argv],
    ['that waits for nothing', {}, [...argv, '--wait-timeout=0']],
  ] as const)('%s names no error: its lines wait', async (name, more, words) => {
    const shop = await openShop(plan('{ from: preview.hostname }'));
    closing.push(shop.close);
    Object.assign(shop.env, more);
    const seen = await surfaceOf(shop, words, { clock: shop.clock });
    expect(seen.exit).toBe(0);
    expect(linesOf(seen).map((line) => 'state' in line && line.state)).toEqual(['waiting', 'waiting', 'waiting']);
    expect('status' in seen.document && seen.document.status).toBe('partial');
    const all = [seen.text, seen.log, seen.annotations, seen.summary, seen.comment, seen.json].join('\n');
    expect(all).not.toMatch(/error|fail|refused|skipped|✗|❌|❗|DEPENDENCY/i);
    if (name === 'in CI') await expectGolden('first-healthy-run', seen);
  });
});

describe('an answer that is none has a title that says so', () => {
  it.each([
    ['html', { status: 200, type: 'text/html; charset=utf-8', body: page }, 'A web page came in place of an answer'],
    ['html-403', { status: 403, type: 'text/html', body: page }, 'A web page came in place of an answer'],
    ['html-as-json', { status: 200, type: 'application/json', body: page }, 'A web page came in place of an answer'],
    ['empty', { status: 200, type: 'application/json', body: '' }, 'The answer of the provider is empty'],
    ['cut', { status: 200, type: 'application/json', body: '{"things":[{"id":"th_1","na' }, 'The answer of the provider is cut off'],
    ['429', { status: 429, type: 'application/json', body: '{"message":"slow down"}' }, 'The provider limits the rate of requests'],
    [
      '503',
      { status: 503, type: 'text/html', body: '<html><title>503 Service Unavailable</title></html>' },
      'The provider failed to answer the request',
    ],
  ] as const)('%s', async (name, fault, title) => {
    const seen = await things(thingsPlan(thing('a')), { 'a-pr-12': fault });
    const [line] = linesOf(seen);
    expect(line?.error?.summary).toBe(title);
    expect(seen.comment).toContain(`**${title}**`);
    if (name.startsWith('html') || name === 'empty' || name === 'cut') expect(line?.error?.detail).toContain('api.things.example');
    expect(line?.error?.detail).not.toContain('JSON and is not');
    await expectGolden(name, seen);
  });
});

it('no golden is left over', async () => {
  const names = [
    'one-root-apply',
    'one-root-plan',
    'two-roots',
    'missing-scope',
    'first-healthy-run',
    'html',
    'html-403',
    'html-as-json',
    'empty',
    'cut',
    '429',
    '503',
  ];
  expect((await readdir(folder)).sort()).toEqual(
    names.flatMap((name) => ['json.txt', 'md', 'txt'].map((ending) => `${name}.${ending}`)).sort(),
  );
});
