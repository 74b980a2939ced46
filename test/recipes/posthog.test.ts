import { posthog } from 'pilotfish-sandbox/posthog';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { withBench } from '../support/suite/bench.ts';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

const host = 'pr-12.acme.example';
const matching = (...value: string[]) => [{ key: '$host', value, operator: 'exact', type: 'person' }];

/** A flag that is on or off, and one with variants and payloads. */
for (const variants of [[], ['blue', 'green']]) {
  describeRecipe('posthog.release_condition', {
    simulate: posthog,
    subject: ({ world }) => {
      const multivariate = variants.length > 0 ? { variants: variants.map((key) => ({ key, name: key, rollout_percentage: 50 })) } : null;
      const flag = world.addFlag(58123, 40211, {
        groups: [],
        multivariate,
        payloads: { true: '{"colour":"blue"}' },
        aggregation_group_type_index: null,
      });
      world.addGroup(flag, { properties: matching('pr-13.acme.example'), description: 'preview 13', sort_key: 'a' });
      // Also one that names the host beside another: it is known by the other, and stays.
      world.addGroup(flag, { properties: matching('shop.acme.example', host), rollout_percentage: 5 });
      world.addGroup(flag, { properties: [{ key: 'id', value: 7, type: 'cohort' }], rollout_percentage: 20 });
      world.addGroup(flag, { properties: [], rollout_percentage: 0 });
      const isMine = (group: { readonly properties: readonly Record<string, unknown>[] }) => {
        const value = group.properties[0]?.value;
        return Array.isArray(value) && value[0] === host;
      };
      const others = () => flag.filters.groups.filter((group) => !isMine(group));
      const chosen = variants[0] === undefined ? {} : { variant: variants[0] };
      return {
        credential: 'POSTHOG_PERSONAL_API_KEY',
        params: { project_id: '58123', flag_id: '40211', host, rollout_percentage: 100, description: 'preview 12', ...chosen },
        mine: () => flag.filters.groups.filter(isMine),
        others: () => ({ ...flag, version: 0, filters: { ...flag.filters, groups: others() } }),
        stands: { properties: matching(host), rollout_percentage: 100, description: 'preview 12', ...chosen },
        edits: {
          value: {
            rollout_percentage: 10,
            description: 'changed',
            properties: [{ key: 'plan', value: [host], operator: 'is_not', type: 'person' }],
          },
        },
        changes: { value: { rollout_percentage: 50, property: 'host' } },
        undeclared: { sort_key: 'b', exposure_frozen: false, ...(variants.length === 0 && { variant: null }) },
        remove: () => Object.assign(flag.filters, { groups: others() }),
        foreign: () => world.addGroup(flag, { properties: matching(host), rollout_percentage: 1 }),
        requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
      };
    },
  });
}

it('what somebody changed between the read and the write is kept, and the write is tried again', () =>
  withBench(
    {
      op: 'posthog.release_condition',
      isRecipe: true,
      simulate: posthog,
      subject: ({ world, watch }) => {
        const flag = world.addFlag(58123, 40211, { groups: [] });
        watch(({ phase, write }) => {
          if (phase !== 'before' || !write || flag.version > 1) return;
          world.addGroup(flag, { description: 'theirs' });
          flag.version += 1;
        });
        return {
          credential: 'POSTHOG_PERSONAL_API_KEY',
          params: { project_id: '58123', flag_id: '40211', host },
          mine: () => flag.filters.groups.filter(({ description }) => description !== 'theirs'),
          others: () => flag.key,
          stands: flag,
        };
      },
    },
    async ({ applied, simulation, subject, one }) => {
      await applied();
      expect(simulation.writes().map(({ status }) => status)).toEqual([409, 200]);
      expect(subject.stands).toMatchObject({ filters: { groups: [{ description: 'theirs' }, one()] } });
    },
  ));

it('the public key of a project is refused before any request', () =>
  withBench(
    {
      op: 'posthog.release_condition',
      isRecipe: true,
      simulate: posthog,
      subject: ({ world }) => {
        const flag = world.addFlag(58123, 40211, { groups: [] });
        return {
          credential: 'POSTHOG_PERSONAL_API_KEY',
          params: { project_id: '58123', flag_id: '40211', host },
          mine: () => flag.filters.groups,
          others: () => flag.key,
        };
      },
    },
    async ({ apply, simulation }) => {
      const run = apply({ env: { POSTHOG_PERSONAL_API_KEY: 'phc_Zx81kQ0vTn' } });
      await expect(run).rejects.toMatchObject({ failures: [{ code: 'PROVIDER_AUTH' }] });
      expect(simulation.log).toEqual([]);
    },
  ));

