import { healthchecks } from 'pilotfish-sandbox/healthchecks';
import { describeRecipe } from '../support/describe-recipe.ts';

const name = 'import pr-12';

describeRecipe('healthchecks.check', {
  simulate: healthchecks,
  subject: ({ world }) => {
    world.addCheck('import pr-13', { tags: 'preview' });
    const mine = () => world.state.checks.filter((check) => check.name === name);
    return {
      credential: 'HEALTHCHECKS_API_KEY',
      params: { name, tags: 'preview import', timeout: 3600, grace: 300 },
      mine,
      others: () => world.state.checks.filter((check) => check.name !== name),
      stands: { tags: 'preview import', desc: '', timeout: 3600, grace: 300 },
      edits: { tags: { tags: 'theirs' }, desc: { desc: 'by hand' }, timeout: { timeout: 60 }, grace: { grace: 60 } },
      changes: { desc: { desc: 'Imports of the preview.' }, timeout: { timeout: 7200 } },
      undeclared: {},
      remove: () => Object.assign(world.state, { checks: world.state.checks.filter((check) => check.name !== name) }),
      foreign: () => world.addCheck(name),
      gives: () => Object.fromEntries(mine().map(({ uuid }) => ['ping_url', `https://hc-ping.com/${uuid}`])),
      fill: () => Object.assign(world.state, { checkLimit: 1 }),
    };
  },
  skip: {
    blind: 'the key of another project reads an empty list, like that of a project without checks',
    blindDestroy: 'the key of another project reads an empty list, like that of a project without checks',
  },
});
