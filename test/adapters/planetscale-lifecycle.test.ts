import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { type PlanetscaleWorld, planetscale } from 'pilotfish-sandbox/planetscale/index';
import { describeOp } from '../support/describe-recipe.ts';

const credential =
  ({ world, tokens }: Simulation<PlanetscaleWorld>) =>
  (tier: 'full' | 'readOnly' | 'blind') => ({ PLANETSCALE_SERVICE_TOKEN_ID: world.tokenId, PLANETSCALE_SERVICE_TOKEN: tokens[tier] });
const shop = { organization: 'acme', database: 'shop' };

const types = 'the description gives the types of its answers, and they are held to them';
const typed = {
  'untidy stringified': types,
  'untidy empty-respelled: no as null': types,
  'untidy scalar-or-list: lists of one as their entry': types,
};

describeOp('planetscale.branch', {
  simulate: planetscale,
  subject: (simulation) => {
    const { world, faults } = simulation;
    faults.readyAfter(3);
    for (let n = 100; n < 130; n += 1) world.addBranch(`pr-${n}`);
    world.addBranch('pr-1');
    world.addBranch('staging');
    const sent = { seed_data: 'last_successful_backup', cluster_size: 'PS_20' };
    return {
      credential: credential(simulation),
      params: { ...shop, name: 'pr-12', parent_branch: 'main', region: 'eu-west', deletion_protected: false, ...sent },
      mine: () => world.branches().filter(({ name }) => name === 'pr-12'),
      others: () => world.branches().filter(({ name }) => name !== 'pr-12'),
      stands: { parent_branch: 'main', region: 'eu-west', seeded: true, cluster_name: 'PS_20_AWS_X86', deletion_protected: false },
      edits: { deletion_protected: { deletion_protected: true } },
      fixed: { parent_branch: { parent_branch: 'staging' }, region: { region: 'ap-south' } },
      unseen: Object.fromEntries(Object.keys(sent).map((field) => [field, 'it is used when the branch is made and not shown'])),
      undeclared: { production: true },
      remove: () => world.removeBranch('pr-12'),
      foreign: () => world.addBranch('pr-12'),
      fill: () => Object.assign(world.state, { branchLimit: world.branches().length }),
      slow: {
        hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
        goesOn: () => {
          faults.readyAfter(0);
          for (const branch of world.branches()) branch.pollsLeft = 0;
        },
      },
    };
  },
  skip: {
    ...typed,
    twoMatches: 'the branches of a database have different names',
    'takeOver parent_branch': 'the name is the id, so the new branch has the id of the old one; a test of its own looks at the branch',
    'takeOver region': 'as with another parent',
  },
});

describeOp('planetscale.password', {
  simulate: planetscale,
  subject: (simulation) => {
    const { world } = simulation;
    world.addBranch('pr-12');
    world.addBranch('pr-13');
    world.addPassword('pr-13', 'preview');
    // More than a page of them.
    for (let n = 0; n < 40; n += 1) world.addPassword('pr-12', `preview-${n}`);
    world.addPassword('pr-12', 'preview', { expiresAt: 0, ttl_seconds: 60 });
    const isMine = ({ name, expiresAt }: { name: string; expiresAt: number | null }) => name === 'preview' && expiresAt !== 0;
    const mine = () => world.branch('pr-12').passwords.filter(isMine);
    return {
      credential: credential(simulation),
      params: {
        ...shop,
        branch: 'pr-12',
        name: 'preview',
        role: 'admin',
        replica: false,
        direct_vtgate: false,
        ttl: 86_400,
        cidrs: ['203.0.113.0/24'],
      },
      mine,
      others: () => [world.branch('pr-13'), world.branch('pr-12').passwords.filter((one) => !isMine(one))],
      stands: { role: 'admin', replica: false, direct_vtgate: false, ttl_seconds: 86_400, cidrs: ['203.0.113.0/24'] },
      edits: { cidrs: { cidrs: ['0.0.0.0/0'] } },
      changes: { cidrs: { cidrs: ['203.0.113.0/24', '198.51.100.0/24'] } },
      fixed: { role: { role: 'reader' }, replica: { replica: true }, ttl: { ttl: 3600 }, direct_vtgate: { direct_vtgate: true } },
      remove: () => world.removePassword('pr-12', isMine),
      foreign: () => world.addPassword('pr-12', 'preview'),
      secrets: () => mine().map(({ plain_text }) => plain_text),
    };
  },
  skip: { ...typed, 'untidy write-does-more': 'its name is free of the scope, and another one of that name is refused' },
});
