import { supabase } from 'pilotfish-sandbox/supabase/index';
import { describeOp } from '../support/describe-recipe.ts';

const ref = 'shopshopshopshopshop';
const created = { region: 'eu-central-1', desired_instance_size: 'micro', release_channel: 'ga', postgres_engine: '17' };

const types = 'the description gives the types of its answers, and they are held to them';

describeOp('supabase.branch', {
  simulate: supabase,
  skip: {
    'untidy stringified': types,
    'untidy empty-respelled: no as null': types,
    'untidy default-dropped: no and nothing': types,
    'untidy scalar-or-list: texts as lists of one': types,
  },
  subject: ({ faults, world }) => {
    const { state } = world;
    faults.readyAfter(2);
    world.addProject(ref);
    world.addBranch(ref, 'pr-13');
    world.addProject('otherotherotherother');
    world.addBranch('otherotherotherother', 'pr-12');
    const mine = () => world.branches(ref).filter(({ name }) => name === 'pr-12');
    return {
      credential: 'SUPABASE_ACCESS_TOKEN',
      env: { MAIL_KEY: 'mail-key-0123456789' },
      params: {
        project_ref: ref,
        branch_name: 'pr-12',
        git_branch: 'feature/cart',
        persistent: false,
        notify_url: 'https://ci.acme.example/supabase',
        with_data: false,
        secrets: { MAIL_KEY: { secret: 'env://MAIL_KEY' } },
        ...created,
      },
      mine,
      others: () => state.branches.filter((one) => !mine().includes(one)).map((one) => [one, state.projects[one.project_ref]]),
      stands: {
        git_branch: 'feature/cart',
        persistent: false,
        with_data: false,
        made: { ...created, secrets: { MAIL_KEY: 'mail-key-0123456789' } },
      },
      edits: {
        git_branch: { git_branch: undefined },
        persistent: { persistent: true },
        notify_url: { notify_url: 'https://elsewhere.example' },
      },
      changes: { git_branch: { git_branch: 'feature/search' }, notify_url: { notify_url: 'https://ci.acme.example/other' } },
      fixed: { with_data: { with_data: true } },
      unseen: Object.fromEntries([...Object.keys(created), 'secrets'].map((field) => [field, 'it is sent on create only'])),
      undeclared: { pr_number: 12 },
      remove: () => world.removeBranch(ref, 'pr-12'),
      foreign: () => world.addBranch(ref, 'pr-12'),
      fill: () => Object.assign(state, { branchLimit: 1 }),
      slow: {
        hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
        goesOn: () => {
          faults.readyAfter(0);
          for (const branch of mine()) Object.assign(world.projectOf(branch), { pollsLeft: 0, status: 'ACTIVE_HEALTHY' });
        },
        fails: () => Object.assign(state, { end: 'INIT_FAILED' }),
      },
      secrets: () =>
        mine().flatMap((branch) => {
          const { db_pass, jwt_secret, keys } = world.projectOf(branch);
          return [db_pass, jwt_secret, ...keys.map(({ api_key }) => api_key)];
        }),
    };
  },
});

const own = 'https://pr-12.acme.example/**';
const theirs = 'https://pr-13.acme.example/**';

describeOp('supabase.auth_redirect', {
  simulate: supabase,
  subject: ({ world }) => {
    const project = world.addProject(ref);
    project.uri_allow_list = ` ${theirs},http://localhost:3000`;
    world.addProject('otherotherotherother').uri_allow_list = own;
    const entries = () => (project.uri_allow_list ?? '').split(',').filter((entry) => entry !== '');
    const put = (list: readonly string[]) => {
      project.uri_allow_list = list.join(',');
    };
    return {
      credential: 'SUPABASE_ACCESS_TOKEN',
      params: { project_ref: ref, url: own },
      mine: () => entries().filter((entry) => entry === own),
      others: () => ({ ...world.state.projects, [ref]: { ...project, uri_allow_list: entries().filter((entry) => entry !== own) } }),
      remove: () => put(entries().filter((entry) => entry !== own)),
      foreign: () => put([...entries(), own]),
      requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
    };
  },
  skip: { twoMatches: 'an entry is its own name: two of them are one' },
});
