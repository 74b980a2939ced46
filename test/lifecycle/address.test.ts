import { type CloudflareWorld, cloudflare } from 'pilotfish-sandbox/cloudflare';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type NetlifyWorld, netlify } from 'pilotfish-sandbox/netlify/index';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { type VercelWorld, vercel } from 'pilotfish-sandbox/vercel/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

/*
 * A webhook needs the address of the preview, and the build needs the secret of the webhook. So the address comes from the rule of the
 * host, and the line that waits for the build holds it against the deployment.
 */

const sha = '1'.repeat(40);
const branch = 'feat/checkout';
const key = 'STRIPE_WEBHOOK_SECRET';
const account = '023e105f4ecef8ad9ca31a8372d0c353';

interface Host {
  readonly token: string;
  readonly simulation: Simulation;
  readonly guess: string;
  readonly lines: { readonly address: object; readonly variable: object; readonly preview: object };
  /** A push: the host builds what it sees now. */
  push(): void;
  /** The variables of the last build. */
  built(): Readonly<Record<string, string>> | undefined;
  /** The rule does not hold, such as where somebody else has the name. */
  take(): void;
  variables(): number;
}

function onVercel(clock: LeapingClock): Host {
  const simulation: Simulation<VercelWorld> = vercel({ clock });
  const { world } = simulation;
  return {
    token: 'VERCEL_TOKEN',
    simulation,
    guess: 'shop-git-feat-checkout-acme.vercel.app',
    lines: {
      address: { adapter: 'vercel', op: 'address', project: 'shop', team: 'acme' },
      variable: { adapter: 'vercel', op: 'env', project: 'shop', key, git_branch: branch },
      preview: { adapter: 'vercel', op: 'deploy', project: 'shop' },
    },
    push: () => void world.push(branch, sha),
    built: () => world.deployments().at(-1)?.env,
    take: () => void world.state.takenAliases.push('shop-git-feat-checkout-acme.vercel.app'),
    variables: () => world.project().env.length,
  };
}

function onNetlify(clock: LeapingClock): Host {
  const simulation: Simulation<NetlifyWorld> = netlify({ clock });
  const { world } = simulation;
  const site = world.addSite('acme', 'site-1', { name: 'shop' });
  return {
    token: 'NETLIFY_AUTH_TOKEN',
    simulation,
    guess: 'deploy-preview-12--shop.netlify.app',
    lines: {
      address: { adapter: 'netlify', op: 'address', site_id: 'site-1', pull_request: '${ctx.pr.number}' },
      variable: { adapter: 'netlify', op: 'env', account_id: 'acme', site_id: 'site-1', key, context_parameter: branch, secret: true },
      preview: { adapter: 'netlify', op: 'deploy', site_id: 'site-1' },
    },
    push: () => void world.deploy('site-1', { context: 'deploy-preview', branch, commit_ref: sha, review_id: 12 }),
    built: () => site.deploys.at(-1)?.env,
    take: () => void site.taken.push('deploy-preview-12'),
    variables: () => site.variables.length,
  };
}

function onPages(clock: LeapingClock): Host {
  const simulation: Simulation<CloudflareWorld> = cloudflare({ clock });
  const { world } = simulation;
  const names = { account_id: account, project_name: 'shop' };
  const project = world.addPages(account, 'shop');
  let of = branch;
  return {
    token: 'CLOUDFLARE_API_TOKEN',
    simulation,
    guess: 'feat-checkout.shop.pages.dev',
    lines: {
      address: { adapter: 'cloudflare', op: 'pages_address', ...names },
      variable: { adapter: 'cloudflare', op: 'pages_env', ...names, name: key },
      preview: { adapter: 'cloudflare', op: 'pages_deploy', ...names },
    },
    push: () => void world.deployPages(project, of, sha),
    built: () => project.deployments.at(-1)?.env,
    // Somebody deploys the commit by the command line, as another branch.
    take: () => {
      of = 'checkout';
    },
    variables: () => Object.keys(project.configs.preview.env_vars).length,
  };
}

const hosts: readonly (readonly [name: string, on: (clock: LeapingClock) => Host])[] = [
  ['Vercel', onVercel],
  ['Netlify', onNetlify],
  ['Cloudflare Pages', onPages],
];

