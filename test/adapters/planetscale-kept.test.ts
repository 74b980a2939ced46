import { planetscale } from 'pilotfish-sandbox/planetscale/index';
import { expect, it } from 'vitest';
import { applied, expectLeft, expectQuiet, type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

const place = { adapter: 'planetscale', organization: 'acme', database: 'shop' };

/** A branch and passwords of it, in a database in which others have passwords of the same names. */
function storyOf(passwords: readonly object[]) {
  const clock = storyClock();
  const simulation = planetscale({ clock });
  const { world } = simulation;
  world.addBranch('pr-13');
  for (const name of ['preview', 'office']) world.addPassword('pr-13', name);
  const branch = () => world.branches().find(({ name }) => name === 'pr-12');
  const story: KeptStory = {
    clock,
    simulation,
    env: { PLANETSCALE_SERVICE_TOKEN_ID: world.tokenId, PLANETSCALE_SERVICE_TOKEN: simulation.tokens.full },
    lines: [
      { id: 'database', ...place, op: 'branch', name: 'pr-12', cluster_size: 'PS_10' },
      ...passwords.map((one, i) => ({ id: `login-${i}`, ...place, op: 'password', branch: { from: 'database.name' }, ...one })),
    ],
    mine: () => [branch()].flatMap((one) => (one ? [one, ...one.passwords.toSorted((a, b) => a.name.localeCompare(b.name))] : [])),
    others: () => world.branches().filter(({ name }) => name !== 'pr-12'),
  };
  return { story, world, branch };
}

it('a branch that is ready only later, whose size is shown with its cloud, is made once, and its passwords after it', async () => {
  const { story, branch } = storyOf([{ name: 'preview', role: 'readwriter' }]);
  await tellKept({ ...story, stands: [{ cluster_name: 'PS_10_AWS_X86', ready: true }, { role: 'readwriter' }] });
  expect(branch()).toBeUndefined();
});

it('ranges of a password that are none are shown as null, and those of a plan are put back', async () => {
  const cidrs = ['203.0.113.0/24'];
  const { story, branch } = storyOf([{ name: 'preview' }, { name: 'office', cidrs }]);
  await tellKept({
    ...story,
    stands: [{}, { name: 'office', cidrs }, { name: 'preview', cidrs: null }],
    edits: [() => void Object.assign(branch()?.passwords.find(({ name }) => name === 'office') ?? {}, { cidrs: null })],
  });
});

it('of a password whose text only its create shows one stands, also where the answer with the text was lost', async () => {
  const { story, world } = storyOf([{ name: 'preview' }]);
  const stage = await openStory(story);
  const others = structuredClone(story.others());
  const lost = story.simulation.faults.loseAnswer({ method: 'POST', path: /\/passwords$/ });
  await applied(stage, 'the first apply');
  expect(lost.hits).toBe(1);
  await expectQuiet(story, stage);
  const texts = world.branch('pr-12').passwords.map(({ plain_text }) => plain_text);
  expect(await stage.bytes()).not.toContain(texts[0] ?? 'no text');
  await expectLeft(story, stage, others);
});
