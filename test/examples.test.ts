import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { clerk as simulateClerk } from 'pilotfish-sandbox/clerk';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import type { vercel as simulateVercel } from 'pilotfish-sandbox/vercel/index';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Failures } from '../src/core/errors.ts';
import { expectContracts } from './contracts/expect.ts';
import { companies } from './support/companies.ts';
import { LeapingClock } from './support/leaping-clock.ts';
import { openPrograms } from './support/programs.ts';
import { openStage, type Stage } from './support/stage.ts';

const folder = join(import.meta.dirname, '../examples');
const entries = await readdir(folder, { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
const examples = folders.filter((name) => existsSync(join(folder, name, 'release.plan.yaml')));

/** The example's plan in an empty folder, and a company that has every account. */
async function openExample(name: string) {
  const clock = new LeapingClock();
  const company = companies[name]?.(clock);
  if (!company) throw new Error(`nobody has the accounts of examples/${name}`);
  const plan = await readFile(join(folder, name, 'release.plan.yaml'), 'utf8');
  const secrets = [...plan.matchAll(/env:\/\/(\w+)/g)].map((match) => [match[1], 'a-long-random-text-0123'] as const);
  const variables: Readonly<Record<string, string>> = { ...company.credentials, ...Object.fromEntries(secrets) };
  const signedIn = company.signedIn === undefined ? {} : { PATH: await pathWithGcloud(company.signedIn) };
  const stage = await openStage({
    simulations: company.simulations,
    env: { ...variables, ...company.addresses, ...signedIn },
    plan,
    clock,
  });
  onTestFinished(() => stage.close());
  return { stage, company, variables: Object.keys(variables) };
}

/** A program that answers as the CLI of Google Cloud does, where somebody is signed in or (`null`) nobody is. */
async function pathWithGcloud(token: string | null): Promise<string> {
  const programs = await openPrograms();
  onTestFinished(() => programs.close());
  const answer = token === null ? `fail(1, 'You do not currently have an active account selected.')` : `out('${token}\\n')`;
  await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? ${answer} : fail(2, 'unknown');`);
  return `${programs.PATH}${delimiter}${process.env.PATH}`;
}

/** Pull request 12, as its number and its scope. */
const pull = { pr: 12 };
const tokenRequests = (path: string): boolean => path.endsWith('/oauth/token');

describe.each(examples)('examples/%s', (name) => {
  it('has a plan without a refused or failed line, and planning it writes nothing', async () => {
    const { stage, company } = await openExample(name);
    const document = await stage.plan(pull);
    expect(document.lines.length).toBeGreaterThan(0);
    expect(document.lines.filter(({ verdict, error }) => error !== undefined || verdict === 'refused' || verdict === 'failed')).toEqual([]);
    expect(document).toMatchObject({ ok: true, warnings: [], orphans: [] });
    expect(company.simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !tokenRequests(path))).toEqual([]);
    verifyHandled(company.simulations);
  });

  // The demo applies its own example, with the deployments that it waits for.
  it.skipIf(name === 'preview')('is applied whole, a second time without a write, and taken away without a trace', async () => {
    const { stage, company } = await openExample(name);
    const writes = () => company.simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !tokenRequests(path)).length;
    const remains = company.remains ?? (() => company.simulations.map((simulation) => simulation.dump()));
    const untouched = structuredClone(remains());
    expect(await stage.apply(pull)).toMatchObject({ ok: true, status: 'complete', warnings: [] });
    const before = writes();
    expect(before).toBeGreaterThan(0);
    expect((await stage.apply(pull)).lines.map(({ verdict }) => verdict)).toEqual((await stage.plan(pull)).lines.map(() => 'none'));
    expect(writes()).toBe(before);
    expect(await stage.destroy(pull)).toMatchObject({ ok: true, status: 'complete' });
    expect((await stage.ledger()).records.size).toBe(0);
    expect(remains()).toEqual(untouched);
    verifyHandled(company.simulations);
    expectContracts(company.simulations);
  });

  it('has a README that names every variable and program which a run asks for', async () => {
    const { stage, company, variables } = await openExample(name);
    const readme = await readFile(join(folder, name, 'README.md'), 'utf8');
    const unset = Object.fromEntries(variables.map((variable) => [variable, '']));
    const signedOut = company.signedIn === undefined ? {} : { PATH: await pathWithGcloud(null) };
    const refusals = await refusalsOf(stage.plan({ ...pull, env: { ...unset, ...signedOut } }));
    const asked = [...variables, 'gcloud'].filter((one) => refusals.some((detail) => detail.split(/\W+/).includes(one)));
    expect(asked.length).toBeGreaterThanOrEqual(refusals.length);
    expect(asked.filter((one) => !new RegExp(`\`${one}\\b`).test(readme))).toEqual([]);
  });
});

