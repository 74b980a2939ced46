import { newrelic } from 'pilotfish-sandbox/newrelic';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const entity_guid = 'MTIzNDU2N3xBUE18QVBQTElDQVRJT058ODkwMTIz';
const other = 'MTIzNDU2N3xBUE18QVBQTElDQVRJT058NDU2Nzg5';

describeRecipe('newrelic.deployment', {
  kind: 'action',
  simulate: newrelic,
  subject: ({ world }) => {
    world.addEntity(entity_guid);
    world.addEntity(other);
    return {
      credential: 'NEW_RELIC_API_KEY',
      params: {
        entity_guid,
        version: '4f2a91c',
        deployment_type: 'ROLLING',
        description: 'preview 12',
        changelog: 'the cart',
        commit: '4f2a91c',
        deep_link: 'https://pr-12.acme.example',
        group_id: 'pr-12',
        user: 'ada',
      },
      mine: () => world.deployments,
      others: () => world.state.entities,
      stands: {
        entityGuid: entity_guid,
        version: '4f2a91c',
        deploymentType: 'ROLLING',
        description: 'preview 12',
        changelog: 'the cart',
        commit: '4f2a91c',
        deepLink: 'https://pr-12.acme.example',
        groupId: 'pr-12',
        user: 'ada',
      },
      fixed: { version: { version: '5a3b02d' } },
    };
  },
});

async function open(changes: readonly object[]) {
  const simulation = newrelic();
  simulation.world.addEntity(entity_guid);
  simulation.world.addEntity(other);
  const stage = await openStage({
    simulations: [simulation],
    env: { NEW_RELIC_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes }),
  });
  return { simulation, stage };
}

const line = { id: 'told', recipe: 'monitoring_b.deployment', entity_guid, version: '4f2a91c' };

it('two entities of one plan are two deployments, and each gives its id', async () => {
  const { simulation, stage } = await open([line, { ...line, id: 'api', entity_guid: other }]);
  const { ok, outputs } = await stage.apply();
  expect(ok).toBe(true);
  const idOf = (guid: string) => simulation.world.deployments.find(({ entityGuid }) => entityGuid === guid)?.deploymentId;
  expect(outputs).toEqual({ told: { deployment_id: idOf(entity_guid) }, api: { deployment_id: idOf(other) } });
  expect(simulation.world.deployments).toHaveLength(2);
  await stage.close();
});

it('a refusal that comes with status 200 fails the line, and it is sent again once it may be', async () => {
  const { simulation, stage } = await open([{ ...line, entity_guid: 'TmV3' }]);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect((await stage.ledger()).records.size).toBe(0);
  simulation.world.addEntity('TmV3');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.deployments).toHaveLength(1);
  await stage.close();
});
