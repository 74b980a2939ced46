import { posthog } from 'pilotfish-sandbox/posthog';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { withBench } from '../support/suite/bench.ts';

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