it('every folder of examples has a plan but ci, whose templates are for any', () => {
  expect(folders.filter((name) => !examples.includes(name))).toEqual(['ci']);
});

it('examples/nextjs-vercel lets sign-in come back to the deployment of the next commit, and no longer to the one before', async () => {
  const { stage, company } = await openExample('nextjs-vercel');
  const [clerk, vercel] = ['clerk', 'vercel'].map((name) => company.simulations.find((one) => one.name === name));
  const pushed = vercel as ReturnType<typeof simulateVercel>;
  const allowed = () => (clerk as ReturnType<typeof simulateClerk>).world.state.urls.map(({ url }) => url);
  await stage.apply(pull);
  const [theirs, first] = allowed();
  expect(first).toMatch(/^https:\/\/shop-\w+.*\/sso-callback$/);
  pushed.world.push('feature', '2'.repeat(40));
  expect(await stage.apply({ ...pull, sha: '2'.repeat(40) })).toMatchObject({ ok: true, status: 'complete' });
  expect(allowed()).toEqual([theirs, expect.stringMatching(/\/sso-callback$/)]);
  expect(allowed()).not.toContain(first);
});

it('a credential that is not set is told at the first line that needs it, with what it must hold and where it is made', async () => {
  const { stage, variables } = await openExample('nextjs-vercel');
  const run = stage.plan({ ...pull, env: Object.fromEntries(variables.map((variable) => [variable, ''])) });
  const refused = await run.catch((error: unknown) => error);
  const told = refused instanceof Failures ? refused.failures.map((failure) => failure.toData()) : [];
  expect(told.map(({ code, place }) => `${code} ${place}`)).toEqual([
    'CREDENTIAL_MISSING release.plan.yaml:6:9',
    'CREDENTIAL_MISSING release.plan.yaml:13:9',
    'CREDENTIAL_MISSING release.plan.yaml:38:9',
    'CREDENTIAL_MISSING release.plan.yaml:63:9',
  ]);
  expect(told[1]?.fix).toBe(
    'Set VERCEL_TOKEN. What it needs, and no more: An access token of the project, or of the team that owns it. It is made at https://vercel.com/account/settings/tokens',
  );
});

const nowhere: readonly (readonly [example: string, fix: string, place: string, written: string, misspelt: string])[] = [
  ['nextjs-vercel', 'Check project_id in the plan', '9:17', 'quiet-river-12345678', 'loud-river-12345678'],
  ['nextjs-vercel', 'Check project in the plan', '16:14', 'project: shop', 'project: shopp'],
  ['netlify', 'Check project_key, flag_key and environment_key in the plan', '44:9', 'flag_key: checkout-v2', 'flag_key: checkout'],
  ['cloudflare-pages', 'Check account_id and project_name in the plan', '14:9', 'project_name: shop', 'project_name: shopp'],
  ['cloud-run', 'Check project, location and service in the plan', '6:9', 'service: shop-previews', 'service: shop'],
];

it.each(nowhere)('examples/%s with a name of nothing is told in the plan already: %s', async (name, fix, place, written, misspelt) => {
  const { stage } = await openExample(name);
  await stage.write((await readFile(join(folder, name, 'release.plan.yaml'), 'utf8')).replace(written, misspelt));
  const { lines } = await stage.plan(pull);
  const errors = lines.flatMap(({ error }) => (error ? [error] : []));
  expect(errors).toMatchObject([{ code: 'PROVIDER_NOT_FOUND', place: `release.plan.yaml:${place}`, fix: expect.stringContaining(fix) }]);
});

/** What a run says is missing: all at once before the first request, or line by line where only a program can tell. */
async function refusalsOf(run: ReturnType<Stage['plan']>): Promise<readonly string[]> {
  const ended = await run.catch((error: unknown) => error);
  if (ended instanceof Failures) return ended.failures.map(({ detail }) => detail);
  const { lines } = await run;
  return lines.flatMap(({ error }) => (error ? [error.detail] : []));
}
