import path from 'node:path';
import { firebaseAuth } from 'pilotfish-sandbox/firebase-auth';
import { afterAll, expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { openStage } from '../support/stage.ts';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

const programs = await openPrograms();
await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const PATH = `${programs.PATH}${path.delimiter}${process.env.PATH}`;
const project = 'acme-shop';
const domain = 'pr-12.acme.example';

/** A project that has other domains, and one whose only domain is the line's. */
for (const others of [['localhost', 'acme-shop.firebaseapp.com', 'pr-13.acme.example'], []]) {
  describeRecipe('firebase_auth.authorized_domain', {
    simulate: firebaseAuth,
    subject: ({ tokens, world }) => {
      const config = world.addProject(project, others);
      const entries = () => config.authorizedDomains ?? [];
      const rest = () => entries().filter((one) => one !== domain);
      return {
        env: { ...ledgerKey, PATH },
        credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
        params: { project, domain },
        mine: () => entries().filter((one) => one === domain),
        // The whole configuration: a write without its mask would be seen here.
        others: () => ({ ...config, authorizedDomains: rest() }),
        remove: () => world.setDomains(project, rest()),
        foreign: () => world.setDomains(project, [...entries(), domain]),
        requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
      };
    },
    skip: { twoMatches: 'an entry is its own name: two of them are one' },
  });
}

it('a project that never opened Authentication is an error, not an empty list', async () => {
  const simulation = firebaseAuth();
  simulation.world.addEmptyProject(project);
  const stage = await openStage({
    simulations: [simulation],
    env: {
      ...ledgerKey,
      PATH,
      SIGNED_IN_TOKEN: simulation.tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '30000',
    },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'login', recipe: 'firebase_auth.authorized_domain', project, domain }] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect(simulation.writes()).toEqual([]);
  expect(simulation.world.state.projects[project]).toBeNull();
  await stage.close();
});

it('a domain with a scheme, a port, a path or a capital letter is refused before any request', async () => {
  const simulation = firebaseAuth();
  for (const wrong of ['https://pr-12.acme.example', 'pr-12.acme.example:3000', 'pr-12.acme.example/login', 'PR-12.acme.example']) {
    const stage = await openStage({
      simulations: [simulation],
      env: { ...ledgerKey, PATH, SIGNED_IN_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({ version: 1, changes: [{ id: 'login', recipe: 'firebase_auth.authorized_domain', project, domain: wrong }] }),
    });
    await expect(stage.apply()).rejects.toThrow(/PARAM_INVALID: login\.domain/);
    await stage.close();
  }
  expect(simulation.log).toEqual([]);
});

it('the domains that every new project has, and those that the CLI of the vendor takes out, are nobody’s loss', () => {
  const own = 'acme-shop--pr-12-a1b2c3d4.web.app';
  const left = 'acme-shop--pr-13-e5f6a7b8.web.app';
  return livesOn(
    'firebase_auth.authorized_domain',
    firebaseAuth,
    ({ tokens, world }) => {
      const config = world.addProject(project);
      const entries = () => config.authorizedDomains ?? [];
      return {
        env: { ...ledgerKey, PATH },
        credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
        params: { project, domain: own },
        mine: () => entries().filter((one) => one === own),
        others: () => entries().filter((one) => one !== own && one !== left),
        stands: own,
      };
    },
    async (bench, { world }) => {
      world.setDomains(project, [...(world.state.projects[project]?.authorizedDomains ?? []), left]);
      world.runChannelCommand(project, 'acme-shop', []);
      expect(bench.subject.mine()).toEqual([]);
      expect(await bench.planned()).toMatchObject({ verdict: 'create', drift: 'missing' });
      await bench.applied();
      bench.one();
      await staysQuiet(bench);
      world.runChannelCommand(project, 'acme-shop', []);
    },
  );
});
