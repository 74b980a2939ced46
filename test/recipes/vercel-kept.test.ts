import { vercel } from 'pilotfish-sandbox/vercel/index';
import { expect, it } from 'vitest';
import { type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

const branch = 'feat/checkout';
const domain = 'pr-12.acme.example';
const line = { recipe: 'vercel.project_domain', project: 'shop', git_branch: branch };

/** A domain, and one that redirects to it, in a project without domains. */
function storyOf(redirect: unknown) {
  const clock = storyClock();
  const simulation = vercel({ clock });
  const { world } = simulation;
  for (const name of [branch, 'feat/cart']) world.addBranch(name);
  const story: KeptStory = {
    clock,
    simulation,
    env: { VERCEL_TOKEN: simulation.tokens.full },
    lines: [
      { id: 'www', ...line, domain: `www.${domain}`, redirect },
      { id: 'bare', ...line, domain },
    ],
    mine: () => world.project().domains,
    others: () => world.project('plain'),
  };
  return { story, world };
}

it('a domain that another one redirects to goes after it, and the domain above them stays with the team', async () => {
  const { story, world } = storyOf({ from: 'bare.hostname' });
  await tellKept({ ...story, edits: [() => void Object.assign(world.project().domains[0] ?? {}, { gitBranch: 'feat/cart' })] });
  expect(world.state.teamDomains).toEqual(['acme.example']);
});

it('a domain to which another one redirects by its text is said to go later, and goes with the next destroy', async () => {
  const { story } = storyOf(domain);
  const stage = await openStory(story);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(await stage.destroy()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_CONFLICT', detail: expect.stringContaining('redirects to'), fix: expect.stringContaining('`from`') },
  });
  expect(story.mine()).toMatchObject([{ name: domain }]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(story.mine()).toEqual([]);
});
