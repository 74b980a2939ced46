import { netlify } from 'pilotfish-sandbox/netlify/index';
import { describeOp } from '../support/describe-recipe.ts';

const account_id = 'acme';
const site_id = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
const key = 'DATABASE_URL';
const context_parameter = 'feat/x';
const env = {
  PREVIEW_DATABASE: 'postgres://pr-12:hunter22@db.acme.example',
  NEXT_DATABASE: 'postgres://pr-12:hunter33@db.acme.example',
};

const types = 'the description gives the types of its answers, and they are held to them';
const typed = {
  'untidy answer-differs: sent to writes, in capitals to reads': 'a context is one of its words, and of a branch the case counts in git',
  'untidy stringified': types,
  'untidy scalar-or-list': types,
  'untidy silently-dropped': types,
  'untidy shown-otherwise': types,
  'untidy write-does-more': 'a variable has one value of a context and branch',
};

describeOp('netlify.env', {
  simulate: netlify,
  subject: ({ world }) => {
    world.addSite(account_id, site_id);
    world.addSite(account_id, 'docs');
    world.setValue(site_id, key, 'postgres://everyone', { context: 'deploy-preview' });
    world.setValue(site_id, key, 'postgres://other', { branch: 'feat/y' });
    world.setValue(site_id, 'API_URL', 'https://api.acme.example', { branch: context_parameter });
    world.setValue('docs', key, 'postgres://docs', { branch: context_parameter });
    const values = () => world.variable(site_id, key)?.values ?? [];
    const isMine = (one: { readonly context_parameter?: string }) => one.context_parameter === context_parameter;
    return {
      credential: 'NETLIFY_AUTH_TOKEN',
      env,
      params: { account_id, site_id, key, value: { secret: 'env://PREVIEW_DATABASE' }, context_parameter },
      mine: () => values().filter(isMine),
      others: () => [
        values().filter((one) => !isMine(one)),
        world.variable(site_id, key)?.scopes,
        world.variable(site_id, 'API_URL'),
        world.variable('docs', key),
      ],
      stands: { value: env.PREVIEW_DATABASE, context: 'branch', context_parameter },
      edits: { value: { value: 'postgres://elsewhere' } },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE' } } },
      remove: () => world.removeValue(site_id, key, { context: 'branch', branch: context_parameter }),
      foreign: () => world.setValue(site_id, key, 'postgres://somebody', { branch: context_parameter }),
      late: { reads: { method: 'GET' }, seconds: 2 },
      requests: { create: { method: 'PATCH' } },
    };
  },
  skip: { ...typed, twoMatches: 'a variable has one value of a branch', 'untidy case-folded': 'of a branch the case counts in git' },
});

/** The first value of a key makes the variable, with what belongs to the variable as a whole. */
describeOp('netlify.env', {
  simulate: netlify,
  subject: ({ world }) => {
    const site = world.addSite(account_id, site_id);
    world.setValue(site_id, 'API_URL', 'https://api.acme.example', { context: 'deploy-preview' });
    return {
      credential: 'NETLIFY_AUTH_TOKEN',
      env,
      params: {
        account_id,
        site_id,
        key,
        value: { secret: 'env://PREVIEW_DATABASE' },
        context: 'deploy-preview',
        secret: true,
        scopes: ['runtime', 'functions'],
      },
      mine: () => site.variables.filter((one) => one.key === key),
      others: () => site.variables.filter((one) => one.key !== key),
      stands: {
        scopes: ['functions', 'runtime'],
        is_secret: true,
        values: [{ value: env.PREVIEW_DATABASE, context: 'deploy-preview' }],
      },
      edits: { secret: { is_secret: false }, scopes: { scopes: ['builds'] } },
      unseen: { value: 'a secret is never read' },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE' } }, scopes: { scopes: ['functions', 'builds'] } },
      remove: () => world.removeValue(site_id, key, { context: 'deploy-preview' }),
      foreign: () => world.setValue(site_id, key, 'postgres://somebody', { context: 'deploy-preview', secret: true }),
    };
  },
  skip: {
    ...typed,
    twoMatches: 'a variable has one value of a context',
    'untidy case-folded': 'the answer to a write is told by its value, which is a secret',
  },
});

const sha = 'a'.repeat(40);

describeOp('netlify.deploy', {
  kind: 'wait',
  simulate: netlify,
  subject: ({ world, faults }) => {
    faults.readyAfter(2);
    const site = world.addSite(account_id, site_id);
    world.deploy(site_id, { context: 'branch-deploy', branch: 'feat/x', commit_ref: sha });
    const deploy = world.deploy(site_id, { context: 'deploy-preview', branch: 'feat/x', commit_ref: sha, review_id: 12 });
    return {
      credential: 'NETLIFY_AUTH_TOKEN',
      run: { sha, branch: 'feat/x' },
      params: { site_id, address: `deploy-preview-12--${site_id}.netlify.app` },
      mine: () => site.deploys.filter((one) => one === deploy),
      others: () => site.deploys.filter((one) => one !== deploy).map(({ id }) => id),
      stands: { state: 'ready' },
      fails: () => Object.assign(deploy, { state: 'error' }),
      hangs: () => Object.assign(deploy, { isHeld: true }),
      requests: { create: { method: 'GET' } },
    };
  },
});

describeOp('netlify.address', {
  kind: 'wait',
  simulate: netlify,
  subject: ({ world }) => {
    const site = world.addSite(account_id, site_id);
    return {
      credential: 'NETLIFY_AUTH_TOKEN',
      params: { site_id, pull_request: '12' },
      mine: () => [site],
      others: () => [],
      requests: { create: { method: 'GET' } },
    };
  },
  skip: { wait: 'the address is known, or the line is wrong: nothing is waited for' },
});