type Flag = ReturnType<ReturnType<typeof posthog>['world']['addFlag']>;

/** A line on a flag whose other members are as they were made. */
const livesOnFlag = (
  filters: Flag['filters'],
  more: Partial<Flag>,
  then?: Parameters<typeof livesOn<ReturnType<typeof posthog>['world']>>[3],
) =>
  livesOn(
    'posthog.release_condition',
    posthog,
    ({ world }) => {
      const flag = world.addFlag(58123, 40211, filters, more);
      const isMine = ({ properties }: { readonly properties: readonly Readonly<Record<string, unknown>>[] }) =>
        JSON.stringify(properties[0]?.value) === JSON.stringify([host]);
      const groups = () => flag.filters.groups ?? [];
      return {
        credential: 'POSTHOG_PERSONAL_API_KEY',
        params: { project_id: '58123', flag_id: '40211', host },
        mine: () => groups().filter(isMine),
        others: () => [{ ...flag, version: 0, filters: { ...flag.filters, groups: groups().filter((one) => !isMine(one)) } }],
        stands: { properties: matching(host), rollout_percentage: 100 },
        edits: { share: { rollout_percentage: 5 } },
      };
    },
    then,
  );

it('payloads go back as they are shown: texts of JSON, and in place of an encrypted one the words that keep it', async () => {
  const payloads = { true: { colour: 'blue' }, false: '"green"' };
  await livesOnFlag({ groups: [], payloads }, {}, (_, { world }) => {
    expect(world.state.projects[58123]?.[40211]?.filters.payloads).toEqual({ true: '{"colour":"blue"}', false: '"green"' });
    return Promise.resolve();
  });
  await livesOnFlag({ groups: [], payloads }, { has_encrypted_payloads: true }, (_, { world, log }) => {
    expect(world.state.projects[58123]?.[40211]?.filters.payloads).toEqual({ true: '{"colour":"blue"}', false: '"green"' });
    expect(JSON.stringify(log.map(({ body }) => body))).toContain('(encrypted)');
    return Promise.resolve();
  });
});

it('every write of filters has groups, also the last one, because PostHog passes over one that has none', () =>
  livesOnFlag({ groups: [] }, {}, async (bench, { writes }) => {
    expect(await bench.destroy()).toMatchObject({ ok: true });
    expect(writes().map(({ body }) => Object(body).filters.groups.length)).toEqual([1, 1, 0]);
  }));

it('a version that is old passes where somebody changed other members meanwhile, and these stand', () =>
  withBench(
    {
      op: 'posthog.release_condition',
      isRecipe: true,
      simulate: posthog,
      subject: ({ world, watch }) => {
        const flag = world.addFlag(58123, 40211, { groups: [] });
        watch(({ phase, write }) => {
          if (phase === 'before' && write && flag.version === 1) Object.assign(flag, { name: 'theirs', version: 2 });
        });
        return {
          credential: 'POSTHOG_PERSONAL_API_KEY',
          params: { project_id: '58123', flag_id: '40211', host },
          mine: () => flag.filters.groups,
          others: () => flag.key,
          stands: flag,
        };
      },
    },
    async (bench) => {
      await bench.applied();
      expect(bench.simulation.writes().map(({ status }) => status)).toEqual([200]);
      expect(bench.subject.stands).toMatchObject({ name: 'theirs', version: 3, filters: { groups: [bench.one()] } });
      await staysQuiet(bench);
      expect(await bench.destroy()).toMatchObject({ ok: true });
      expect(bench.subject.stands).toMatchObject({ name: 'theirs', filters: { groups: [] } });
    },
  ));

it('a flag that somebody deleted takes no condition, and the new one of its key is not touched', async () => {
  const simulation = posthog();
  const { world } = simulation;
  const flag = world.addFlag(58123, 40211, { groups: [] });
  const stage = await openStage({
    simulations: [simulation],
    env: { POSTHOG_PERSONAL_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({
      version: 1,
      changes: [{ id: 'on', recipe: 'posthog.release_condition', project_id: '58123', flag_id: '40211', host }],
    }),
  });
  const refused = { ok: false, error: { code: 'PARAM_INVALID', fix: expect.stringContaining('Restore the flag') } };
  flag.deleted = true;
  expect(await stage.apply()).toMatchObject(refused);
  expect(flag.filters.groups).toEqual([]);
  flag.deleted = false;
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(flag.filters.groups).toHaveLength(1);
  flag.deleted = true;
  expect(await stage.plan()).toMatchObject(refused);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect([flag.filters.groups, (await stage.ledger()).records.size]).toEqual([[], 0]);
  const next = world.addInPlaceOf(58123, flag, 40212);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect(next.filters.groups).toEqual([]);
  await stage.close();
});
