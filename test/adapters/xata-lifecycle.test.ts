import { xata } from 'pilotfish-sandbox/xata';
import { describeOp } from '../support/describe-recipe.ts';

describeOp('xata.branch', {
  simulate: xata,
  subject: ({ faults, world }) => {
    faults.readyAfter(2);
    const { id: parent_id } = world.addProject('acme', 'shop');
    world.addBranch('acme', 'shop', 'pr-13');
    world.addProject('acme', 'other');
    world.addBranch('acme', 'other', 'pr-12');
    const mine = () => world.branches('acme', 'shop').filter(({ name }) => name === 'pr-12');
    const made = { parent_id, description: 'Preview of 12', scale_to_zero_minutes: 15 };
    return {
      credential: 'XATA_API_KEY',
      params: { organization_id: 'acme', project_id: 'shop', name: 'pr-12', ...made },
      mine,
      others: () => [world.branches('acme', 'shop').filter(({ name }) => name !== 'pr-12'), world.branches('acme', 'other')],
      stands: { parentID: parent_id, description: 'Preview of 12', scaleToZero: { enabled: true, inactivityPeriodMinutes: 15 } },
      edits: {},
      unseen: Object.fromEntries(Object.keys(made).map((field) => [field, 'only that the branch exists is compared'])),
      undeclared: { publicAccess: false, description: 'changed by hand' },
      remove: () => world.removeBranch('acme', 'shop', 'pr-12'),
      foreign: () => world.addBranch('acme', 'shop', 'pr-12'),
      slow: {
        hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
        goesOn: () => {
          faults.readyAfter(0);
          for (const branch of mine()) Object.assign(branch, { pollsLeft: 0, statusType: 'STATUS_TYPE_HEALTHY' });
        },
        fails: () => Object.assign(world.state, { end: 'STATUS_TYPE_FAULT' }),
      },
      secrets: () => mine().flatMap((branch) => [branch.password, world.uri(branch)]),
    };
  },
  skip: { twoMatches: 'the branches of a project have different names' },
});
