import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { pilotfish } from '../cli/program.ts';
import { madeSecrets, standing, whatOthersMade } from '../demo/standing.ts';
import { startTeam, type Team } from '../demo/team.ts';
import { family, planOf } from '../recipes/oven.ts';
import { type Connection, type ConnectOptions, connect, revisions, toCalled } from './connect.ts';

const scope = 'pr-12';

describe('the tool server', () => {
  it('lists its tools with what each takes, gives and does', async (test) => {
    const { server } = await open(test);
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['plan', 'apply', 'destroy', 'list', 'receipt', 'explain', 'catalogue']);
    for (const tool of tools) {
      expect(tool, tool.name).toMatchObject({ title: expect.any(String), description: expect.any(String) });
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
    }
    const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]);
    expect(hints).toEqual([
      ['plan', true, false],
      ['apply', false, true],
      ['destroy', false, true],
      ['list', true, false],
      ['receipt', true, false],
      ['explain', true, false],
      ['catalogue', true, false],
    ]);
    expect(server.client.getInstructions()).toContain('No tool takes a secret');
    const params = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(params.filter((name) => /token|secret|password|credential|approv/i.test(name))).toEqual([]);
  });

  it.for(revisions)('plans, applies, reads what stands and destroys, as the command line does (%s)', async (revision, test) => {
    const { server, team } = await open(test, { revision });
    whatOthersMade(team.world);
    const before = standing(team);

    const planned = await server.call('plan', { scope });
    const printed = await pilotfish(['plan', '--scope', scope, '--json'], { cwd: team.checkout, env: team.env });
    expect(planned.document).toEqual(JSON.parse(printed.stdout));
    expect(planned.isError).toBe(false);
    expect(planned.text).toContain('database');
    expect(standing(team)).toEqual(before);

    const applied = await server.call('apply', { scope, expect: planned.document.digest });
    expect(applied.document).toMatchObject({ ok: true, command: 'apply', status: 'complete' });
    expect(team.world.neon.world.branches().map(({ name }) => name)).toContain('shop-pr-12');

    const again = await server.call('apply', { scope });
    expect(again.document).toMatchObject({ status: 'complete', stats: { writes: 0 } });

    const receipt = await server.call('receipt', { scope });
    expect(receipt.document).toMatchObject({ ok: true, receipt: { status: 'complete', command: 'apply' }, held: false });
    expect(receipt.document.stands?.map(({ line }) => line)).toContain('database');
    expect((await server.call('receipt')).document.scopes).toMatchObject([{ scope }]);
    expect((await server.call('list')).document.scopes).toMatchObject([{ scope, lastRun: { outcome: 'complete' } }]);

    expect((await server.call('plan', { scope, destroy: true })).document.lines?.every(({ verdict }) => verdict !== 'create')).toBe(true);
    const destroyed = await server.call('destroy', { scope });
    expect(destroyed.document).toMatchObject({ ok: true, command: 'apply', status: 'complete' });
    expect(standing(team)).toEqual(before);
    expect((await server.call('receipt', { scope })).document).toMatchObject({ receipt: { command: 'destroy' } });

    const all = server.messages.join('\n') + server.stderr();
    for (const secret of [...team.secrets, ...madeSecrets(team)]) expect(all).not.toContain(secret);
    expect(server.noise).toEqual([]);
  });

  it('tells of its progress to who asks for it, always further, up to the number of lines', async (test) => {
    const { server } = await open(test);
    const steps: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const result = await server.client.callTool(
      { name: 'apply', arguments: { scope } },
      { onprogress: (step) => void steps.push(step), timeout: 110_000 },
    );
    const ids = (toCalled(result).document.lines ?? []).map(({ id }) => id);
    const lines = ids.length;
    expect(lines).toBeGreaterThan(10);
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.every((step, i) => i === 0 || step.progress > (steps[i - 1]?.progress ?? 0))).toBe(true);
    expect(new Set(steps.map(({ total }) => total))).toEqual(new Set([lines]));
    expect(steps.at(-1)?.progress).toBe(lines);
    // Which lines are told of depends on the moment: no more than ten steps a second are sent.
    const named = steps.map(({ message = '' }) => message.split(':')[0] ?? '');
    expect(named.filter((name) => !ids.includes(name))).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(2);
  });

  it('does several calls at once, each for itself', async (test) => {
    const { server } = await open(test);
    const [one, two, error, found] = await Promise.all([
      server.call('plan', { scope }),
      server.call('plan', { scope: 'pr-13' }),
      server.call('explain', { code: 'resource_foreign' }),
      server.call('catalogue', { name: 'neon.branch' }),
    ]);
    expect(one.document).toMatchObject({ ok: true, scope });
    expect(two.document).toMatchObject({ ok: true, scope: 'pr-13' });
    expect(error.document).toMatchObject({ errors: [{ code: 'RESOURCE_FOREIGN', exit: 1 }] });
    expect(found.document).toMatchObject({ operation: { name: 'neon.branch', line: { adapter: 'neon', op: 'branch' } } });
    expect(found.text).toContain('project_id');
  });

  it('finds operations of families that the plan names, as their files are now', async (test) => {
    const { server, team } = await open(test);
    expect((await server.call('catalogue', { name: 'oven.light' })).isError).toBe(true);
    await mkdir(join(team.checkout, 'recipes'));
    await writeFile(join(team.checkout, 'recipes/oven.yaml'), family);
    await writeFile(join(team.checkout, 'release.plan.yaml'), planOf());
    const found = await server.call('catalogue', { name: 'oven.light' });
    expect(found.document).toMatchObject({ operation: { name: 'oven.light', line: { recipe: 'oven.light' } } });
    await writeFile(join(team.checkout, 'recipes/oven.yaml'), family.replace('The light over', 'The lamp over'));
    expect((await server.call('catalogue', { query: 'lamp' })).text).toContain('oven.light (Oven): The lamp over a shelf');
  });

  it('answers a run that could not begin with the document that says why', async (test) => {
    const { server, team } = await open(test, { without: ['NEON_API_KEY'] });
    const { document, isError, text } = await server.call('apply', { scope });
    expect(isError).toBe(true);
    expect(document).toMatchObject({ ok: false, command: 'apply', error: { code: 'CREDENTIAL_MISSING' } });
    expect(text).toContain('NEON_API_KEY');
    expect(team.remote.count.pushes).toBe(1);
  });

  it('speaks of its own params, and of no flag', async (test) => {
    const { server, team } = await open(test);
    const lacking = await server.call('plan');
    expect(lacking.document.error).toMatchObject({ code: 'CTX_NULL', fix: 'Pass `scope` or `pr`.' });
    const planned = await server.call('plan', { scope });
    expect(planned.text).toMatch(/Next: apply with scope: "pr-12" and expect: "[0-9a-f]+"/);
    await writeFile(join(team.checkout, 'release.plan.yaml'), 'version: 1\nchanges: []\n');
    const calls = [
      server.call('apply', { scope, only: ['nothing'] }),
      server.call('apply', { scope, lease_timeout: '999999999h' }),
      server.call('plan', { plan: 'services/none.yaml' }),
      server.call('explain'),
      server.call('plan', { environment: 'production', scope }),
    ];
    for (const { text, document } of [lacking, planned, ...(await Promise.all(calls))]) {
      expect(`${text}\n${JSON.stringify(document)}`).not.toMatch(/--[a-z]/);
    }
  });

  it('refuses what was changed since it was looked at', async (test) => {
    const { server, team } = await open(test);
    const { document } = await server.call('apply', { scope, expect: '0123456789abcdef' });
    expect(document).toMatchObject({ ok: false, error: { code: 'DIGEST_MISMATCH' } });
    expect(team.world.neon.world.branches().map(({ name }) => name)).not.toContain('shop-pr-12');
  });

  it('takes no secret, whether it looks like one or is one, and does not repeat it', async (test) => {
    const { server, team } = await open(test);
    const planted = ['sk_live_4f1d9a7c2b', 'postgres://shop:hunter2hunter2@db.example/shop', team.secrets.at(-1) ?? ''];
    for (const secret of planted) {
      const calls = [
        server.call('plan', { scope: secret }),
        server.call('apply', { scope, only: [secret] }),
        server.call('catalogue', { query: `key ${secret}` }),
        server.call('explain', { [secret]: 'x' }),
      ];
      for (const { document, isError } of await Promise.all(calls)) {
        expect(isError).toBe(true);
        expect(document.error?.code).toBe('SECRET_LITERAL');
      }
    }
    const all = server.messages.join('\n') + server.stderr();
    for (const secret of planted) expect(all).not.toContain(secret);
  });

  it('works in a folder inside its own, and in a root of the client, and nowhere else', async (test) => {
    const elsewhere = await startTeam();
    test.onTestFinished(() => elsewhere.stop());
    for (const revision of revisions) {
      const { server, team } = await open(test, { revision, roots: [elsewhere.checkout] });
      const outside = join(team.checkout, '..');
      const inside = join(team.checkout, 'services');
      await mkdir(inside);
      expect((await server.call('plan', { scope, directory: inside })).document).toMatchObject({ ok: true });
      expect((await server.call('plan', { scope, directory: elsewhere.checkout })).document).toMatchObject({ ok: true });
      for (const params of [{ directory: outside }, { plan: join(outside, 'other.yaml') }, { plan: '../other.yaml' }]) {
        const { document } = await server.call('plan', { scope, ...params });
        expect(document.error).toMatchObject({ code: 'USAGE', detail: expect.stringContaining('lies outside') });
      }
      await server.close();
    }
  });
});

