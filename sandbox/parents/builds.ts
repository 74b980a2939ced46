import type { cloudflare } from '../cloudflare.ts';
import type { Pushed } from '../git/pushes.ts';
import type { Simulation } from '../kit/types.ts';
import type { netlify } from '../netlify/index.ts';
import type { vercel } from '../vercel/index.ts';

type WorldOf<T> = T extends (...given: never) => { readonly world: infer W } ? W : never;

/** The pull request of every branch but the main one. */
const pull = 12;

/** Builds a branch at every project of a host that has no build of its commit. */
const builders: { readonly [provider: string]: (world: unknown, pushed: Pushed) => void } = {
  vercel: (given, { branch, sha }) => {
    const world = given as WorldOf<typeof vercel>;
    for (const { id, repository } of [...world.state.projects]) {
      const isBuilt = world.state.deployments.some((one) => one.projectId === id && one.sha === sha && one.ref === branch);
      if (repository && !isBuilt) world.push(branch, sha, id);
    }
  },
  netlify: (given, { branch, sha }) => {
    const world = given as WorldOf<typeof netlify>;
    const what = branch === 'main' ? { context: 'production' } : { context: 'deploy-preview', review_id: pull };
    const sites = new Set(Object.values(world.state.accounts).flatMap((account) => account.sites));
    for (const { id, deploys } of sites) {
      const isBuilt = deploys.some((one) => one.branch === branch && one.commit_ref === sha);
      if (!isBuilt) world.deploy(id, { ...what, branch, commit_ref: sha });
    }
  },
  cloudflare: (given, { branch, sha }) => {
    const world = given as WorldOf<typeof cloudflare>;
    for (const project of Object.values(world.state.pages.accounts).flatMap((account) => Object.values(account))) {
      const isBuilt = project.deployments.some((one) => one.branch === branch && one.commit === sha);
      if (!isBuilt) world.deployPages(project, branch, sha);
    }
  },
};

/** A host that a code host tells of pushes builds each branch at once, with the variables of that moment. A new project builds what is there. */
export function build(name: string, simulation: Simulation, heads: readonly Pushed[]): void {
  // What pilotfish keeps in the repository is no branch of an app.
  for (const head of heads) if (!head.branch.startsWith('pilotfish-')) builders[name]?.(simulation.world, head);
}

/** The providers that build. */
export const isBuilder = (name: string): boolean => Object.hasOwn(builders, name);
