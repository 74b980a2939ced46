import { digitalocean } from 'pilotfish-sandbox/digitalocean/index';
import { growthbook } from 'pilotfish-sandbox/growthbook';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { readParams } from '../../src/ops/params.ts';
import { examplePlan } from '../../src/recipes/example-plan.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { fieldDiff } from '../../src/report/diff-text.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { readText } from '../support/read-plan.ts';
import { openStage } from '../support/stage.ts';

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const examples = subjects.flatMap((subject) => subject.ops.map((op) => [`${subject.name} ${op.name}`, examplePlan(subject, op)] as const));

/** What belongs to one pull request or one commit: its number beside a word for it, or a short sha. */
const ofOneScope =
  /\bpr[-_ /]?\d+|\b(?:preview|pull request)[-_ ]\d+|\/(?:pull|merge_requests)\/\d+|(?:revision|version|sha|commit): ["']?[0-9a-f]{7,40}\b/i;

it.each(examples)('the example of %s holds nothing of one scope', (_, example) => {
  expect(ofOneScope.exec(example)?.[0] ?? null).toBeNull();
});

/** An example stands alone: the line that it takes a value from is another one. */
const refersAway = /refers to "[\w-]+", but the plan has no line with that id/;

it.each([
  ['pr-12', 12],
  ['pr-77', 77],
])('every example is a line without a mistake in scope %s', (scope, number) => {
  const context = { environment: 'preview', scope, git: { sha: 'c'.repeat(40), branch: `topic-${number}` }, pr: { number } };
  for (const subject of subjects) {
    for (const op of subject.ops) {
      const { plan, problems } = readText(`version: 1\n${examplePlan(subject, op)}`, context);
      const [line] = plan.lines;
      const failures = [...problems, ...(line ? readParams(op.op, line).failures : [])].filter(
        ({ detail }) => !refersAway.test(detail ?? ''),
      );
      expect([subject.name, op.name, line?.id, failures.map(({ detail }) => detail)]).toEqual([
        subject.name,
        op.name,
        expect.any(String),
        [],
      ]);
    }
  }
});

const app = subjects.find(({ name }) => name === 'digitalocean');
const appExample = app?.ops[0] ? examplePlan(app, app.ops[0]) : '';

async function open(spec: Readonly<Record<string, unknown>>) {
  const simulation = digitalocean();
  const planOf = (now: object): string =>
    JSON.stringify({ version: 1, changes: [{ id: 'app', adapter: 'digitalocean', op: 'app', name: 'shop-pr-12', spec: now }] });
  const stage = await openStage({
    simulations: [simulation],
    env: { DIGITALOCEAN_ACCESS_TOKEN: simulation.tokens.full },
    plan: planOf(spec),
    clock: new LeapingClock(),
  });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  const live = () => simulation.world.state.apps.find((one) => one.spec.name === 'shop-pr-12')?.spec;
  return { simulation, stage, live, write: (now: object) => stage.write(planOf(now)) };
}

it("the example of DigitalOcean's page makes an app of its own in every scope", async () => {
  const simulation = digitalocean();
  const stage = await openStage({
    simulations: [simulation],
    env: { DIGITALOCEAN_ACCESS_TOKEN: simulation.tokens.full },
    plan: `version: 1\n${appExample}`,
    clock: new LeapingClock(),
  });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  for (const scope of ['pr-12', 'pr-77']) expect(await stage.apply({ scope })).toMatchObject({ ok: true });
  expect(simulation.world.state.apps.map(({ spec }) => spec.name)).toEqual(['shop-pr-12', 'shop-pr-77']);
});

const image = { registry_type: 'DOCR', repository: 'shop', tag: 'one' };
const undeclared = {
  ingress: { rules: [{ match: { path: { prefix: '/' } }, component: { name: 'web' } }] },
  features: ['buildpack-stack=ubuntu-22'],
  alerts: [{ rule: 'DEPLOYMENT_FAILED' }],
};

it('members of an app that the line does not declare are not told as taken away, and stay', async () => {
  const spec = { region: 'fra', services: [{ name: 'web', image, http_port: 8080 }] };
  const { stage, live, write } = await open(spec);
  await stage.apply();
  const service = { instance_count: 2, health_check: { http_path: '/up' } };
  Object.assign(live() ?? {}, undeclared);
  Object.assign((live()?.services as object[] | undefined)?.[0] ?? {}, service);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none', changes: [] }] });
  const next = { region: 'fra', services: [{ name: 'web', image: { ...image, tag: 'two' }, http_port: 8080 }] };
  await write(next);
  const { lines } = await stage.plan();
  expect(lines[0]).toMatchObject({ verdict: 'update', changes: [{ field: 'spec', before: { value: spec }, after: { value: next } }] });
  expect(lines[0]?.changes[0]?.before).toEqual({ state: 'literal', value: spec });
  const told = lines[0]?.changes.map((change) => fieldDiff(change)).flatMap(({ text, below }) => [text, ...below]) ?? [];
  expect(told.join('\n')).not.toMatch(/name: shop|ingress|features|alerts|instance_count|health_check/);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(live()).toMatchObject({ name: 'shop-pr-12', ...undeclared, services: [{ ...service, image: { tag: 'two' } }] });
});

it('an entry of a list that the line declares is told as taken away, because it goes', async () => {
  const spec = { services: [{ name: 'web', image }] };
  const { stage, live, write } = await open(spec);
  await stage.apply();
  Object.assign(live() ?? {}, { services: [...((live()?.services as object[] | undefined) ?? []), { name: 'theirs', image }] });
  await write({ services: [{ name: 'web', image: { ...image, tag: 'two' } }] });
  const { lines } = await stage.plan();
  expect(lines[0]?.changes[0]?.before).toMatchObject({ value: { services: [{ name: 'web' }, { name: 'theirs' }] } });
  await stage.apply();
  expect(live()?.services).toMatchObject([{ name: 'web' }]);
});

it('members of an entry in a list that the line does not declare are not told as taken away, and stay', async () => {
  const simulation = growthbook();
  const { world } = simulation;
  world.addFeature('new-checkout', ['dev']);
  const rule = {
    id: 'rule',
    recipe: 'growthbook.force_rule',
    feature_id: 'new-checkout',
    environment: 'dev',
    description: 'shop pr-12',
    condition: '{}',
  };
  const planOf = (value: string): string => JSON.stringify({ version: 1, changes: [{ ...rule, value }] });
  const stage = await openStage({
    simulations: [simulation],
    env: { GROWTHBOOK_API_KEY: simulation.tokens.full },
    plan: planOf('true'),
    clock: new LeapingClock(),
  });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  await stage.apply();
  const mine = () => world.state.features['new-checkout']?.rules[0];
  Object.assign(mine() ?? {}, { projects: ['prj_web'], allProjects: false });
  await stage.write(planOf('false'));
  const { lines } = await stage.plan();
  const [change] = lines[0]?.changes ?? [];
  expect(change && fieldDiff(change)).toMatchObject({ sign: '~' });
  expect(JSON.stringify(change?.before)).not.toMatch(/projects|allProjects|"id"/);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(mine()).toMatchObject({ value: 'false', projects: ['prj_web'], allProjects: false });
});
