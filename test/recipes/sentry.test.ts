import { sentry } from 'pilotfish-sandbox/sentry';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const organization = 'acme';
const version = 'shop@1.2.0+pr.12';

describeRecipe('sentry.release', {
  simulate: sentry,
  subject: ({ origin, world }) => {
    world.addOrganization(organization, ['shop', 'docs']);
    world.addRelease(organization, { version: 'shop@1.2.0+pr.13' });
    const mine = () => world.releases(organization).filter((one) => one.version === version);
    return {
      credential: 'SENTRY_AUTH_TOKEN',
      env: { SENTRY_URL: origin },
      params: { organization, version, projects: ['shop'], ref: '4f2a91c', url: 'https://pr-12.acme.example' },
      line: { destroy: 'delete' },
      mine,
      others: () => world.releases(organization).filter((one) => one.version !== version),
      stands: {
        projects: ['shop'],
        ref: '4f2a91c',
        url: 'https://pr-12.acme.example',
        dateReleased: expect.any(String),
      },
      edits: { ref: { ref: 'ffffff0' }, url: { url: null } },
      changes: { ref: { ref: '5a3b02d' }, url: { url: 'https://pr-12b.acme.example' } },
      undeclared: { status: 'archived', projects: ['shop', 'docs'] },
      remove: () => world.removeRelease(organization, version),
      foreign: () => world.addRelease(organization, { version }),
    };
  },
  skip: { twoMatches: 'an organisation has one release of a version' },
});

describeRecipe('sentry.deploy', {
  simulate: sentry,
  subject: ({ origin, world }) => {
    world.addOrganization(organization, ['shop']);
    const release = world.addRelease(organization, { version });
    const isMine = (one: { readonly environment: string; readonly name: string | null }) =>
      one.environment === 'preview' && one.name === 'pr-12';
    const add = (name: string, environment = 'preview') =>
      release.deploys.push({
        id: String(9000 + release.deploys.length),
        environment,
        name,
        url: null,
        dateStarted: null,
        dateFinished: '2026-11-20T00:00:00Z',
      });
    add('pr-13');
    add('pr-12', 'staging');
    return {
      credential: 'SENTRY_AUTH_TOKEN',
      env: { SENTRY_URL: origin },
      params: { organization, version, environment: 'preview', name: 'pr-12', url: 'https://pr-12.acme.example' },
      mine: () => release.deploys.filter(isMine),
      others: () => release.deploys.filter((one) => !isMine(one)),
      stands: { environment: 'preview', name: 'pr-12', url: 'https://pr-12.acme.example' },
      edits: {},
      undeclared: { url: null },
      foreign: () => add('pr-12'),
      stays: true,
    };
  },
  skip: {
    recreate: 'Sentry cannot delete a deploy: the old one stays beside the new one',
    twoMatches: 'the list shows the last one of an environment alone',
  },
});

