import { amplify } from 'pilotfish-sandbox/aws-amplify';
import { expect, it } from 'vitest';
import { type KeptStory, storyClock, tellKept } from '../support/kept-story.ts';

const app_id = 'd2xyz0abc1def';
const branch_name = 'feature/pr-12';

/** An app in which others have a branch too. */
function openApp() {
  const clock = storyClock();
  const simulation = amplify({ clock });
  const { world, origin, tokens } = simulation;
  world.addApp(app_id);
  world.addBranch(app_id, 'main', { stage: 'PRODUCTION', environmentVariables: { API_URL: 'https://api.acme.example' } });
  const of = (name: string) => world.branches(app_id).filter((one) => one.branchName === name);
  const story: Omit<KeptStory, 'lines' | 'mine' | 'others'> = {
    clock,
    simulation,
    providers: { amplify: { region: 'eu-central-1' } },
    env: { AWS_ENDPOINT_URL_AMPLIFY: origin, AWS_ACCESS_KEY_ID: world.keyIds.full, AWS_SECRET_ACCESS_KEY: tokens.full },
  };
  return { story, world, of };
}

it('a branch whose stage and ttl nobody sent has those of the service, and is made once', async () => {
  const { story, of } = openApp();
  await tellKept({
    ...story,
    lines: [{ id: 'site', recipe: 'amplify.branch', app_id, branch_name, description: 'preview 12' }],
    mine: () => of(branch_name),
    others: () => of('main'),
    stands: [{ stage: 'NONE', ttl: '5' }],
    edits: [() => void Object.assign(of(branch_name)[0] ?? {}, { description: 'changed' })],
  });
});

it('the only variable of a branch is set once and goes by the name that empties the map', async () => {
  const { story, world, of } = openApp();
  const branch = world.addBranch(app_id, branch_name);
  await tellKept({
    ...story,
    lines: [
      { id: 'variable', recipe: 'amplify.branch_variable', app_id, branch_name, name: 'API_URL', value: 'https://api-pr-12.acme.example' },
    ],
    mine: () => Object.entries(branch.environmentVariables),
    others: () => of('main'),
    edits: [
      () => void Object.assign(branch, { environmentVariables: { API_URL: 'changed' } }),
      () => void Object.assign(branch, { environmentVariables: {} }),
    ],
  });
  expect(branch.environmentVariables).toEqual({});
});
