import { createServer } from 'node:http';
import { expect, it, type TestContext } from 'vitest';
import { hostileOf, hostileTexts } from '../report/hostile-texts.ts';
import { expectInert, mark } from '../report/inert-page.ts';
import { action } from './job-env.ts';
import type { Outcome } from './runner.ts';
import { openShop, type Shop } from './shop.ts';

const long = hostileOf(200_000);
/** As hostile as git lets a name be. */
const branch = `${mark}<img/src=x>\`@octocat\`|#123"${mark}`;

/** A provider that answers everything with text that somebody else would obey: `/<kind>-<number>` with that one of them. */
async function openHostile({ onTestFinished }: TestContext): Promise<string> {
  const made = new Set<string>();
  const answerTo = (method: string, path: string): { readonly status: number; readonly body: unknown } => {
    const [, kind = '', number = ''] = /^\/([a-z]+)-(\d+)/.exec(path) ?? [];
    const text = hostileTexts[Number(number)] ?? long;
    const thing = { id: `thing-${number}`, name: branch, text, title: text };
    if (method === 'GET') return { status: 200, body: { items: made.has(number) ? [thing] : [] } };
    if (kind === 'refused') return { status: 422, body: { message: text, errors: [{ message: text, code: text }] } };
    if (kind === 'page') return { status: 400, body: text };
    made.add(number);
    return { status: method === 'POST' ? 201 : 200, body: thing };
  };
  const server = createServer((message, answer) => {
    const { status, body } = answerTo(message.method ?? 'GET', message.url ?? '');
    const isPage = typeof body === 'string';
    message.resume().once('end', () => {
      answer.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', 'x-request-id': mark });
      answer.end(isPage ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const line = (path: string): string => `
  - id: ${path.slice(1)}
    adapter: http
    op: resource
    api: hostile
    find: { path: ${path}, list_path: /items, match: { /name: "\${ctx.git.branch}" } }
    create: { path: ${path} }
    update: { method: PATCH, path: "${path}/{id}" }
    delete: { method: DELETE, path: "${path}/{id}" }
    id_path: /id
    fields: { /name: "\${ctx.git.branch}", /title: plain }
    outputs: { text: /text }`;

/** One line for each text in a value, one for each in an error, and two for all of them at once. */
const planAt = (url: string): string => `version: 1
providers:
  http:
    hostile: { base_url: "${url}", auth: { bearer_env: HOSTILE_TOKEN } }
changes:${['shown', 'refused'].flatMap((kind) => [...hostileTexts, long].map((_, at) => line(`/${kind}-${at}`))).join('')}${line(`/page-${hostileTexts.length}`)}
`;

it('200 KB of text that means something to somebody are text in log, comment, summary and outputs', async (context) => {
  const shop = await openShop(context);
  const head = await shop.open(12, planAt(await openHostile(context)), { branch });
  const also = { HOSTILE_TOKEN: 'hostile-token-0123456789' };
  const opened = await shop.run(await shop.pullEvent(12, 'opened'), { also });
  expect([opened.code, opened.outputs.status], opened.log.slice(0, 4_000)).toEqual([1, 'failed']);
  expect(opened.log.length).toBeGreaterThan(20_000);
  expect(opened.errors.length).toBeGreaterThan(1);
  isInert(shop, opened);
  expect(shop.host.comments(12)).toHaveLength(1);
  // Now there are values to compare with: a plan shows what it would change.
  const planned = await shop.run(shop.deploymentEvent({ sha: head }), { also, inputs: { command: 'plan' } });
  expect(planned.outputs.result).toContain(mark);
  isInert(shop, planned);
  const applied = await shop.run(shop.deploymentEvent({ sha: head }), { also });
  isInert(shop, applied);
  expect(shop.host.comments(12)).toHaveLength(1);
});

/** Commands that the action itself gives. */
const ours = new Set(['add-mask', 'stop-commands', 'notice', 'warning', 'error']);
const outputs = Object.keys(action.outputs);

function isInert(shop: Shop, outcome: Outcome): void {
  const words = new Set(outcome.commands.filter(({ name }) => name === 'stop-commands').map(({ data }) => data));
  expect(outcome.commands.filter(({ name }) => !ours.has(name) && !words.has(name))).toEqual([]);
  // What hostile text asks for begins at once with its words; ours says first what it is about.
  expect(outcome.commands.filter(({ name, data }) => name !== 'stop-commands' && /^[abx]$|^\/tmp|^b/.test(data))).toEqual([]);
  expect(Object.keys(outcome.outputs).filter((name) => !outputs.includes(name))).toEqual([]);
  expect(outcome.errors.filter((error) => error.startsWith('the step changed') || error.includes('GITHUB_STEP_SUMMARY'))).toEqual([]);
  expect(outcome.log).toContain(mark);
  expect(
    outcome.log
      .split('\n')
      .filter((line_) => unseen.test(line_))
      .map((line_) => JSON.stringify(line_.slice(0, 200))),
  ).toEqual([]);
  // The page that shows a log colours and folds by what a line begins with.
  const begun = outcome.log.split('\n').filter((shown) => /^\s*(?:::|##\[)/.test(shown));
  const annotations = outcome.commands.filter(({ name }) => ['notice', 'warning', 'error'].includes(name));
  const stops = outcome.commands.filter(({ name }) => name === 'stop-commands' || words.has(name));
  expect(begun.length).toBe(annotations.length + stops.length);
  const links = [`${shop.place.server}/acme/shop/`];
  expectInert(outcome.summary, { links });
  for (const { body } of shop.host.comments(12)) {
    expect(body.length).toBeLessThanOrEqual(65_536);
    expectInert(body.replace(/^<!-- pilotfish [^>]*-->\n/, ''), { links });
  }
}

/** Escapes, and what turns or hides text. */
const unseen = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/u;
