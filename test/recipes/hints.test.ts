import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));

/** Names of what a plan hangs on: it is there before the plan, and its id is looked up. */
const lookedUp =
  /(?:^|_)(?:id|ids|guid|sid|slug)$|^(?:app|bucket|cluster|database|dataset|deployment|environment|feature|feature_flag|group|organization|parent|product|project|projects|repo|resource_group|service|site|team|zone)$/;

/** Params that are named so and that the line chooses itself. */
const chosen: Readonly<Record<string, string>> = {
  'azure_static_web_apps.address.environment': 'the number of the pull request',
  'azure_static_web_apps.build_app_setting.environment': 'the number of the pull request',
  'contentful.environment.environment_id': 'the id of what the line makes',
  'firebase_hosting.channel.channel_id': 'the id of what the line makes',
  'qstash.schedule.schedule_id': 'the id of what the line makes',
  'rollbar.deploy.environment': 'a name that the report brings along',
  'sentry.deploy.environment': 'a name that the report brings along',
  'stripe.coupon.coupon_id': 'the id of what the line makes',
  'stripe.product.product_id': 'the id of what the line makes',
};

const params = subjects.flatMap(({ name: family, kind, ops }) =>
  ops.flatMap(({ name: op, op: { params: specs } }) =>
    Object.entries(specs).map(([name, spec]) => ({ title: `${family}.${op}.${name}`, family, kind, name, spec })),
  ),
);

describe('a param that is looked up', () => {
  it.each(params.filter(({ name, spec, title }) => spec.required && lookedUp.test(name) && !(title in chosen)))(
    'says where: $title',
    ({ spec }) => {
      expect(spec.todo).toMatch(/^\S.{8,}$/);
    },
  );

  it('says the same in every operation of its provider', () => {
    const byName = Map.groupBy(
      params.filter(({ spec, title }) => spec.required && !(title in chosen)),
      ({ family, name }) => `${family} ${name}`,
    );
    for (const [name, all] of byName) {
      const hints = new Set(all.filter(({ spec }) => spec.todo !== undefined).map(({ spec }) => spec.todo));
      expect(hints.size, name).toBeLessThanOrEqual(1);
    }
  });

  it('is left out of the rule for a reason that still holds', () => {
    const titles = new Map(params.map(({ title, spec }) => [title, spec]));
    for (const title of Object.keys(chosen)) expect(titles.get(title)?.todo, title).toBeUndefined();
  });
});

describe('a param', () => {
  it.each(params)('has a sentence: $title', ({ spec }) => {
    expect(spec.doc).toMatch(/^\S.{7,}[.!]$/);
  });
});
