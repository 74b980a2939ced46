import { vercel } from 'pilotfish-sandbox/vercel/index';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const domain = 'pr-12.acme.example';
const branch = 'feat/checkout';

/** A domain that somebody adds in the dashboard. */
const added = (name: string, gitBranch: string | null = null) => ({
  name,
  gitBranch,
  redirect: null,
  redirectStatusCode: null,
  createdAt: Date.parse('2026-11-20T00:00:00Z'),
  updatedAt: Date.parse('2026-11-20T00:00:00Z'),
  challenge: 'vc-domain-verify=theirs',
  verified: true,
});

describeRecipe('vercel.project_domain', {
  simulate: vercel,
  subject: ({ world }) => {
    const { domains } = world.project('shop');
    for (const name of [branch, 'feat/cart']) world.addBranch(name);
    domains.push(added('shop.acme.example'), added('pr-13.acme.example', branch));
    const at = () => domains.findIndex(({ name }) => name === domain);
    return {
      credential: 'VERCEL_TOKEN',
      params: { project: 'shop', domain, git_branch: branch, redirect: 'shop.acme.example', redirect_status_code: 307 },
      mine: () => domains.filter(({ name }) => name === domain),
      others: () => [domains.filter(({ name }) => name !== domain), world.project('plain')],
      stands: { gitBranch: branch, redirect: 'shop.acme.example', redirectStatusCode: 307 },
      edits: {
        gitBranch: { gitBranch: null },
        redirect: { redirect: 'elsewhere.acme.example' },
        redirectStatusCode: { redirectStatusCode: 301 },
      },
      changes: {
        gitBranch: { git_branch: 'feat/cart' },
        redirect: { redirect: 'pr-13.acme.example' },
        redirectStatusCode: { redirect_status_code: 308 },
      },
      undeclared: { verified: false },
      remove: () => domains.splice(at(), 1),
      foreign: () => domains.push(added(domain)),
    };
  },
  skip: { twoMatches: 'a domain stands in a project once' },
});

/** A line of a team's project, by the neutral name of the recipe. */
async function openDomain() {
  const simulation = vercel();
  simulation.world.state.team = { id: 'team_acme', slug: 'acme' };
  simulation.world.addBranch(branch);
  const plan = (change: object = {}) =>
    JSON.stringify({
      version: 1,
      changes: [
        {
          id: 'domain',
          recipe: 'hosting_a.project_domain',
          project: 'shop',
          team_id: 'team_acme',
          domain,
          git_branch: branch,
          ...change,
        },
      ],
    });
  const stage = await openStage({ simulations: [simulation], env: { VERCEL_TOKEN: simulation.tokens.full }, plan: plan() });
  return { simulation, stage, plan };
}

it('a project of a team is reached with the id of the team, at an update and at destroy too', async () => {
  const { simulation, stage, plan } = await openDomain();
  simulation.world.state.verifiesDomains = false;
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect([...(await stage.ledger()).records.values()]).toMatchObject([{ outputs: { hostname: domain, verified: false } }]);
  await stage.write(plan({ redirect: 'shop.acme.example' }));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  await stage.write('changes: [');
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.project().domains).toEqual([]);
  await stage.close();
});

it('a domain of another project is refused and stays there', async () => {
  const { simulation, stage } = await openDomain();
  simulation.world.project('plain').domains.push(added(domain));
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_CONFLICT' } }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.project('plain').domains).toHaveLength(1);
  await stage.close();
});

it('a branch that the repository does not have is told as such, and the next apply goes on', async () => {
  const { simulation, stage, plan } = await openDomain();
  await stage.write(plan({ git_branch: 'feat/new' }));
  const { ok, error } = await stage.apply();
  expect({ ok, code: error?.code }).toEqual({ ok: false, code: 'PROVIDER_INVALID' });
  expect(error?.detail).toContain('feat/new');
  simulation.world.addBranch('feat/new');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.project().domains).toMatchObject([{ name: domain, gitBranch: 'feat/new' }]);
  await stage.close();
});
