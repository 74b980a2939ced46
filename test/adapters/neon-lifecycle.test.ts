import { neon } from 'pilotfish-sandbox/neon/index';
import { expect } from 'vitest';
import { describeOp } from '../support/describe-recipe.ts';

describeOp('neon.branch', {
  simulate: neon,
  subject: ({ faults, world }) => {
    faults.readyAfter(2);
    world.addBranch('pr-13');
    world.addBranch('staging');
    const created = { min_cu: 0.25, max_cu: 1, suspend_timeout_seconds: 300 };
    return {
      credential: 'NEON_API_KEY',
      params: {
        project_id: world.project,
        name: 'pr-12',
        parent: 'main',
        init_source: 'parent-data',
        expires_at: '2027-01-31T00:00:00Z',
        protected: false,
        ...created,
      },
      mine: () => world.branches().filter(({ name }) => name === 'pr-12'),
      // Reads alone move a branch on to being ready.
      others: () =>
        world
          .branches()
          .filter(({ name }) => name !== 'pr-12')
          .map(({ pollsLeft: _, current_state: __, ...rest }) => rest),
      stands: {
        parent_id: world.branch('main')?.id,
        init_source: 'parent-data',
        expires_at: expect.stringMatching(/^2027-01-31T00:00:00/),
        isProtected: false,
        endpoints: [{ type: 'read_write', autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 300 }],
      },
      edits: { expires_at: { expires_at: null }, protected: { isProtected: true } },
      changes: { expires_at: { expires_at: '2027-02-28T00:00:00Z' } },
      fixed: { parent: { parent: 'staging' }, init_source: { init_source: 'schema-only' } },
      unseen: Object.fromEntries(Object.keys(created).map((field) => [field, 'the size of the compute is sent on create only'])),
      remove: () => world.removeBranch('pr-12'),
      slow: {
        hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
        goesOn: () => {
          faults.readyAfter(0);
          for (const branch of world.branches()) branch.pollsLeft = 0;
        },
        fails: () => {
          for (const project of Object.values(world.state.projects)) project.ends = 'failed';
        },
      },
      fill: () => Object.assign(world.state, { branchLimit: 3 }),
      foreign: () => world.addBranch('pr-12'),
      secrets: () => world.branches().flatMap(({ roles }) => roles.map(({ password }) => password)),
    };
  },
  skip: { twoMatches: 'the branches of a project have different names' },
});
