import { vercel } from 'pilotfish-sandbox/vercel/index';
import type { Scene } from '../scene.ts';

const gitBranch = 'feature';
const keys = ['API_URL', 'CACHE_URL', 'SEARCH_URL'];

const planOf = (value: (key: string) => string): string =>
  JSON.stringify({
    version: 1,
    changes: keys.map((key) => ({
      id: key.toLowerCase().replaceAll('_', '-'),
      adapter: 'vercel',
      op: 'env',
      project: 'shop',
      key,
      value: value(key),
      git_branch: gitBranch,
    })),
  });

/** Three lines that one request makes: a cut of it is a cut of all three. */
export const bulk: Scene = {
  family: 'vercel.env, three at once',
  kind: 'object',
  open: (clock) => {
    const simulation = vercel({ clock });
    const { world, tokens } = simulation;
    world.addBranch(gitBranch);
    world.setEnv('API_URL', 'https://api.acme.example', { target: ['preview'], gitBranch: null });
    const isMine = ({ gitBranch: of }: { readonly gitBranch: string | null }): boolean => of === gitBranch;
    return {
      simulations: [simulation],
      env: { VERCEL_TOKEN: tokens.full },
      plans: { first: planOf((key) => `https://${key}.pr-12.example`), updated: planOf((key) => `https://${key}.next.example`) },
      mine: () =>
        world
          .project()
          .env.filter(isMine)
          .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      others: () => world.project().env.filter((one) => !isMine(one)),
      recreate: ['cache-url'],
      drift: () => {
        for (const one of world.project().env) if (isMine(one)) world.setEnv(one.key, 'https://by-hand.example', { gitBranch });
      },
      remove: () => world.removeEnv('SEARCH_URL', { gitBranch }),
    };
  },
};
