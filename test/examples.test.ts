import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Failures } from '../src/core/errors.ts';
import { createWorld } from './simulate/all.ts';
import { verifyHandled } from './simulate/kit/index.ts';
import { openStage } from './support/stage.ts';

const folder = join(import.meta.dirname, '../examples');
const entries = await readdir(folder, { withFileTypes: true });
const examples = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

/** The example's plan in an empty folder, and a company that has every account. */
async function openExample(name: string) {
  const world = createWorld();
  const plan = await readFile(join(folder, name, 'release.plan.yaml'), 'utf8');
  const secrets = [...plan.matchAll(/env:\/\/(\w+)/g)].map((match) => [match[1], 'a-long-random-text-0123'] as const);
  const variables: Readonly<Record<string, string>> = { ...world.credentials, ...Object.fromEntries(secrets) };
  // This account has a host of its own; every other one is where its family or the plan says.
  const env = { ...variables, SENTRY_URL: world.sentry.origin };
  const stage = await openStage({ simulations: world.simulations, env, plan });
  onTestFinished(() => stage.close());
  return { stage, world, variables: Object.keys(variables) };
}

describe.each(examples)('examples/%s', (name) => {
  it('has a plan without a refused or failed line, and planning it writes nothing', async () => {
    const { stage, world } = await openExample(name);
    const document = await stage.plan();
    expect(document.lines.length).toBeGreaterThan(0);
    expect(document.lines.filter(({ verdict, error }) => error !== undefined || verdict === 'refused' || verdict === 'failed')).toEqual([]);
    expect(document).toMatchObject({ ok: true, warnings: [], orphans: [] });
    expect(world.simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !path.endsWith('/oauth/token'))).toEqual([]);
    verifyHandled(world.simulations);
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
