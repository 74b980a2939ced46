import { afterEach, describe, expect, it } from 'vitest';
import { runPlan } from '../../src/engine/run.ts';
import { listScopes } from '../../src/engine/stands/list.ts';
import { showScope } from '../../src/engine/stands/show.ts';
import { factText, toText } from '../../src/ledger/model/file-text.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { type Fact, factsIn } from '../attacks/forger.ts';
import { commandLine } from '../support/command-line.ts';
import { noToken, openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(() => pulls.close());

const branchOf = (scope: string): string => receiptsBranch('preview', scope);

async function previews(numbers: readonly number[], plan = planOf(lines.dns, lines.alias)): Promise<void> {
  pulls = await openPulls(plan);
  for (const number of numbers) {
    pulls.pulls.world.open(number, shaA, `feature-${number}`);
    expect((await pulls.apply(pulls.asked(await pulls.pullEvent('opened', {}, number), { pr: number }))).status).toBe('complete');
    await pulls.later();
  }
}

const asked = (env: NodeJS.ProcessEnv = {}) => {
  const { cwd, plan, environment, env: own } = pulls.request({ env: { GITHUB_REPOSITORY: 'acme/shop', ...env } });
  return { cwd, plan, environment, env: own };
};
const world = () => ({ dispatcher: pulls.dispatcher, store: pulls.store(), clock: pulls.clock, repository: null });
const list = (env: NodeJS.ProcessEnv = {}) => listScopes(asked(env), world());
const show = (scope: string) => showScope({ ...asked(), scope }, world());

/** Puts a file into the ledger of a scope, as anybody who may push can. */
async function put(scope: string, file: string, text: string): Promise<void> {
  const store: Store = pulls.store();
  await store.append(branchOf(scope), new Map([[file, text]]), await store.head(branchOf(scope)), 'by hand');
}

/** Changes the one record of a scope, as anybody who may push and knows the format can. */
async function forge(scope: string, change: (old: Fact) => object): Promise<void> {
  const files = (await pulls.store().read(branchOf(scope)))?.files ?? new Map<string, string>();
  const [[file, old] = ['', {}]] = factsIn(files, 'records');
  await put(scope, file, factText({ ...old, ...change(old) }));
}

describe('list', () => {
  it('tells each scope, the oldest first, and asks no provider and the host for one page', async () => {
    await previews([11, 12, 13]);
    await pulls.apply({ scope: 'ann' });
    pulls.pulls.world.close(12);
    const seen = pulls.watch();
    const doc = await list();
    expect(doc.scopes.map(({ scope, pulls: of, lineCount, objectCount }) => [scope, of.state, of.numbers, lineCount, objectCount])).toEqual(
      [
        ['pr-11', 'open', [11], 2, 2],
        ['pr-12', 'closed', [12], 2, 2],
        ['pr-13', 'open', [13], 2, 2],
        ['ann', 'none', [], 2, 2],
      ],
    );
    expect(doc.scopes[0]).toMatchObject({ lastRun: { outcome: 'complete' }, lease: null, leftovers: { unfinished: 0, superseded: 0 } });
    expect(seen.all().map(({ path }) => path.split('?')[0])).toEqual(['/repos/acme/shop/pulls']);
    expect(doc.stats.requests).toBe(1);
  });

  describe('a scope of another repository', () => {
    /** The receipts of a parent come with a fork: its facts name the parent, in whose numbering 11 is something else. */
    async function ofParent(): Promise<void> {
      await previews([11, 12]);
      const files = (await pulls.store().read(branchOf('pr-11')))?.files ?? new Map<string, string>();
      const history = files.get('history.jsonl') ?? '';
      await put('pr-11', 'history.jsonl', history.replaceAll('"repository":"memory"', '"repository":"parent/shop"'));
    }
    const states = (doc: Awaited<ReturnType<typeof list>>) => doc.scopes.map(({ scope, pulls: of }) => [scope, of.state]);

    it('does not show the state of our pull request of that number', async () => {
      await ofParent();
      const doc = await list();
      expect(states(doc)).toEqual([
        ['pr-11', 'other repository'],
        ['pr-12', 'open'],
      ]);
      expect((await show('pr-11')).pulls.state).toBe('other repository');
      expect((await commandLine(pulls, ['list'])).stdout).toContain('#11 other repository');
    });

    it('is ours where the host leads from its name to this repository', async () => {
      await ofParent();
      pulls.pulls.world.hadName('parent/shop');
      expect(states(await list())[0]).toEqual(['pr-11', 'open']);
    });

    it('is left open where the host does not tell, and that hides no other scope', async () => {
      await ofParent();
      pulls.pulls.faults.times(100, 'GET /repos/parent/shop/pulls/11', 403, {});
      expect(states(await list())).toEqual([
        ['pr-11', 'not asked'],
        ['pr-12', 'open'],
      ]);
    });
  });

  it('works without a token: the pull requests are not asked for, and it says why once', async () => {
    await previews([11]);
    const doc = await list(noToken);
    expect(doc.notAsked).toContain('GITHUB_TOKEN is not set');
    expect(doc.scopes[0]?.pulls).toEqual({ numbers: [11], state: 'not asked' });
  });

  it('works where the code host cannot be reached', async () => {
    await previews([11]);
    pulls.pulls.faults.times(100, 'GET /repos/acme/shop/pulls', 500, {});
    const doc = await list();
    expect(doc).toMatchObject({ ok: true, notAsked: expect.stringContaining('did not tell') });
    expect(doc.scopes[0]?.pulls.state).toBe('not asked');
  });

  it('shows a damaged and a newer ledger as rows with their errors, and ends with 0', async () => {
    await previews([11, 12, 13]);
    await put('pr-11', 'receipt.json', '{');
    await put('pr-12', 'receipt.json', toText({ v: 99 }));
    const { code, stdout } = await commandLine(pulls, ['list', '--json']);
    const doc = JSON.parse(stdout) as Awaited<ReturnType<typeof list>>;
    expect(code).toBe(0);
    expect(doc.scopes.map(({ scope, error }) => [scope, error?.code])).toEqual([
      ['pr-13', undefined],
      ['pr-11', 'LEDGER_CORRUPT'],
      ['pr-12', 'LEDGER_VERSION'],
    ]);
  });

  it('fails where no ledger can be read', async () => {
    await previews([11]);
    await put('pr-11', 'receipt.json', '{');
    const { code, stdout } = await commandLine(pulls, ['list', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'LEDGER_CORRUPT' }, scopes: [{ scope: 'pr-11' }] });
  });

  it('tells the lease of a run, since when and until when', async () => {
    await previews([11]);
    const at = '2026-01-01T00:00:00.000Z';
    const lease = { v: 1, holder: 'ci/7', run: 'r7', durationMs: 120_000, deadlineMs: 30_000, renewal: 0, released: null, at };
    await put('pr-11', 'lease.json', toText(lease));
    expect((await list()).scopes[0]?.lease).toEqual({ holder: 'ci/7', run: 'r7', since: at, until: '2026-01-01T00:02:30.000Z' });
  });

  it('names a scope that is too long for its branch from its first push on, by its lease', async () => {
    await previews([]);
    const scope = `feature-${'x'.repeat(300)}`;
    const lease = { v: 1, holder: 'ci/7', run: 'r7', durationMs: 120_000, deadlineMs: 30_000, renewal: 0, released: null };
    const of = { scope, plan: null };
    await put(scope, 'lease.json', toText({ ...lease, at: '2026-01-01T00:00:00.000Z', of }));
    expect((await list()).scopes.map((row) => row.scope)).toEqual([scope]);
    // The branch is a hash of the name, so a name of another branch is not believed.
    await put(scope, 'lease.json', toText({ ...lease, at: '2026-01-01T00:00:00.000Z', of: { ...of, scope: `${scope}y` } }));
    expect((await list()).scopes.map((row) => row.scope)).toEqual([null]);
  });

  it('tells the end of a scope whose plan gives it a lifetime', async () => {
    await previews([11], `lifetime: { idle: 14d }\n${planOf(lines.dns)}`);
    const [row] = (await list()).scopes;
    expect(Date.parse(row?.expires ?? '') - Date.parse(row?.lastRun?.at ?? '')).toBeCloseTo(14 * 86_400_000, -6);
    expect((await show('pr-11')).expires).toBe(row?.expires);
    expect((await commandLine(pulls, ['list'])).stdout).toMatch(/Stays until \d{4}-\d\d-\d\d/);
  });

  it('tells the scopes of the plan at hand alone, and without a plan those of all plans', async () => {
    await previews([11], `name: other\n${planOf(lines.dns)}`);
    await pulls.write(planOf(lines.dns));
    await pulls.apply({ scope: 'ann' });
    expect((await list()).scopes.map(({ scope }) => scope)).toEqual(['ann']);
    const doc = await listScopes({ ...asked(), plan: 'nowhere.yaml' }, world());
    expect(doc.scopes.map(({ scope, plan }) => [scope, plan])).toEqual([
      ['pr-11', 'other'],
      ['ann', null],
    ]);
  });

  it('masks a secret that a ledger holds', async () => {
    await previews([11]);
    const at = '2026-01-01T00:00:00.000Z';
    const secret = pulls.request().env.CLOUDFLARE_API_TOKEN ?? '';
    await put(
      'pr-11',
      'lease.json',
      toText({ v: 1, holder: secret, run: 'r', durationMs: 1_000, deadlineMs: 1, renewal: 0, released: null, at }),
    );
    expect(secret.length).toBeGreaterThan(5);
    for (const argv of [['list'], ['list', '--json'], ['show', 'pr-11'], ['list', '--html', 'page.html']]) {
      expect((await commandLine(pulls, argv)).stdout).not.toContain(secret);
    }
    expect(await pulls.bytes().then((all) => all.split('<!doctype html>')[1] ?? '')).not.toContain(secret);
  });
});