async function open(on: (clock: LeapingClock) => Host, change: { readonly address?: object } = {}) {
  const clock = new LeapingClock();
  const host = on(clock);
  const payments = stripe({ clock });
  const simulations = [host.simulation, payments];
  const { address, variable, preview } = host.lines;
  const changes = [
    { id: 'address', ...address, ...change.address },
    { id: 'payments', recipe: 'stripe.webhook_endpoint', name: 'shop-pr-12', url: { from: 'address.url' }, enabled_events: ['*'] },
    { id: 'secret', ...variable, value: { from: 'payments.secret' } },
    { id: 'preview', ...preview, address: { from: 'address.hostname' }, depends_on: ['secret'] },
    { id: 'told', recipe: 'stripe.webhook_endpoint', name: 'told-pr-12', url: { from: 'preview.url' }, enabled_events: ['*'] },
  ];
  const env = { [host.token]: host.simulation.tokens.full, STRIPE_SECRET_KEY: payments.tokens.full };
  const stage = await openStage({ simulations, clock, env, plan: JSON.stringify({ version: 1, changes }) });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled(simulations);
    expectContracts(simulations);
  });
  const run = { sha, branch, pr: 12, waitTimeoutMs: 600_000, leaseTimeoutMs: 600_000 };
  /** Where the host does not build again by itself, a person starts the build that the line asks for. */
  const person = {
    push: (event: RunEvent): void => {
      if (event.type === 'wait' && /Start another/.test(event.detail)) host.push();
    },
  };
  return { host, stage, run, person, endpoints: () => payments.world.endpoints().map(({ url }) => url), payments };
}

describe.each(hosts)('on %s', (name, on) => {
  test('a first run makes the webhook of an address that is not built yet, and the build has its secret', async () => {
    const { host, stage, run, person, endpoints, payments } = await open(on);
    host.push();
    // Vercel takes the request to build again. The others wait for a build that a person starts.
    const build = name === 'Vercel' ? 'redeploy' : 'pending';
    expect(await stage.plan(run)).toMatchObject({
      ok: true,
      lines: [{ id: 'address', verdict: 'none' }, { verdict: 'create' }, {}, { verdict: build }, {}],
    });
    expect(await stage.apply(run, person)).toMatchObject({ ok: true, status: 'complete', outputs: { address: { hostname: host.guess } } });
    expect(endpoints()).toContain(`https://${host.guess}/api/webhooks/stripe`);
    expect(host.built()?.[key]).toBe(payments.world.byUrl(`https://${host.guess}/api/webhooks/stripe`)?.secret);
    const seen = stage.watch();
    expect((await stage.apply(run)).lines.map(({ verdict }) => verdict)).toEqual(['none', 'none', 'none', 'none', 'none']);
    expect(seen.writes()).toEqual([]);
    expect(await stage.destroy(run)).toMatchObject({ ok: true, status: 'complete' });
    expect([endpoints(), host.variables(), (await stage.ledger()).records.size]).toEqual([[], 0, 0]);
  });

  test('a wrong guess fails the line that waits for the build, before others believe it, and a destroy removes what was made', async () => {
    const { host, stage, run, person, endpoints } = await open(on);
    host.push();
    host.take();
    const ended = await stage.apply(run, person);
    expect(ended).toMatchObject({ ok: false, error: { code: 'ADDRESS_DIFFERS' } });
    const [failed] = ended.lines.filter(({ id }) => id === 'preview');
    expect(failed?.error).toMatchObject({
      code: 'ADDRESS_DIFFERS',
      place: expect.stringMatching(/^release\.plan\.yaml:/),
      detail: expect.stringContaining(`does not answer under ${host.guess}. It has `),
      fix: expect.stringMatching(/^Use \S+ (?:or \S+ )*in place of /),
    });
    expect(endpoints()).toEqual([`https://${host.guess}/api/webhooks/stripe`]);
    expect([...(await stage.ledger()).records.values()].map(({ line }) => line).toSorted()).toEqual(['payments', 'secret']);
    expect(await stage.destroy(run)).toMatchObject({ ok: true, status: 'complete' });
    expect([endpoints(), host.variables(), (await stage.ledger()).records.size]).toEqual([[], 0, 0]);
  });
});

test('a branch that is too long for an alias is refused in the plan, before anything is made', async () => {
  const { stage, run, endpoints } = await open(onVercel);
  const long = { ...run, branch: `feat/${'a-very-'.repeat(9)}long-name` };
  const planned = await stage.plan(long);
  expect(planned.lines[0]).toMatchObject({
    id: 'address',
    error: { code: 'PARAM_INVALID', fix: expect.stringContaining('vercel.project_domain') },
  });
  expect(await stage.apply(long)).toMatchObject({ ok: false });
  expect(endpoints()).toEqual([]);
});
