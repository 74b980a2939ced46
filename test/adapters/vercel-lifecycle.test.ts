import { vercel } from 'pilotfish-sandbox/vercel/index';
import { describeOp } from '../support/describe-recipe.ts';

const key = 'DATABASE_URL';
const gitBranch = 'feat/x';
const sha = 'a'.repeat(40);

describeOp('vercel.env', {
  simulate: vercel,
  subject: ({ world }) => {
    world.addBranch(gitBranch);
    world.setEnv(key, 'postgres://everyone', { target: ['preview'], gitBranch: null });
    world.setEnv(key, 'postgres://production', { target: ['production'], gitBranch: null });
    const { env } = world.project();
    const isMine = (one: (typeof env)[number]) => one.key === key && one.gitBranch === gitBranch;
    return {
      credential: 'VERCEL_TOKEN',
      env: {
        PREVIEW_DATABASE: 'postgres://pr-12:hunter22@db.acme.example',
        NEXT_DATABASE: 'postgres://pr-12:hunter33@db.acme.example',
      },
      params: {
        project: 'shop',
        key,
        value: { secret: 'env://PREVIEW_DATABASE' },
        git_branch: gitBranch,
        type: 'encrypted',
        comment: 'preview 12',
      },
      mine: () => env.filter(isMine),
      others: () => env.filter((one) => !isMine(one)),
      stands: { value: 'postgres://pr-12:hunter22@db.acme.example', type: 'encrypted', target: ['preview'], comment: 'preview 12' },
      edits: {
        // The provider notes each change of a variable.
        value: { value: 'postgres://elsewhere', updatedAt: 1_800_000_000_001 },
        type: { type: 'plain', updatedAt: 1_800_000_000_002 },
        comment: { comment: 'changed', updatedAt: 1_800_000_000_003 },
      },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE' } }, comment: { comment: 'preview 12, changed' } },
      remove: () => world.removeEnv(key, { gitBranch }),
      fill: () => Object.assign(world.state, { envLimit: env.length }),
      foreign: () => world.setEnv(key, 'postgres://somebody', { target: ['preview'], gitBranch }),
    };
  },
  skip: {
    twoMatches: 'a project has one variable of a key, target and branch',
    'untidy set-semantics: doubles': 'the variable that was made is known in the answer by its targets, of which each stands there once',
  },
});

/** Of a sensitive value nobody sees more than that it is there. */
describeOp('vercel.env', {
  simulate: vercel,
  subject: ({ world }) => {
    world.addBranch(gitBranch);
    world.setEnv(key, 'postgres://branch', { target: ['preview'], gitBranch });
    const { env } = world.project();
    const isMine = (one: (typeof env)[number]) => one.key === key && one.gitBranch === null;
    const values = {
      PREVIEW_DATABASE: 'postgres://pr-12:hunter22@db.acme.example',
      NEXT_DATABASE: 'postgres://pr-12:hunter33@db.acme.example',
    };
    return {
      credential: 'VERCEL_TOKEN',
      env: values,
      params: { project: 'shop', key, value: { secret: 'env://PREVIEW_DATABASE' }, type: 'sensitive', target: ['preview'] },
      mine: () => env.filter(isMine),
      others: () => env.filter((one) => !isMine(one)),
      stands: { value: values.PREVIEW_DATABASE, type: 'sensitive', target: ['preview'], gitBranch: null },
      edits: { type: { type: 'encrypted', updatedAt: 1_800_000_000_002 } },
      unseen: { value: 'a sensitive value is in no answer' },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE' } } },
      remove: () => world.removeEnv(key, { gitBranch: null }),
      fill: () => Object.assign(world.state, { envLimit: env.length }),
      foreign: () => world.setEnv(key, 'postgres://somebody', { target: ['preview'], gitBranch: null }),
    };
  },
  skip: {
    twoMatches: 'a project has one variable of a key, target and branch',
    'untidy set-semantics: doubles': 'the variable that was made is known in the answer by its targets, of which each stands there once',
  },
});

describeOp('vercel.deploy', {
  kind: 'wait',
  simulate: vercel,
  subject: ({ world }) => {
    world.push('other', 'b'.repeat(40));
    const deployment = world.push(gitBranch, sha);
    return {
      credential: 'VERCEL_TOKEN',
      run: { sha },
      params: { project: 'shop' },
      mine: () => world.deployments().filter((one) => one.sha === sha),
      others: () => world.deployments().filter((one) => one.sha !== sha),
      stands: { readyState: 'READY', source: 'git' },
      fails: () => world.settle(deployment, 'ERROR'),
      hangs: () => Object.assign(deployment, { isHeld: true }),
      requests: { create: { method: 'GET' } },
    };
  },
});

describeOp('vercel.address', {
  kind: 'wait',
  simulate: vercel,
  subject: ({ world }) => {
    world.addProject('docs');
    return {
      credential: 'VERCEL_TOKEN',
      run: { branch: gitBranch },
      params: { project: 'shop', team: 'acme' },
      mine: () => [world.project()],
      others: () => [world.project('docs')],
      requests: { create: { method: 'GET' } },
    };
  },
  skip: { wait: 'the address is known, or the line is wrong: nothing is waited for' },
});
