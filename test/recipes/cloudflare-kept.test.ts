import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { expect, it } from 'vitest';
import { applied, expectQuiet, type KeptStory, openStory, planOf, storyClock, tellKept } from '../support/kept-story.ts';

const zone_id = '5f0c1d2e3b4a59687786a5b4c3d2e1f0';
const full = 'pr-12.preview.acme.example';
const target = 'cname.vercel-dns.com';

/** One record of a zone in which others have records too. */
function storyOf(params: object, more: Partial<KeptStory> = {}) {
  const clock = storyClock();
  const simulation = cloudflare({ clock });
  const { world } = simulation;
  world.addZone('acme.example', zone_id);
  world.addRecord(zone_id, { type: 'CNAME', name: 'pr-13.preview.acme.example', content: target });
  world.addRecord(zone_id, { type: 'TXT', name: full, content: 'v=spf1 -all' });
  const mine = () => world.records(zone_id).filter(({ type, name }) => type === 'CNAME' && name === full);
  const story: KeptStory = {
    clock,
    simulation,
    env: { CLOUDFLARE_API_TOKEN: simulation.tokens.full },
    lines: [{ id: 'address', recipe: 'cloudflare.dns_cname', zone_id, name: full, target, ...params }],
    mine,
    others: () => world.records(zone_id).filter((one) => !mine().includes(one)),
    ...more,
  };
  const edit = (change: object): void => void Object.assign(mine()[0] ?? {}, change);
  return { story, simulation, edit };
}

it('a short name, which is kept with its zone behind it, is one record for ever', async () => {
  const { story, edit } = storyOf({ name: 'pr-12.preview' });
  await tellKept({ ...story, stands: [{ name: full, content: target }], edits: [() => edit({ content: 'elsewhere.example' })] });
});

it('a short name whose create had its answer lost is claimed, and goes with the destroy', async () => {
  const { story, simulation } = storyOf({ name: 'pr-12.preview' });
  const stage = await openStory(story);
  simulation.faults.loseAnswer({ method: 'POST' });
  await applied(stage, 'the apply');
  await expectQuiet(story, stage);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(story.mine()).toEqual([]);
});

it('of a run that died after its create of a short name, destroy takes the record away, and nobody else’s', async () => {
  const { story, simulation } = storyOf({ name: 'pr-12.preview' });
  const stage = await openStory(story);
  simulation.faults.loseAnswer({ method: 'POST' });
  simulation.faults.times(9, { method: 'GET' }, 500);
  await stage.apply();
  simulation.faults.clear();
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(story.mine()).toEqual([]);
  expect(story.others()).toHaveLength(2);
});

it('a proxied record has the ttl 1, and a plan that leaves it out means that', async () => {
  const { story, edit } = storyOf({ proxied: true });
  await tellKept({ ...story, stands: [{ ttl: 1, proxied: true }], edits: [() => edit({ proxied: false, ttl: 300 })] });
});

it('a record that is not proxied keeps its ttl, and 1 stands for the choice of the service', async () => {
  for (const ttl of [60, 1]) {
    const { story, edit } = storyOf({ ttl });
    await tellKept({
      ...story,
      stands: [{ ttl, proxied: false }],
      edits: [() => edit({ proxied: true, ttl: 1 }), () => edit({ ttl: 300 })],
    });
  }
});

it('another ttl of a proxied record is told as kept otherwise, and is not sent again', async () => {
  const { story, edit } = storyOf({ proxied: true, ttl: 300 });
  await tellKept({ ...story, stands: [{ ttl: 1, proxied: true }], edits: [() => edit({ proxied: false, ttl: 300 })] });
});

it('a ttl that the service overruled counts once the record is not proxied any more', async () => {
  const { story } = storyOf({ proxied: true, ttl: 300 });
  const [line] = story.lines;
  const stage = await openStory(story);
  const { lines } = await applied(stage, 'the apply of a proxied record');
  expect(lines[0]?.notes).toEqual(['ttl: kept by the provider as 1.']);
  await stage.write(planOf([{ ...line, proxied: false }]));
  await applied(stage, 'the apply of one that is not proxied');
  expect(story.mine()).toMatchObject([{ ttl: 300, proxied: false }]);
  await expectQuiet(story, stage);
});

it('an empty comment is kept as none, and settings and tags that nobody sent are no drift', async () => {
  const { story, edit } = storyOf({ comment: '' });
  await tellKept({ ...story, edits: [() => edit({ comment: 'changed' })] });
});

it('a name or target that Cloudflare would spell otherwise is refused before anything is sent', async () => {
  const otherwise = [
    ['name', `${full}.`],
    ['name', 'bücher.acme.example'],
    ['name', 'PR-12.acme.example'],
    ['target', `${target}.`],
    ['target', 'Cname.Vercel-DNS.com'],
  ] as const;
  for (const [param, value] of otherwise) {
    const { story, simulation } = storyOf({ [param]: value });
    const stage = await openStory(story);
    await expect(stage.apply(), value).rejects.toThrow(new RegExp(`PARAM_INVALID: address\\.${param} must match`));
    expect(simulation.log).toEqual([]);
  }
});
