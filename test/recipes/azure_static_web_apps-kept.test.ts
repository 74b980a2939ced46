import path from 'node:path';
import { azureStaticWebApps } from 'pilotfish-sandbox/azure-static-web-apps';
import { afterAll, expect, it } from 'vitest';
import { expectLeft, type KeptStory, openStory, planOf, storyClock } from '../support/kept-story.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';

const programs = await openPrograms();
const asked = 'account get-access-token --query accessToken -o tsv';
await programs.add('az', `args.join(' ') === '${asked}' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const subscription = '8d4b1d3e-6f2a-4c58-9b7e-1a2b3c4d5e6f';
const place = { subscription_id: subscription, resource_group: 'shop', site: 'shop-web', environment: '12' };

/** Settings of a preview in which others have one too. */
function storyOf(names: readonly string[]) {
  const clock = storyClock();
  const simulation = azureStaticWebApps({ clock });
  const { world } = simulation;
  const settings = world.deploy(world.addSite(subscription, 'shop', 'shop-web'), '12', { API_KEY: 'theirs' });
  const story: KeptStory = {
    clock,
    simulation,
    env: { ...ledgerKey, PATH: `${programs.PATH}${path.delimiter}${process.env.PATH}`, SIGNED_IN_TOKEN: simulation.tokens.full },
    lines: names.map((name) => ({
      ...{ id: name.toLowerCase().replaceAll('_', '-'), recipe: 'azure_static_web_apps.build_app_setting', ...place },
      ...{ name, value: 'of the preview' },
    })),
    mine: () => Object.entries(settings).filter(([name]) => names.includes(name)),
    others: () => Object.entries(settings).filter(([name]) => !names.includes(name)),
  };
  return { story, simulation, world };
}

it('a name that Azure is known to accept and not to keep is refused before anything is sent', async () => {
  const { simulation } = storyOf([]);
  for (const start of simulation.world.state.reserved) {
    const { story, simulation: provider } = storyOf([`${start}KEY`]);
    const stage = await openStory(story);
    await expect(stage.apply(), start).rejects.toThrow(/PARAM_INVALID: .*name must match/);
    expect(provider.log).toEqual([]);
  }
});

it('a name that Azure keeps for itself without saying so is told as not kept, and the others stand', async () => {
  const { story, world } = storyOf(['API_URL', 'PLATFORM_URL']);
  world.state.reserved.push('PLATFORM_');
  const stage = await openStory(story);
  const others = structuredClone(story.others());
  const first = await stage.apply();
  expect(first.lines).toMatchObject([
    { id: 'api-url', state: 'settled' },
    { id: 'platform-url', error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('does not stand in the list') } },
  ]);
  expect(story.mine()).toEqual([['API_URL', 'of the preview']]);
  const watched = stage.watch();
  expect((await stage.apply()).lines).toMatchObject([{ verdict: 'none' }, { error: { code: 'PROVIDER_RESPONSE' } }]);
  expect(watched.writes()).toEqual([]);
  await stage.write(planOf(story.lines.slice(0, 1)));
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
  await expectLeft(story, stage, others);
});
