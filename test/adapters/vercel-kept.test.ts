import { vercel } from 'pilotfish-sandbox/vercel/index';
import { expect, it } from 'vitest';
import { applied, expectLeft, expectQuiet, type KeptStory, openStory, planOf, storyClock, tellKept } from '../support/kept-story.ts';

const gitBranch = 'feat/x';
const line = { adapter: 'vercel', op: 'env', project: 'shop' };
const secret = { secret: 'env://PREVIEW_DATABASE' };
const value = 'postgres://pr-12:hunter22@db.acme.example';

/** Variables of a project in which others have variables of the same keys. */
function storyOf(lines: readonly { readonly key: string; readonly [name: string]: unknown }[]) {
  const clock = storyClock();
  const simulation = vercel({ clock });
  const { world } = simulation;
  world.addBranch(gitBranch);
  const theirs = lines.map(({ key }) => world.setEnv(key, 'theirs', { target: ['production'], gitBranch: null }));
  const all = () => world.project().env;
  const mine = () => lines.flatMap(({ key }) => all().filter((one) => one.key === key && !theirs.includes(one)));
  const story: KeptStory = {
    clock,
    simulation,
    env: { VERCEL_TOKEN: simulation.tokens.full, PREVIEW_DATABASE: value, NEXT_DATABASE: 'postgres://next' },
    lines,
    mine,
    others: () => all().filter((one) => theirs.includes(one)),
  };
  let at = 1_900_000_000_000;
  const edit = (key: string, change: object): void => {
    at += 1;
    const found = mine().find((one) => one.key === key);
    if (!found) throw new Error(`nobody made ${key}`);
    Object.assign(found, change, { updatedAt: at });
  };
  return { story, world, edit };
}

it('variables whose list shows one twice, a target alone or in its own order, and empty members, are made once', async () => {
  const { story, edit } = storyOf([
    { id: 'one', ...line, key: 'ONE', value: 'https://a.example', git_branch: gitBranch, comment: 'preview 12' },
    { id: 'both', ...line, key: 'BOTH', value: 'https://b.example', target: ['preview', 'development'], type: 'plain' },
    { id: 'last', ...line, key: 'LAST', value: 'https://c.example' },
  ]);
  await tellKept({
    ...story,
    stands: [{ comment: 'preview 12' }, { target: expect.arrayContaining(['development', 'preview']) }, { comment: null }],
    edits: [() => edit('ONE', { comment: 'changed' }), () => edit('BOTH', { value: 'changed' })],
  });
});

it('a sensitive value that nobody can read again is written once, and put back when somebody changes its type', async () => {
  const { story, edit } = storyOf([{ id: 'database', ...line, key: 'DATABASE_URL', value: secret, type: 'sensitive' }]);
  await tellKept({ ...story, stands: [{ type: 'sensitive', value }], edits: [() => edit('DATABASE_URL', { type: 'encrypted' })] });
});

it('an encrypted value that a team never sees decrypted is written once, and again when the plan has another', async () => {
  const { story, world, edit } = storyOf([{ id: 'database', ...line, key: 'DATABASE_URL', value: secret }]);
  world.state.keepsCipher = true;
  const stage = await openStory(story);
  const others = structuredClone(story.others());
  await applied(stage, 'the first apply');
  await expectQuiet(story, stage);
  // Nobody can see this.
  edit('DATABASE_URL', { value: 'changed outside' });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  await stage.write(planOf([{ ...story.lines[0], value: { secret: 'env://NEXT_DATABASE' } }]));
  await applied(stage, 'the apply of another value');
  expect(story.mine()).toMatchObject([{ value: 'postgres://next', type: 'encrypted' }]);
  await expectQuiet(story, stage);
  await expectLeft(story, stage, others);
});
