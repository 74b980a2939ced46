import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { describeOp } from '../support/describe-recipe.ts';

const account_id = '023e105f4ecef8ad9ca31a8372d0c353';
const project_name = 'shop';
const name = 'DATABASE_URL';
const env = { PREVIEW_DATABASE: 'libsql://pr-12.acme.example', NEXT_DATABASE: 'libsql://next.acme.example' };
const requests = { create: { method: 'PATCH' }, remove: { method: 'PATCH' } } as const;
const skip = {
  'untidy scalar-or-list: texts as lists of one': 'a variable is one text in its description',
  twoMatches: 'a name holds one value',
};

/** A project with what others have in it, and one more of the same variable. */
function open(world: ReturnType<typeof cloudflare>['world']) {
  const project = world.addPages(account_id, project_name, {
    API_URL: { type: 'plain_text', value: 'https://api.acme.example' },
    TOKEN: { type: 'secret_text', value: 'theirs-12345678' },
  });
  project.configs.production.env_vars[name] = { type: 'plain_text', value: 'libsql://production' };
  const other = world.addPages(account_id, 'docs', { [name]: { type: 'plain_text', value: 'libsql://docs' } });
  const { env_vars: vars } = project.configs.preview;
  return {
    vars,
    mine: () => Object.entries(vars).flatMap(([key, one]) => (key === name ? [one] : [])),
    others: () => [Object.entries(vars).filter(([key]) => key !== name), project.configs.production, other],
    remove: () => {
      delete vars[name];
    },
  };
}

/** A value that can be read is compared. */
describeOp('cloudflare.pages_env', {
  simulate: cloudflare,
  subject: ({ world }) => {
    const { vars, ...rest } = open(world);
    return {
      ...rest,
      credential: 'CLOUDFLARE_API_TOKEN',
      env,
      params: { account_id, project_name, name, value: { secret: 'env://PREVIEW_DATABASE' }, type: 'plain_text' },
      stands: { type: 'plain_text', value: env.PREVIEW_DATABASE },
      edits: { value: { value: 'libsql://elsewhere' } },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE' } } },
      foreign: () => Object.assign(vars, { [name]: { type: 'plain_text', value: 'libsql://somebody' } }),
      requests,
    };
  },
  skip,
});

/** Of a secret nobody sees more than that it is there. */
describeOp('cloudflare.pages_env', {
  simulate: cloudflare,
  subject: ({ world }) => {
    const { vars, ...rest } = open(world);
    return {
      ...rest,
      credential: 'CLOUDFLARE_API_TOKEN',
      env,
      params: { account_id, project_name, name, value: { secret: 'env://PREVIEW_DATABASE' } },
      stands: { type: 'secret_text', value: env.PREVIEW_DATABASE },
      edits: { value: { type: 'plain_text' } },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE' } } },
      foreign: () => Object.assign(vars, { [name]: { type: 'secret_text', value: 'libsql://somebody' } }),
      requests,
    };
  },
  skip,
});

const sha = 'a'.repeat(40);

describeOp('cloudflare.pages_deploy', {
  kind: 'wait',
  simulate: cloudflare,
  subject: ({ world, faults }) => {
    faults.readyAfter(2);
    const project = world.addPages(account_id, project_name);
    world.deployPages(project, 'feat/x', 'b'.repeat(40));
    const deployment = world.deployPages(project, 'feat/x', sha);
    return {
      credential: 'CLOUDFLARE_API_TOKEN',
      run: { sha },
      params: { account_id, project_name, address: 'feat-x.shop.pages.dev' },
      mine: () => project.deployments.filter((one) => one === deployment),
      others: () => project.deployments.filter((one) => one !== deployment).map(({ id }) => id),
      stands: { stage: 'deploy', status: 'success' },
      fails: () => Object.assign(deployment, { stage: 'build', status: 'failure' }),
      hangs: () => Object.assign(deployment, { isHeld: true }),
      requests: { create: { method: 'GET' } },
    };
  },
});

describeOp('cloudflare.pages_address', {
  kind: 'wait',
  simulate: cloudflare,
  subject: ({ world }) => {
    const project = world.addPages(account_id, project_name);
    return {
      credential: 'CLOUDFLARE_API_TOKEN',
      run: { branch: 'feat/x' },
      params: { account_id, project_name },
      mine: () => [project],
      others: () => [],
      requests: { create: { method: 'GET' } },
    };
  },
  skip: { wait: 'the address is known, or the line is wrong: nothing is waited for' },
});