describe('show', () => {
  it('tells objects, runs and notes of one scope, and asks no provider', async () => {
    await previews([11]);
    await pulls.apply(pulls.asked(await pulls.pullEvent('synchronize', {}, 11), { pr: 11 }));
    const seen = pulls.watch();
    const doc = await show('pr-11');
    expect(doc.objects.map(({ line, state, destroy, owned }) => [line, state, destroy, owned])).toEqual([
      ['alias', 'stands', 'delete', true],
      ['dns', 'stands', 'delete', true],
    ]);
    expect(doc.runs.map(({ outcome }) => outcome)).toEqual(['complete', 'complete']);
    expect(doc.runs.every(({ ms }) => typeof ms === 'number') || doc.runs[0]?.ms !== undefined).toBe(true);
    expect(doc).toMatchObject({ pulls: { state: 'open' }, gone: [], unfinished: [], notes: [] });
    expect(seen.all().map(({ path }) => path.split('?')[0])).toEqual(['/repos/acme/shop/pulls']);
  });

  it('links each object in the console of its provider, where its operation knows the page', async () => {
    await previews([11], planOf(lines.payments, lines.dns));
    const links = (await show('pr-11')).objects.map(({ line, objectId, console: link }) => [line, link?.replace(objectId, '<id>')]);
    expect(links).toEqual([
      ['dns', undefined],
      ['payments', 'https://dashboard.stripe.com/test/webhooks/<id>'],
    ]);
    const { stdout } = await commandLine(pulls, ['show', 'pr-11']);
    expect(stdout).toMatch(/^ {6}https:\/\/dashboard\.stripe\.com\/test\/webhooks\/we_\w+$/m);
  });

  it.each([
    ['another address of the API', (old: Fact) => ({ provider: { ...(old.provider as object), base_url: 'https://stripe.evil.example' } })],
    ['an unknown operation', () => ({ recipe: 'stripe.constructor' })],
    ['an unknown recipe', () => ({ recipe: '__proto__.toString' })],
    ['an unknown adapter', () => ({ recipe: null, adapter: 'constructor', op: 'toString' })],
    ['an operation of a name that every object has', () => ({ recipe: null, adapter: 'neon', op: 'constructor' })],
    ['a key that its operation never gives', () => ({ recipe: 'github.repo_webhook' })],
  ])('gives a forged record with %s no link', async (_, change) => {
    await previews([11], planOf(lines.payments));
    await forge('pr-11', change);
    expect((await show('pr-11')).objects.map((one) => one.console)).toEqual([undefined]);
  });

  it('leads to the host of the operation, whatever a forged record says', async () => {
    await previews([11], planOf(lines.payments));
    await forge('pr-11', () => ({ objectId: '@evil.example/\u001b]8;;x' }));
    const link = 'https://dashboard.stripe.com/test/webhooks/%40evil.example%2F%1B%5D8%3B%3Bx';
    expect((await show('pr-11')).objects.map((one) => one.console)).toEqual([link]);
    expect((await commandLine(pulls, ['show', 'pr-11'])).stdout).toContain(`      ${link}\n`);
  });

  it('names a line that has left the plan, and says nothing of that without a plan', async () => {
    await previews([11]);
    await pulls.write(planOf(lines.dns));
    expect((await show('pr-11')).gone).toEqual(['alias']);
    expect((await showScope({ ...asked(), plan: 'nowhere.yaml', scope: 'pr-11' }, world())).gone).toBeNull();
  });

  it('refuses an unknown scope with the nearest names, and exit code 2', async () => {
    await previews([11, 12]);
    const { code, stderr } = await commandLine(pulls, ['show', 'pr-1l']);
    expect(code).toBe(2);
    expect(stderr).toContain('preview has no scope "pr-1l". Did you mean "pr-11" or "pr-12"?');
    expect(stderr).toContain('`pilotfish list`');
  });
});

describe('a plan without a scope', () => {
  it('says what scopes there are', async () => {
    await previews([11, 12]);
    const { code, stderr } = await commandLine(pulls, ['plan']);
    expect(code).toBe(2);
    expect(stderr).toContain('This run has no scope');
    expect(stderr).toContain('preview has the scopes pr-11, pr-12; `pilotfish list` shows what each has.');
    expect((await commandLine(pulls, ['plan', '--destroy'])).stderr).toContain('preview has the scopes pr-11, pr-12');
  });

  it('fails for its own reason where the ledger cannot be read', async () => {
    await previews([11]);
    const store = { ...pulls.store(), list: () => Promise.reject(new Error('the ledger is broken')) };
    const failed = await runPlan(pulls.request({ scope: null }), { ...world(), store }).catch((thrown: unknown) => String(thrown));
    expect(failed).toContain('CTX_NULL: This run has no scope');
    expect(failed).not.toContain('broken');
    expect(failed).not.toContain('pr-11');
  });
});
