import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Failures } from '../src/core/errors.ts';
import { expectContracts } from './contracts/expect.ts';
import { createWorld } from './simulate/all.ts';
import { amplify } from './simulate/aws-amplify.ts';
import { s3ByPath } from './simulate/aws-s3.ts';
import { heroku } from './simulate/heroku.ts';
import { type Simulation, verifyHandled } from './simulate/kit/index.ts';
import { okta } from './simulate/okta.ts';
import { sendgrid } from './simulate/sendgrid.ts';
import { stripe } from './simulate/stripe/index.ts';
import { openStage } from './support/stage.ts';

const folder = join(import.meta.dirname, '../examples');
const entries = await readdir(folder, { withFileTypes: true });
const examples = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

/** Companies with every account that an example uses. Some accounts have a host of their own, which the plan or a variable names. */
const companies: { readonly [example: string]: () => Company } = {
  preview: () => {
    const world = createWorld();
    return { simulations: world.simulations, credentials: world.credentials, addresses: { SENTRY_URL: world.sentry.origin } };
  },
  heroku: () => {
    const providers = { heroku: heroku(), sendgrid: sendgrid(), stripe: stripe() };
    providers.heroku.world.addApp('shop-pr-12');
    return {
      simulations: Object.values(providers),
      credentials: {
        HEROKU_API_KEY: providers.heroku.tokens.full,
        SENDGRID_API_KEY: providers.sendgrid.tokens.full,
        STRIPE_SECRET_KEY: providers.stripe.tokens.full,
      },
      addresses: {},
    };
  },
  'aws-amplify': () => {
    const providers = { amplify: amplify(), s3: s3ByPath(), okta: okta() };
    providers.amplify.world.addApp('d2xyz0abc1def');
    providers.s3.world.setRules([{ AllowedMethod: ['GET'], AllowedOrigin: ['https://acme.example'] }]);
    providers.okta.world.addApp('0oa1gjh63g214q0Hq0g4', {
      redirect_uris: ['https://acme.example/login/callback'],
      post_logout_redirect_uris: ['https://acme.example'],
    });
    return {
      simulations: Object.values(providers),
      credentials: {
        AWS_ACCESS_KEY_ID: providers.amplify.world.keyIds.full,
        AWS_SECRET_ACCESS_KEY: providers.amplify.tokens.full,
        UPLOADS_KEY_ID: providers.s3.world.keyIds.full,
        UPLOADS_SECRET_KEY: providers.s3.tokens.full,
        OKTA_API_TOKEN: providers.okta.tokens.full,
      },
      addresses: {},
    };
  },
};

interface Company {
  readonly simulations: readonly Simulation[];
  readonly credentials: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
}

/** The example's plan in an empty folder, and a company that has every account. */
async function openExample(name: string) {
  const company = companies[name]?.();
  if (!company) throw new Error(`nobody has the accounts of examples/${name}`);
  const plan = await readFile(join(folder, name, 'release.plan.yaml'), 'utf8');
  const secrets = [...plan.matchAll(/env:\/\/(\w+)/g)].map((match) => [match[1], 'a-long-random-text-0123'] as const);
  const variables: Readonly<Record<string, string>> = { ...company.credentials, ...Object.fromEntries(secrets) };
  const stage = await openStage({ simulations: company.simulations, env: { ...variables, ...company.addresses }, plan });
  onTestFinished(() => stage.close());
  return { stage, company, variables: Object.keys(variables) };
}

const tokenRequests = (path: string): boolean => path.endsWith('/oauth/token');

describe.each(examples)('examples/%s', (name) => {
  it('has a plan without a refused or failed line, and planning it writes nothing', async () => {
    const { stage, company } = await openExample(name);
    const document = await stage.plan();
    expect(document.lines.length).toBeGreaterThan(0);
    expect(document.lines.filter(({ verdict, error }) => error !== undefined || verdict === 'refused' || verdict === 'failed')).toEqual([]);
    expect(document).toMatchObject({ ok: true, warnings: [], orphans: [] });
    expect(company.simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !tokenRequests(path))).toEqual([]);
    verifyHandled(company.simulations);
  });

  // The demo applies its own example, with the deployments that it waits for.
  it.skipIf(name === 'preview')('is applied whole, a second time without a write, and taken away', async () => {
    const { stage, company } = await openExample(name);
    const writes = () => company.simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !tokenRequests(path)).length;
    expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete', warnings: [] });
    const before = writes();
    expect(before).toBeGreaterThan(0);
    expect((await stage.apply()).lines.map(({ verdict }) => verdict)).toEqual((await stage.plan()).lines.map(() => 'none'));
    expect(writes()).toBe(before);
    expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
    expect((await stage.ledger()).records.size).toBe(0);
    verifyHandled(company.simulations);
    expectContracts(company.simulations);
  });

  it('has a README that names every variable which a run asks for', async () => {
    const { stage, variables } = await openExample(name);
    const readme = await readFile(join(folder, name, 'README.md'), 'utf8');
    const unset = Object.fromEntries(variables.map((variable) => [variable, '']));
    const thrown: unknown = await stage.plan({ env: unset }).catch((error: unknown) => error);
    if (!(thrown instanceof Failures)) throw new Error(`expected missing credentials, got ${String(thrown)}`);
    const asked = variables.filter((variable) => thrown.failures.some(({ detail }) => detail.split(/\W+/).includes(variable)));
    expect(asked.length).toBeGreaterThanOrEqual(thrown.failures.length);
    expect(asked.filter((variable) => !readme.includes(`\`${variable}\``))).toEqual([]);
  });
});
