import { healthchecks } from 'pilotfish-sandbox/healthchecks';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

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

it('a check that somebody made a cron one is simple again, and stays a cron one where the line leaves the timeout', () =>
  livesOn(
    'healthchecks.check',
    healthchecks,
    ({ world }) => {
      world.addCheck('import pr-13', { schedule: '0 6 * * *', tz: 'Europe/Kyiv' });
      return {
        credential: 'HEALTHCHECKS_API_KEY',
        params: { name, timeout: 3600, desc: { keep: true } },
        mine: () => world.state.checks.filter((check) => check.name === name),
        others: () => world.state.checks.filter((check) => check.name !== name),
        stands: { timeout: 3600, schedule: null },
        edits: { timeout: { schedule: '*/5 * * * *', tz: 'Europe/Kyiv' } },
      };
    },
    async (bench) => {
      Object.assign(bench.one() ?? {}, { schedule: '0 6 * * *', tz: 'Europe/Kyiv', desc: 'by hand' });
      await bench.change({ timeout: { keep: true }, tags: 'preview' });
      const seen = await bench.during(() => bench.applied());
      expect(bench.one()).toMatchObject({ schedule: '0 6 * * *', tz: 'Europe/Kyiv', desc: 'by hand', tags: 'preview' });
      // A null would be refused, and what is absent stays.
      expect(seen.filter(({ write }) => write).map(({ body }) => body)).toEqual([{ tags: 'preview', grace: 3600 }]);
      await staysQuiet(bench);
    },
  ));