it('two pull requests on one commit tell of their deploys once each, although the list shows the last one alone', async () => {
  const simulation = sentry();
  simulation.world.addOrganization(organization, ['shop']);
  const release = simulation.world.addRelease(organization, { version });
  const line = { id: 'told', recipe: 'sentry.deploy', organization, version, environment: 'preview', name: '${ctx.scope}' };
  const stage = await openStage({
    simulations: [simulation],
    env: { SENTRY_URL: simulation.origin, SENTRY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  for (const scope of ['pr-12', 'pr-13', 'pr-12', 'pr-13', 'pr-12']) expect(await stage.apply({ scope })).toMatchObject({ ok: true });
  expect(release.deploys.map(({ name }) => name)).toEqual(['pr-12', 'pr-13']);
  await stage.close();
});

it('a deploy that was made anew stays beside the old one, and neither is made again', async () => {
  const simulation = sentry();
  simulation.world.addOrganization(organization, ['shop']);
  const release = simulation.world.addRelease(organization, { version });
  const line = { id: 'told', recipe: 'sentry.deploy', organization, version, environment: 'preview', name: '${ctx.scope}' };
  const stage = await openStage({
    simulations: [simulation],
    env: { SENTRY_URL: simulation.origin, SENTRY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  await stage.apply();
  expect(await stage.apply({ recreate: ['told'] })).toMatchObject({ ok: true, warnings: [] });
  expect(release.deploys).toHaveLength(2);
  const watched = stage.watch();
  expect(await stage.apply()).toMatchObject({ ok: true, warnings: [], lines: [{ verdict: 'none' }] });
  expect(watched.writes()).toEqual([]);
  await stage.close();
});

it('a release stays at destroy unless its line says otherwise', async () => {
  const simulation = sentry();
  simulation.world.addOrganization(organization, ['shop']);
  const stage = await openStage({
    simulations: [simulation],
    env: { SENTRY_URL: simulation.origin, SENTRY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'made', recipe: 'sentry.release', organization, version, projects: ['shop'] }] }),
  });
  await stage.apply();
  expect(await stage.destroy()).toMatchObject({ ok: true, lines: [{ verdict: 'forget' }] });
  expect(simulation.world.releases(organization)).toHaveLength(1);
  expect((await stage.ledger()).records.size).toBe(0);
  await stage.close();
});

it('a release that issues refer to stays at a destroy that is to delete it, which says what to do', async () => {
  const simulation = sentry();
  simulation.world.addOrganization(organization, ['shop']);
  const line = { id: 'made', recipe: 'sentry.release', organization, version, projects: ['shop'], destroy: 'delete' };
  const stage = await openStage({
    simulations: [simulation],
    env: { SENTRY_URL: simulation.origin, SENTRY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  await stage.apply();
  Object.assign(simulation.world.releases(organization)[0] ?? {}, { heldBy: 'issues' });
  const doc = await stage.destroy();
  expect(doc).toMatchObject({ ok: false, error: { code: 'PROVIDER_INVALID', detail: expect.stringContaining('referenced by issues') } });
  expect(doc.error?.fix).toContain('Delete what refers to the release');
  expect((await stage.ledger()).records.size).toBe(1);
  await stage.close();
});

it('a deploy beyond the first page of a release is found', async () => {
  const simulation = sentry();
  simulation.world.addOrganization(organization, ['shop']);
  const release = simulation.world.addRelease(organization, { version });
  // The newest come first.
  for (let n = 0; n < 101; n += 1)
    release.deploys.push({
      id: String(100 + n),
      environment: n === 0 ? 'preview' : `preview-${n}`,
      name: 'pr-12',
      url: null,
      dateStarted: null,
      dateFinished: '2026-11-20T00:00:00Z',
    });
  const line = { id: 'told', recipe: 'sentry.deploy', organization, version, environment: 'preview', name: 'pr-12' };
  const stage = await openStage({
    simulations: [simulation],
    env: { SENTRY_URL: simulation.origin, SENTRY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect(release.deploys).toHaveLength(101);
  await stage.close();
});

it('a deploy whose texts Sentry trims is told once', () =>
  livesOn('sentry.deploy', sentry, ({ origin, world }) => {
    world.addOrganization(organization, ['shop']);
    const release = world.addRelease(organization, { version });
    return {
      credential: 'SENTRY_AUTH_TOKEN',
      env: { SENTRY_URL: origin },
      params: { organization, version, environment: ' preview', name: 'pr-12 ', url: 'https://pr-12.acme.example' },
      mine: () => release.deploys,
      others: () => release.version,
      stands: { environment: 'preview', name: 'pr-12', url: 'https://pr-12.acme.example' },
      stays: true,
    };
  }));

it('a release that somebody makes meanwhile is not taken over, also where the create adds a project to it and answers 201', async () => {
  for (const projects of [['shop'], ['docs'], ['shop', 'docs']]) {
    const simulation = sentry();
    simulation.world.addOrganization(organization, ['shop', 'docs']);
    const line = { id: 'made', recipe: 'sentry.release', organization, version, projects: ['shop', 'docs'], destroy: 'delete' };
    const stage = await openStage({
      simulations: [simulation],
      env: { SENTRY_URL: simulation.origin, SENTRY_AUTH_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({ version: 1, changes: [line] }),
    });
    const forget = simulation.watch(({ phase, write }) => {
      if (phase !== 'before' || !write) return;
      forget();
      simulation.world.addRelease(organization, { version, projects });
    });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(simulation.world.releases(organization)).toHaveLength(1);
    await stage.close();
  }
});
