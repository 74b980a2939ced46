import { gitlab } from 'pilotfish-sandbox/gitlab';
import { mount } from 'pilotfish-sandbox/kit/index';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Redactor } from '../../src/core/redact.ts';
import { codeHostOf, isCodeHost } from '../../src/host/code-host.ts';
import { isEarlierName } from '../../src/host/moved-repository.ts';
import { openPulls } from '../../src/host/open-pulls.ts';
import { createClient } from '../../src/http/client.ts';
import type { RepositoryFacts } from '../../src/platform/checkout.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openScene, type Scene } from './scene.ts';

const sha = 'a'.repeat(40);
/** Of a person, whose project is known by its remote alone. */
const checkout: RepositoryFacts = {
  ...{ top: '/', gitDir: '/', commonDir: '/', remote: null, sha: null, branch: null, shallow: false, objectFormat: 'sha1' },
  ...{ remoteUrl: 'https://gitlab.com/acme/shop.git', slug: 'acme/shop' },
};

describe('the open pull requests of a repository', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = openScene();
  });
  afterEach(() => scene.close());
  const read = () => {
    const { client, host } = scene.clientOf(scene.host.tokens.readOnly);
    return openPulls(client, host, scene.signal);
  };
  const openUpTo = (most: number): void => {
    for (let number = 13; number <= most; number += 1) scene.world.open(number, sha);
  };

  it.each([
    [12, 1, 1],
    // No header tells that a full page is the last.
    [111, 100, 2],
    [112, 101, 2],
    [311, 300, 3],
  ])('up to number %i are %i, in %i requests', async (most, count, requests) => {
    openUpTo(most);
    expect([...(await read()).keys()]).toEqual(Array.from({ length: count }, (_, at) => 12 + at));
    expect(scene.asked()).toEqual(Array.from({ length: requests }, () => 'GET /pulls 200'));
  });

  it('have their labels, draft and author, and no closed one is among them', async () => {
    openUpTo(14);
    scene.world.label(13, ['keep-preview', 'a/b']);
    scene.world.draft(13, true);
    scene.world.open(15, sha, 'deps', 'acme/shop', 'renovate[bot]');
    scene.world.close(14);
    const found = await read();
    expect([...found.keys()]).toEqual([12, 13, 15]);
    expect(found.get(13)).toMatchObject({ state: 'open', head: sha, labels: ['keep-preview', 'a/b'], isDraft: true });
    expect(found.get(12)).toMatchObject({ labels: [], isDraft: false, author: { login: 'ann', isBot: false } });
    expect(found.get(15)?.author).toEqual({ login: 'renovate[bot]', isBot: true });
  });

  it('are all there when one is opened while the pages are read', async () => {
    openUpTo(111);
    const off = scene.host.watch(({ phase }) => {
      if (phase !== 'before') return;
      off();
      scene.world.open(500, sha);
    });
    expect((await read()).has(500)).toBe(true);
    expect((await read()).size).toBe(101);
  });

  it.each([
    ['a server error', 500, { message: 'no' }],
    ['a missing permission', 403, { message: 'Resource not accessible by integration' }],
    ['an answer that is no list', 200, { message: 'maintenance' }],
    ['an entry without its labels', 200, [{ number: 12, state: 'open', updated_at: '', head: { sha, ref: 'f', repo: null } }]],
  ])('are an error after %s on a page, and never half a list', async (_, status, body) => {
    openUpTo(250);
    let page = 0;
    scene.host.watch(({ phase }) => {
      if (phase === 'before' && ++page === 2) scene.host.faults.times(20, 'GET /repos/{o}/{r}/pulls', status, body);
    });
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/^PROVIDER_/) });
    scene.host.faults.clear();
  });
});

describe('the open merge requests of a project', () => {
  const open = (more: NodeJS.ProcessEnv = {}) => {
    const clock = new LeapingClock();
    const host = gitlab({ clock, ahead: 0 });
    const env: NodeJS.ProcessEnv = {
      GITLAB_CI: 'true',
      CI_SERVER_URL: 'https://gitlab.com',
      CI_PROJECT_PATH: 'acme/shop',
      CI_PROJECT_ID: '42',
      CI_JOB_TOKEN: host.world.otherTokens.job,
      ...more,
    };
    const dispatcher = mount([host]);
    const { signal } = new AbortController();
    const client = createClient({ env, redactor: new Redactor(), signal, clock, dispatcher });
    onTestFinished(() => {
      client.close();
      dispatcher.verify();
    });
    if (env.GITLAB_TOKEN) env.GITLAB_TOKEN = host.tokens.full;
    const codeHost = codeHostOf(env, checkout);
    if (!isCodeHost(codeHost)) throw new Error(codeHost.why);
    const isEarlier = (slug: string) => isEarlierName(client, codeHost, { slug, pull: 7 }, signal);
    return { host, world: host.world, isEarlier, read: () => openPulls(client, codeHost, signal) };
  };

  it('come by hundreds, the oldest first, with the token of a job', async () => {
    const { host, world, read } = open();
    for (let iid = 1; iid <= 150; iid += 1) world.open(iid, sha);
    world.set(3, 'merged');
    world.set(4, 'closed');
    const found = await read();
    expect([...found.keys()]).toEqual(Array.from({ length: 150 }, (_, at) => at + 1).filter((iid) => iid !== 3 && iid !== 4));
    expect(host.log.map(({ path }) => path)).toEqual(Array(2).fill('/api/v4/projects/42/merge_requests'));
  });

  it('have their labels and authors', async () => {
    const { world, read } = open();
    world.open(7, sha, { by: 'project_42_bot_4f1d9a' });
    world.open(8, sha, { by: 'bot-fan' });
    world.label(8, ['keep-preview']);
    const found = await read();
    expect([found.get(7)?.author?.isBot, found.get(8)?.author?.isBot, found.get(8)?.labels]).toEqual([true, false, ['keep-preview']]);
  });

  it.each([
    ['its number', {}],
    ['its path alone', { CI_PROJECT_PATH: '', CI_PROJECT_ID: '', GITLAB_TOKEN: 'own' }],
  ])('belong to the project under its earlier path, known by %s', async (_, more) => {
    const { host, world, isEarlier } = open(more);
    world.open(7, sha);
    world.hadPath('acme/old');
    expect(await isEarlier('acme/old')).toBe(true);
    const asked = host.log.length;
    expect([await isEarlier('acme/other'), await isEarlier('https://example.org/acme/old.git')]).toEqual([false, false]);
    expect(host.log.slice(asked).map(({ path }) => path)).toEqual(['/api/v4/projects/acme%2Fother/merge_requests/7']);
  });
});
