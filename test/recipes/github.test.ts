import { github } from '../simulate/github.ts';
import { describeRecipe } from '../support/describe-recipe.ts';

const repo = 'acme/shop';
const address = 'https://pr-12.acme.example';
const target = `${address}/api/webhooks/github`;

describeRecipe('github.repo_webhook', {
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
      others: () => world.hooks(repo).filter(({ config }) => config.url !== target),
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
      remove: () => {
        for (const { id } of mine()) world.removeHook(repo, id);
      },
      fill: () => Object.assign(world.state, { hooksPerEvent: 1 }),
      foreign: () => world.addHook(repo, { url: target, events: mine().length > 0 ? ['star'] : ['push'] }),
    };
  },
});
