import { delimiter } from 'node:path';
import type { Account } from 'pilotfish-sandbox/accounts/account';
import { accounts } from 'pilotfish-sandbox/accounts/index';
import { github, sentry } from 'pilotfish-sandbox/checks';
import { type Checks, mount, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { root } from '../../scripts/tasks.ts';
import { isMap, type Json, type JsonMap } from '../../src/core/json.ts';
import { Redactor } from '../../src/core/redact.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { type Checked, checkCredential } from '../../src/onboard/setup/check.ts';
import { type ApiNeed, needsOf } from '../../src/onboard/setup/needs.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openPrograms, type Programs } from '../support/programs.ts';

const registry = await openRegistry({ env: {}, cwd: root });
const subjects = await readSubjects(registry);
const clock = new LeapingClock();
const signedIn = 'ya29.signed-in-as-a-person';

/** Providers whose credential one read can prove, with each operation that a line of a plan may name. */
const checked = subjects.flatMap(({ kind, name, adapter, ops }) =>
  adapter.setup?.check || adapter.setup?.check_by
    ? ops.map((op) => ({
        kind,
        name,
        by: adapter.setup?.check_by ?? [],
        op: op.name,
        spelling: op.recipes[0] ?? name,
        example: op.example,
        params: op.op.params,
      }))
    : [],
);

type Row = (typeof checked)[number];

let programs: Programs;
beforeAll(async () => {
  programs = await openPrograms();
});
afterAll(() => programs.close());

/** An account at the provider, and what a plan with one line of the operation needs there. */
async function open(
  { kind, name, op, spelling, example, params }: Row,
  isKnown = true,
  besides: JsonMap = {},
): Promise<{ account: Account; need: ApiNeed }> {
  const openAccount = accounts[name];
  if (!openAccount) throw new Error(`nobody has an account at ${name}`);
  const account = openAccount({ clock, tokens: { full: signedIn }, plan: '', pull: 12 });
  const { base_url, region } = account.values;
  const given = Object.fromEntries(
    Object.entries(account.values)
      .filter(([param]) => Object.hasOwn(params, param))
      .map(([param, value]) => [param, value.replaceAll('"', '')]),
  );
  const line: JsonMap = {
    id: 'line',
    ...(kind === 'adapter' ? { adapter: name, op } : { recipe: spelling }),
    ...(isKnown ? { ...withoutReferences(example), ...given, ...besides } : {}),
  };
  const block = { ...(base_url !== undefined && { base_url }), ...(region !== undefined && { region }) };
  const providers =
    Object.keys(block).length === 0 ? {} : { providers: kind === 'adapter' ? { [name]: block } : { http: { [name]: block } } };
  const text = stringify({ version: 1, ...providers, changes: [line] });
  const { apis } = await needsOf(text, { path: '/r/release.plan.yaml', display: 'release.plan.yaml', registry, env: account.credentials });
  const [need] = apis;
  if (!need) throw new Error(`${name}.${op} needs no API`);
  return { account, need };
}

/** What another line makes is not known before it runs. */
const made = new Set(['happy-otter-123', 'shop-pr-12']);
const withoutReferences = (example: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(example).filter(([, value]: readonly [string, Json]) =>
      isMap(value) ? !Object.hasOwn(value, 'from') : typeof value !== 'string' || !made.has(value),
    ),
  );

/** Checks the credential with this token in the place of the right one. */
async function check({ account, need }: Awaited<ReturnType<typeof open>>, token: string): Promise<Checked> {
  const { simulation } = account;
  const env = Object.fromEntries(
    Object.entries(account.credentials).map(([name, value]) => [name, value === simulation.tokens.full ? token : value]),
  );
  const isSignedIn = Object.keys(account.credentials).length === 0;
  for (const [program, asked] of isSignedIn
    ? ([
        ['gcloud', 'auth print-access-token'],
        ['az', 'account get-access-token --query accessToken -o tsv'],
      ] as const)
    : [])
    await programs.add(program, `args.join(' ') === '${asked}' ? out('${token}\\n') : fail(2, 'unknown');`);
  const found = await checkCredential(need, world(env, account));
  verifyHandled([simulation]);
  return found;
}

const world = (env: Readonly<Record<string, string>>, { simulation }: Account) => ({
  env: { ...env, PATH: `${programs.PATH}${delimiter}${process.env.PATH}` },
  redactor: new Redactor(),
  signal: new AbortController().signal,
  clock,
  dispatcher: mount([simulation]),
});

const wrong = 'wrong-token-0123456789';

it('every provider whose credential a read can prove is here', () => {
  expect(new Set(checked.map(({ name }) => name)).size).toBeGreaterThanOrEqual(47);
});

describe.each(checked)('$name, for a line of $op', (row) => {
  it('takes the right credential, with what the line says and, where one read fits every line, without', async () => {
    const line = await open(row);
    if (line.need.check) expect(await check(line, line.account.simulation.tokens.full)).toMatchObject({ status: 'works' });
    const general = await open(row, false);
    if (general.need.check) expect(await check(general, general.account.simulation.tokens.full)).toMatchObject({ status: 'works' });
  });

  it('refuses a wrong one, or says why the answer proves nothing', async () => {
    for (const isKnown of [true, false]) {
      const one = await open(row, isKnown);
      if (!one.need.check) continue;
      const found = await check(one, wrong);
      expect(found.status).toBe(one.need.check.refuses === null ? 'unauthorized' : 'unchecked');
      if (one.need.check.refuses !== null) expect(found).toMatchObject({ problem: expect.stringContaining(one.need.check.refuses) });
    }
  });

  it('refuses one that may not see what the line stands in', async () => {
    const line = await open(row);
    const request = line.need.check?.request;
    const isOfLine = request && row.by.some(({ path }) => path.includes('{') && path.split('/').length === request.path.split('/').length);
    if (line.need.check?.kind !== 'line' || !isOfLine) return;
    expect((await check(line, line.account.simulation.tokens.blind)).status).not.toBe('works');
  });

  it('sends nothing without one', async () => {
    const { account, need } = await open(row);
    if (Object.keys(account.credentials).length === 0) return;
    expect((await checkCredential(need, world({}, account))).status).toBe('refused');
    expect(account.simulation.log).toEqual([]);
  });
});

/** Of each provider one line: its block is the same for all. */
const refusing = [...new Map(checked.map((row) => [row.name, row])).values()].flatMap((row) => {
  const [prefix] =
    subjects.find(({ name, kind }) => name === row.name && kind === row.kind)?.adapter.provider.refuse_credential?.prefixes ?? [];
  return prefix === undefined ? [] : [{ ...row, prefix }];
});

it.each(refusing)('a credential of $name that begins with $prefix is refused, and nothing is sent', async ({ prefix, ...row }) => {
  const line = await open(row);
  expect(await check(line, `${prefix}0123456789abcdef`)).toMatchObject({ status: 'refused', problem: expect.stringContaining(prefix) });
  expect(line.account.simulation.log).toEqual([]);
});

/** What an accepted or refused read is worth for credentials of further kinds: with what the line says, and without. */
const kinds: readonly (readonly [name: string, op: string, kind: string, line: Checked['status'], general: Checked['status']])[] = [
  ['posthog', 'release_condition', 'flagsOnly', 'works', 'unchecked'],
  ['posthog', 'release_condition', 'noFlags', 'unauthorized', 'works'],
  ['cloudflare', 'pages_env', 'ofAccount', 'works', 'unchecked'],
  ['cloudflare', 'pages_env', 'otherZone', 'unauthorized', 'works'],
  ['cloudflare', 'dns_cname', 'ofAccount', 'works', 'unchecked'],
  ['cloudflare', 'dns_cname', 'otherZone', 'unauthorized', 'works'],
  ['vercel', 'env', 'ofProject', 'works', 'unchecked'],
  ['vercel', 'env', 'otherProject', 'unauthorized', 'works'],
  ['vercel', 'project_domain', 'ofProject', 'works', 'unchecked'],
  ['neon', 'branch', 'ofProject', 'works', 'unchecked'],
  ['neon', 'branch', 'ofPerson', 'works', 'unchecked'],
  ['render', 'env_var', 'variablesOnly', 'works', 'unchecked'],
  ['render', 'env_var', 'noVariables', 'unauthorized', 'works'],
  ['sentry', 'release', 'ofOrganization', 'unauthorized', 'unauthorized'],
  ['sentry', 'release', 'readOnly', 'unauthorized', 'unauthorized'],
  ['github', 'repo_webhook', 'noHooks', 'unauthorized', 'works'],
  ['heroku', 'config_var', 'identity', 'unauthorized', 'unauthorized'],
  ['honeycomb', 'marker', 'ingest', 'unauthorized', 'unauthorized'],
  ['launchdarkly', 'flag_target', 'sdk', 'unauthorized', 'works'],
  ['okta', 'redirect_uri', 'helpDesk', 'unauthorized', 'works'],
  ['okta', 'trusted_origin', 'helpDesk', 'unauthorized', 'unauthorized'],
  ['planetscale', 'branch', 'noAccess', 'unauthorized', 'works'],
  ['resend', 'api_key', 'sending', 'unauthorized', 'unauthorized'],
  ['stripe', 'webhook_endpoint', 'noEndpoints', 'unauthorized', 'unauthorized'],
  ['stripe', 'price', 'noEndpoints', 'works', 'works'],
  ['supabase', 'branch', 'branchesOnly', 'works', 'unchecked'],
  ['supabase', 'branch', 'projectsOnly', 'unauthorized', 'works'],
  ['turso', 'database_branch', 'otherOrganization', 'unauthorized', 'works'],
  ['unleash', 'flag_strategy', 'client', 'unauthorized', 'unauthorized'],
];

describe('a credential of another kind', () => {
  it.each(kinds)('%s.%s: %s is %s by the line, %s without', async (name, op, kind, byLine, general) => {
    const row = checked.find((one) => one.name === name && one.op === op);
    if (!row) throw new Error(`${name}.${op} has no check`);
    const found = await Promise.all(
      [true, false].map(async (isKnown) => {
        const one = await open(row, isKnown);
        const { tokens, others } = one.account.simulation;
        const token = kind === 'readOnly' ? tokens.readOnly : others[kind];
        if (token === undefined) throw new Error(`${name} knows no ${kind}`);
        return (await check(one, token)).status;
      }),
    );
    expect(found).toEqual([byLine, general]);
  });

  it('every kind that a simulation knows is tried', async () => {
    const known = await Promise.all(
      checked.map(async (row) => Object.keys((await open(row)).account.simulation.others).map((kind) => `${row.name} ${kind}`)),
    );
    const tried = new Set(kinds.map(([name, , kind]) => `${name} ${kind}`));
    expect(known.flat().filter((one) => !tried.has(one) && one !== 'heroku read')).toEqual([]);
  });

  it('a token of Heroku that lists apps and may read no config var is told apart where the app is there whatever the scope', async () => {
    const row = checked.find(({ name }) => name === 'heroku') as Row;
    const ofOne = await open(row, true, { app: 'tickets-pr-12' });
    expect((await check(ofOne, ofOne.account.simulation.others.read ?? '')).status).toBe('unauthorized');
    const ofEach = await open(row);
    expect((await check(ofEach, ofEach.account.simulation.others.read ?? '')).status).toBe('works');
  });

  it('a key of Healthchecks that may only read shows itself by its first check, and by nothing where there is none', async () => {
    const row = checked.find(({ name }) => name === 'healthchecks');
    if (!row) throw new Error('healthchecks has no check');
    const empty = await open(row);
    expect(await check(empty, empty.account.simulation.tokens.readOnly)).toMatchObject({
      status: 'works',
      unproven: expect.stringContaining('no check yet'),
    });
    const full = await open(row);
    await full.account.simulation.handle(
      new Request(`${full.account.simulation.origin}/api/v3/checks/`, {
        method: 'POST',
        headers: { 'x-api-key': full.account.simulation.tokens.full, 'content-type': 'application/json' },
        body: '{"name":"nightly"}',
      }),
    );
    expect(await check(full, full.account.simulation.tokens.readOnly)).toEqual({
      status: 'unauthorized',
      problem: 'unauthorized: healthchecks: GET /checks/ -> 200: The key may only read.',
    });
  });

  it('GitHub and Sentry answer nobody at all as they answer somebody, so their status alone proves nothing', () => {
    for (const [answers, path] of [
      [github.answers, '/rate_limit'],
      [sentry.answers, '/api/0/'],
    ] as const)
      expect(['missing', 'full', 'wrong'].map((kind) => answers?.[path]?.(kind, nobody)?.status ?? 401)).toEqual([200, 200, 401]);
  });
});

/** Neither looks at anything but the kind of credential. */
const nobody = { headers: new Headers() } as Parameters<NonNullable<Checks['answers']>[string]>[1];
