import { vercel } from 'pilotfish-sandbox/vercel/index';
import type { Scene } from '../scene.ts';

const branch = 'feature';
const sha = '1'.repeat(40);
const key = 'API_URL';

/** A variable, and the deployment that must have it: one that was built before is built again. */
export const redeploy: Scene = {
  family: 'vercel.env+deploy',
  kind: 'object',
  open: (clock) => {
    const simulation = vercel({ clock });
    const { world, tokens } = simulation;
    // The host has built it already, without the variable.
    Object.assign(world.push(branch, sha), { createdAt: clock.now() - 60_000 });
    const { env } = world.project();
    world.setEnv(key, 'https://acme.example', { target: ['production'], gitBranch: null });
    const plan = (value: string): string =>
      JSON.stringify({
        version: 1,
        changes: [
          { id: 'url', adapter: 'vercel', op: 'env', project: 'shop', key, value: { public: value }, git_branch: branch },
          { id: 'deploy', adapter: 'vercel', op: 'deploy', project: 'shop', depends_on: ['url'] },
        ],
      });
    return {
      simulations: [simulation],
      env: { VERCEL_TOKEN: tokens.full },
      run: { sha, branch },
      plans: { first: plan('https://pr-12.acme.example'), updated: plan('https://pr-12b.acme.example') },
      recreate: ['url'],
      drift: () => {
        for (const one of env) if (one.gitBranch === branch) Object.assign(one, { value: 'https://elsewhere.example' });
      },
      remove: () => world.removeEnv(key, { gitBranch: branch }),
      mine: () => [
        ...env.filter(({ gitBranch }) => gitBranch === branch).map(({ value, target, type }) => ({ value, target, type })),
        { isBuiltWithIt: isBuiltWithIt() },
      ],
      others: () => env.filter(({ gitBranch }) => gitBranch !== branch),
    };

    /** What the preview shows was built after its variable was written. */
    function isBuiltWithIt(): boolean {
      const [variable] = env.filter(({ gitBranch }) => gitBranch === branch);
      const newest = world
        .deployments()
        .filter((one) => one.sha === sha)
        .reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
      return variable === undefined || newest >= variable.updatedAt;
    }
  },
};
