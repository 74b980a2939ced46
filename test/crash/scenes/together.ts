import { netlify } from 'pilotfish-sandbox/netlify/index';
import type { Scene } from '../scene.ts';

const site = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
const branch = 'feature';
const places = [
  { key: 'API_URL', context_parameter: branch },
  { key: 'CACHE_URL', context_parameter: branch },
  { key: 'CACHE_URL', context: 'deploy-preview' },
  { key: 'SEARCH_URL', context_parameter: branch },
];

const planOf = (value: string): string =>
  JSON.stringify({
    version: 1,
    changes: places.map((place, i) => ({
      id: `line-${i}`,
      adapter: 'netlify',
      op: 'env',
      account_id: 'acme',
      site_id: site,
      value: `https://${value}-${i}.example`,
      ...place,
    })),
  });

/** Lines that are made together by requests of two kinds: those whose variable is new, and those that join another's. */
export const together: Scene = {
  family: 'netlify.env, four at once',
  kind: 'object',
  open: (clock) => {
    const simulation = netlify({ clock });
    const { world, tokens } = simulation;
    world.addSite('acme', site);
    for (const key of ['API_URL', 'SEARCH_URL']) world.setValue(site, key, 'https://theirs.example', { branch: 'main' });
    const all = () =>
      ['API_URL', 'CACHE_URL', 'SEARCH_URL'].flatMap((key) => (world.variable(site, key)?.values ?? []).map((one) => ({ key, one })));
    const isMine = ({ one }: { readonly one: { readonly context_parameter?: string } }): boolean => one.context_parameter !== 'main';
    const nameOf = ({ key, one }: { readonly key: string; readonly one: { readonly context: string } }): string => `${key} ${one.context}`;
    return {
      simulations: [simulation],
      env: { NETLIFY_AUTH_TOKEN: tokens.full },
      plans: { first: planOf('pr-12'), updated: planOf('next') },
      mine: () =>
        all()
          .filter(isMine)
          .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
      others: () => all().filter((each) => !isMine(each)),
      recreate: ['line-1'],
      drift: () => {
        for (const each of all().filter(isMine)) each.one.value = 'https://by-hand.example';
      },
      remove: () => world.removeValue(site, 'SEARCH_URL', { context: 'branch', branch }),
    };
  },
};
