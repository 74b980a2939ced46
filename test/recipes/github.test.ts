import { github } from 'pilotfish-sandbox/github';
import { expect, it } from 'vitest';
import { describeRecipe, type RecipeSuite } from '../support/describe-recipe.ts';
import { withBench } from '../support/suite/bench.ts';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

const repo = 'acme/shop';
const address = 'https://pr-12.acme.example';
const target = `${address}/api/webhooks/github`;

const op = 'github.repo_webhook';
const suite: RecipeSuite<ReturnType<typeof github>['world']> = {
  skip: { 'untidy unsent-reset': 'an update leaves what it does not carry as it is, and the config has an address of its own' },
  simulate: github,
  subject: ({ world }) => {
    world.addRepository(repo);
    world.addHook(repo, { url: 'https://pr-13.acme.example/api/webhooks/github', events: ['push'] });
    const mine = () => world.hooks(repo).filter(({ config }) => config.url === target);
    return {
      credential: 'GITHUB_TOKEN',
      env: { HOOK_SECRET: 'hook-secret-4f2a91c0', NEXT_HOOK_SECRET: 'hook-secret-9d3b77e2' },
      params: { repo, url: address, events: ['push', 'release'], secret: { secret: 'env://HOOK_SECRET' } },
      mine,
      others: () => world.hooks(repo).filter(({ config }) => config.url !== target && !config.url.includes('crowd')),
      stands: {
        active: true,
        events: ['push', 'release'],
        config: { url: target, content_type: 'json', insecure_ssl: '0', secret: 'hook-secret-4f2a91c0' },
      },
      edits: {
        events: { events: ['push', 'star'] },
        active: { active: false },
        '/config/content_type': { config: { content_type: 'form' } },
        '/config/insecure_ssl': { config: { insecure_ssl: '1' } },
        '/config/secret': { config: { secret: undefined } },
      },
      changes: {
        events: { events: ['push'] },
        active: { active: false },
        '/config/secret': { secret: { secret: 'env://NEXT_HOOK_SECRET' } },
      },
      same: { events: { events: ['release', 'push'] } },
      crowd: {
        fill: () => {
          for (let n = 0; n < 60; n += 1) world.addHook(repo, { url: `https://crowd-${n}.acme.example`, events: [`deployment_${n}`] });
        },
        looks: 1,
      },
      remove: () => {
        for (const { id } of mine()) world.removeHook(repo, id);
      },
      fill: () => Object.assign(world.state, { hooksPerEvent: 1 }),
      foreign: () => world.addHook(repo, { url: target, events: mine().length > 0 ? ['star'] : ['push'] }),
    };
  },
};
describeRecipe(op, suite);

it('what is beside the configuration of a hook is changed by one request, which does not touch the configuration', () =>
  withBench({ op, isRecipe: true, ...suite }, async ({ applied, change, during }) => {
    await applied();
    await change({ active: false });
    const seen = await during(applied);
    expect(seen.filter(({ write }) => write)).toMatchObject([{ method: 'PATCH', path: expect.stringMatching(/\/hooks\/\d+$/) }]);
  }));

it('a hook whose secret is shown as asterisks, and whose form and check of the certificate GitHub fills in, is written once', () =>
  livesOn(
    op,
    github,
    (simulation) => {
      const { edits: _, ...subject } = suite.subject(simulation);
      const left = { content_type: { keep: true }, insecure_ssl: { keep: true } };
      return {
        ...subject,
        params: { ...subject.params, ...left },
        stands: { config: { content_type: 'form', insecure_ssl: '0', secret: 'hook-secret-4f2a91c0' } },
      };
    },
    async (bench, { world }) => {
      const mine = () => world.hooks(repo).filter(({ config }) => config.url === target);
      // What the line leaves stays, also when its secret is written.
      for (const hook of mine()) world.configure(hook, { content_type: 'json', insecure_ssl: true });
      await bench.change({ secret: { secret: 'env://NEXT_HOOK_SECRET' } });
      await bench.applied();
      expect(bench.one()).toMatchObject({ config: { content_type: 'json', insecure_ssl: '1', secret: 'hook-secret-9d3b77e2' } });
      await staysQuiet(bench);
      // What it says is put back: 1 and true are kept as one text.
      await bench.change({ insecure_ssl: '0', secret: { secret: 'env://NEXT_HOOK_SECRET' } });
      await bench.applied();
      for (const ssl of [1, true]) {
        for (const hook of mine()) world.configure(hook, { insecure_ssl: ssl });
        expect(bench.one()).toMatchObject({ config: { insecure_ssl: '1' } });
        expect(await bench.planned()).toMatchObject({ drift: 'changed' });
        await bench.applied();
        expect(bench.one()).toMatchObject({ config: { insecure_ssl: '0', secret: 'hook-secret-9d3b77e2' } });
      }
      await staysQuiet(bench);
    },
  ));
