import { createServer } from 'node:http';
import { expect, it, type TestContext } from 'vitest';
import { openShop, type Shop } from '../action/shop.ts';
import { type Fact, factsIn, put } from './forger.ts';
import { plant } from './planted.ts';

/** What arrives at the thief's server, headers and all. It takes whatever it is asked for. */
async function openThief({ onTestFinished }: TestContext) {
  const heard: string[] = [];
  const server = createServer((message, answer) => {
    heard.push(`${message.method} ${message.url} ${message.rawHeaders.join(' ')}`);
    message.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    message.on('end', () => {
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"x","result":[],"data":[]}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { heard, origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

const plan = `version: 1
changes:
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.acme.example", target: cname.vercel-dns.com, environments: [production] }
`;
const branch = 'pilotfish-receipts/production/production';
const folder = '.pilotfish/';

/** The API of a forged fact. Each would send a credential of the job to the thief. */
const forgeries: { readonly [name: string]: (own: Fact, origin: string) => Fact } = {
  'another host': (own, base_url) => ({ ...own, base_url, base_url_env: undefined }),
  'another host and a live key': (_, base_url) => ({ api: 'x', base_url, auth: { bearer_env: 'STRIPE_SECRET_KEY' } }),
  'another host and the name of another address variable': (own, base_url) => ({ ...own, base_url, base_url_env: 'NOBODY_SETS_THIS' }),
  'another token endpoint, and the token of the job': (own, origin) => {
    const auth = { client_id_env: 'STRIPE_SECRET_KEY', client_secret_env: 'GITHUB_TOKEN', token_url: `${origin}/token` };
    return { ...own, auth: { oauth_client_credentials: auth } };
  },
};

/** The receipts branch with these facts beside the honest ones, the record of the line changed. */
async function forge(shop: Shop, origin: string): Promise<void> {
  const names = (await shop.remote.git('ls-tree', '-r', '--name-only', branch)).split('\n');
  const files = new Map<string, string>();
  for (const name of names) files.set(name.replace(folder, ''), `${await shop.remote.git('show', `${branch}:${name}`)}\n`);
  const [[, honest] = []] = factsIn(files, 'records');
  const own = honest?.provider as Fact;
  Object.values(forgeries).forEach((forged, n) => {
    const fact: Fact = { ...honest, line: `record-${n}`, identity: String(n).repeat(64), provider: forged(own, origin) };
    put(files, 'records', fact);
    const { objectId: _o, recordId: _r, owned: _w, ...announced } = fact;
    const intent = {
      line: `intent-${n}`,
      identity: `f${String(n).repeat(63)}`,
      idempotencyKey: null,
      not: [],
      at: '2020-01-01T00:00:00.000Z',
    };
    put(files, 'intents', { ...announced, ...intent });
  });
  put(files, 'records', { ...honest, provider: forgeries['another host']?.(own, origin) });
  await plant(
    shop.remote.dir,
    branch,
    [...files].map(([name, content]) => [`${folder}${name}`, content] as const),
  );
}

it('production in the action sends nothing to a host that only the ledger names, refuses it and says which', async (context) => {
  const thief = await openThief(context);
  const shop = await openShop(context);
  const inputs = { env: 'production', 'approved-by': 'carol' };
  const before = shop.author.main;
  const after = await shop.author.commit('main', { 'release.plan.yaml': plan });
  const first = await shop.run(shop.pushEvent(before, after), { inputs });
  expect([first.code, first.outputs.status], first.log).toEqual([0, 'complete']);
  await forge(shop, thief.origin);

  const pushed = await shop.run(shop.pushEvent(after, after), { inputs });
  expect(thief.heard).toEqual([]);
  const ended = await shop.run(shop.dispatchEvent(), { inputs: { ...inputs, command: 'destroy' } });
  expect(thief.heard).toEqual([]);
  for (const { summary } of [pushed, ended]) expect(plainOf(summary)).toContain('LEDGER_UNSEALED');
  expect([ended.code, ended.isFailed]).toEqual([1, true]);
  const { host } = new URL(thief.origin);
  const said = ended.errors.join('\n');
  for (const n of Object.keys(forgeries).keys()) {
    // The last one keeps the host of the fact, and would have its token made elsewhere.
    const at = n < 3 ? host : '127.0.0.1:';
    for (const line of [`record-${n}`, `intent-${n}`])
      expect(said).toMatch(new RegExp(`${line}: .*at ${at}.*, and no credential of this run sealed it`));
  }
  // What the job made itself is gone.
  expect(shop.added()).toEqual({});
});

/** A summary without what keeps its text from being read as markup. */
const plainOf = (summary: string): string =>
  summary.replaceAll('<wbr>', '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