describe('production', () => {
  const plan = `version: 1
providers:
  cloudflare: {}
changes:
  - id: dns
    recipe: cloudflare.dns_cname
    zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0
    name: \${ctx.scope}.preview.acme.example
    target: cname.vercel-dns.com
`;
  const production = { environment: 'production' };
  const names = (team: Team): readonly string[] => team.world.cloudflare.world.records(team.world.seed.zone.id).map(({ name }) => name);
  const made = 'production.preview.acme.example';

  it.for(revisions)('is written when a person says so, whose name the receipt keeps (%s)', async (revision, test) => {
    const asked: string[] = [];
    const { server, team } = await open(test, {
      revision,
      plan,
      person: (message) => {
        asked.push(message);
        return { action: 'accept', content: { name: 'Sam Lee', approve: true } };
      },
    });
    expect((await server.call('apply', production)).document).toMatchObject({ ok: true, status: 'complete' });
    expect(names(team)).toContain(made);
    expect((await server.call('receipt', production)).document.receipt?.approvedBy).toBe('Sam Lee');
    expect((await server.call('destroy', production)).document).toMatchObject({ ok: true, status: 'complete' });
    expect(names(team)).not.toContain(made);
    expect(asked).toEqual([expect.stringContaining('- create dns (cloudflare.dns_cname)'), expect.stringContaining('- delete dns')]);
    expect(asked[0]).toContain('pilotfish apply --env production');
  });

  it.for(revisions)('is left alone when the person says no, closes the form, or gives no name (%s)', async (revision, test) => {
    const answers = [
      { action: 'decline' as const },
      { action: 'cancel' as const },
      { action: 'accept' as const, content: { name: 'Sam', approve: false } },
      { action: 'accept' as const, content: { name: '  ', approve: true } },
    ];
    let next = 0;
    const { server, team } = await open(test, { revision, plan, person: () => answers[next++] ?? { action: 'decline' } });
    for (const _ of answers) {
      const { document, isError } = await server.call('apply', production);
      expect(isError).toBe(true);
      expect(document.error?.code).toBe('ENV_NOT_APPROVED');
      expect(document.error?.fix).toMatch(/^Ask a person to run this apply at the command line in /);
    }
    expect(next).toBe(answers.length);
    expect(names(team)).not.toContain(made);
  });

  it.for(revisions)('is left alone where nobody can be asked, and no param stands in for a person (%s)', async (revision, test) => {
    const { server, team } = await open(test, { revision, plan });
    for (const tool of ['apply', 'destroy']) {
      const { document } = await server.call(tool, production);
      expect(document.error).toMatchObject({ code: 'ENV_NOT_APPROVED', detail: expect.stringContaining('cannot ask a person') });
    }
    for (const name of ['approved_by', 'approved-by', 'approvedBy']) {
      const { document } = await server.call('apply', { ...production, [name]: 'Sam' });
      expect(document.error?.code).toBe('USAGE');
    }
    expect(names(team)).not.toContain(made);
  });

  it('a person approves what is shown: it is not applied when it is something else by then', async (test) => {
    const { server, team } = await open(test, {
      plan,
      person: () => {
        const { zone } = team.world.seed;
        team.world.cloudflare.world.addRecord(zone.id, { type: 'CNAME', name: made, content: 'theirs.example' });
        return { action: 'accept', content: { name: 'Sam', approve: true } };
      },
    });
    const { document } = await server.call('apply', production);
    expect(document.error).toMatchObject({ code: 'DIGEST_MISMATCH', detail: expect.stringContaining('Nothing was written') });
  });

  it('an approval is no answer to another question, and to none twice', async (test) => {
    const { server, team } = await open(test, { plan, revision: '2026-07-28', person: () => ({ action: 'decline' }) });
    const call = async (params: object, more: object): Promise<unknown> =>
      await server.client.request(
        { method: 'tools/call', params: { name: 'apply', arguments: { ...production, ...params }, ...more } },
        { allowInputRequired: true },
      );
    const yes = { approval: { action: 'accept', content: { name: 'Sam', approve: true } } };
    const question = (await call({}, {})) as { requestState: string };
    expect(question.requestState).toEqual(expect.any(String));
    expect(await call({ reconcile: true }, { requestState: question.requestState, inputResponses: yes })).toHaveProperty('inputRequests');
    expect(await call({}, { requestState: question.requestState, inputResponses: yes })).toHaveProperty('inputRequests');
    expect(await call({}, { requestState: 'made up', inputResponses: yes })).toHaveProperty('inputRequests');
    expect(await call({}, { inputResponses: yes })).toHaveProperty('inputRequests');
    expect(names(team)).not.toContain(made);
  });
});

interface Opened {
  readonly team: Team;
  readonly server: Connection;
}

interface Options extends Omit<ConnectOptions, 'cwd' | 'env' | 'roots'> {
  readonly plan?: string;
  readonly without?: readonly string[];
  readonly roots?: readonly string[];
}

async function open(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { plan, without = [], roots, ...o }: Options = {},
): Promise<Opened> {
  const team = await startTeam();
  onTestFinished(() => team.stop());
  if (plan !== undefined) await writeFile(join(team.checkout, 'release.plan.yaml'), plan);
  const env = Object.fromEntries(Object.entries(team.env).filter(([name]) => !without.includes(name)));
  const named = roots?.map((path) => ({ uri: `file://${path}` }));
  const server = await connect({ cwd: team.checkout, env, ...o, ...(named && { roots: named }) });
  onTestFinished(() => server.close());
  return { team, server };
}
