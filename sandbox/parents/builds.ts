import type { cloudflare } from '../cloudflare.ts';
import type { Pushed } from '../git/pushes.ts';
import type { Simulation } from '../kit/types.ts';
import type { netlify } from '../netlify/index.ts';
import type { vercel } from '../vercel/index.ts';

type WorldOf<T> = T extends (...given: never) => { readonly world: infer W } ? W : never;

/** The pull request of every branch but the main one. */
const pull = 12;

const builders: { readonly [provider: string]: (world: unknown, pushed: Pushed) => void } = {
  vercel: (given, { branch, sha }) => {
    const world = given as WorldOf<typeof vercel>;
    for (const { id, repository } of [...world.state.projects]) if (repository) world.push(branch, sha, id);
  },
  netlify: (given, { branch, sha }) => {
    const world = given as WorldOf<typeof netlify>;
    const what = branch === 'main' ? { context: 'production' } : { context: 'deploy-preview', review_id: pull };
    const sites = Object.values(world.state.accounts).flatMap(({ sites: own }) => own.map(({ id }) => id));
    for (const id of new Set(sites)) world.deploy(id, { ...what, branch, commit_ref: sha });
  },
  cloudflare: (given, { branch, sha }) => {
    const world = given as WorldOf<typeof cloudflare>;
    for (const projects of Object.values(world.state.pages.accounts))
      for (const project of Object.values(projects)) world.deployPages(project, branch, sha);
  },
};

/** Hosts that a code host tells of pushes build each branch at once, with the variables of that moment. */
export function build(providers: readonly { readonly name: string; readonly simulation: Simulation }[], pushed: readonly Pushed[]): void {
  for (const one of pushed) {
    // What pilotfish keeps in the repository is no branch of an app.
    if (one.branch.startsWith('pilotfish-')) continue;
    for (const { name, simulation } of providers) builders[name]?.(simulation.world, one);
  }
}

/** The providers that `build` changes. */
export const isBuilder = (name: string): boolean => Object.hasOwn(builders, name);
