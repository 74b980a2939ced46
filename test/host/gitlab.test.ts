import { gitlab } from 'pilotfish-sandbox/gitlab';
import { mount } from 'pilotfish-sandbox/kit/index';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { Redactor } from '../../src/core/redact.ts';
import { codeHostOf, isCodeHost } from '../../src/host/code-host.ts';
import { gitlabNotes } from '../../src/host/gitlab-notes.ts';
import { askPullRequest } from '../../src/host/pull-request.ts';
import { createClient } from '../../src/http/client.ts';
import { LeapingClock } from '../support/leaping-clock.ts';

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)] as [string, string];
const { signal } = new AbortController();

/** A project with the merge request 12, and a job of its CI. */
function open(more: NodeJS.ProcessEnv = {}) {
  const clock = new LeapingClock();
  const host = gitlab({ clock, ahead: 0 });
  const { world } = host;
  world.open(12, a, { branch: 'feat/x' });
  const env = {
    GITLAB_CI: 'true',
    CI_SERVER_URL: 'https://gitlab.com',
    CI_PROJECT_PATH: 'acme/shop',
    CI_PROJECT_ID: '42',
    GITLAB_TOKEN: host.tokens.full,
    CI_JOB_TOKEN: world.otherTokens.job,
    ...more,
  };
  const dispatcher = mount([host]);
  const client = createClient({ env, redactor: new Redactor(), signal, clock, dispatcher });
  onTestFinished(async () => {
    client.close();
    dispatcher.verify();
  });
  const codeHost = codeHostOf(env, null);
  if (!isCodeHost(codeHost)) throw new Error(codeHost.why);
  return { clock, host, world, ask: () => askPullRequest(client, codeHost, 12, signal), notes: gitlabNotes(client, codeHost, 12) };
}

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof Failure ? thrown.code : thrown),
  );

describe('a merge request now', () => {
  it.each([
    ['opened', 'open'],
    ['locked', 'open'],
    ['closed', 'closed'],
    ['merged', 'closed'],
  ] as const)('that is %s is %s', async (state, expected) => {
    const { ask, world, clock } = open();
    await clock.sleep(60_000);
    world.set(12, state);
    const at = new Date(clock.now()).toISOString();
    const author = { login: 'ann', isBot: false };
    expect(await ask()).toEqual({
      state: expected,
      head: a,
      branch: 'feat/x',
      headRepository: 'acme/shop',
      at,
      labels: [],
      isDraft: false,
      author,
    });
  });

  it('has the head that was pushed last', async () => {
    const { ask, world } = open();
    world.push(12, b);
    expect(await ask()).toMatchObject({ head: b });
  });

  it('of a fork, also of one that was deleted, lies elsewhere', async () => {
    const { ask, world } = open();
    world.hide(12);
    world.open(12, a, { sourceProject: 77 });
    expect(await ask()).toMatchObject({ headRepository: 'project 77' });
    world.hide(12);
    world.open(12, a, { sourceProject: null });
    expect(await ask()).toMatchObject({ headRepository: null });
  });

  it('that the host does not show is unknown, never closed', async () => {
    const { ask, world } = open();
    world.hide(12);
    expect(await ask()).toMatchObject({ state: 'unknown', isMissing: true, why: expect.stringContaining('gitlab.com answers 404') });
  });

  it('is asked by its path where the id of the project is not known', async () => {
    const { ask, host } = open({ CI_PROJECT_ID: '' });
    expect(await ask()).toMatchObject({ head: a });
    expect(host.log.map(({ path }) => path)).toEqual(['/api/v4/projects/acme%2Fshop/merge_requests/12']);
  });

  it('is read with the token of the job where there is no other, and unknown to an instance that does not let it', async () => {
    const { ask, host } = open({ GITLAB_TOKEN: '' });
    expect(await ask()).toMatchObject({ state: 'open', head: a });
    host.faults.once('GET /api/v4/projects/{id}/merge_requests/{iid}', 401, { message: '401 Unauthorized' });
    host.faults.once('GET /api/v4/projects/{id}/merge_requests/{iid}', 401, { message: '401 Unauthorized' });
    expect(await ask()).toMatchObject({ state: 'unknown', isMissing: false });
  });

  it('is waited for where requests are limited', async () => {
    const { ask, host, clock } = open();
    host.faults.once('GET /api/v4/projects/{id}/merge_requests/{iid}', 429, { message: 'Retry later' }, { 'Retry-After': '40' });
    const before = clock.now();
    expect(await ask()).toMatchObject({ head: a });
    expect(clock.now() - before).toBeGreaterThanOrEqual(40_000);
  });
});

describe('the notes of a merge request', () => {
  it('are all of them, oldest first, and ours are those of our own account', async () => {
    const { notes, world } = open();
    for (let i = 1; i <= 130; i += 1) world.comment(12, `word ${i}`);
    const made = await notes.create('# Preview', signal);
    world.comment(12, '# Preview');
    const all = await notes.list(signal);
    // GitLab's own "assigned to" is among them, and nobody's.
    expect(all.map(({ body }) => body)).toEqual([
      'assigned to @ann',
      ...Array.from({ length: 130 }, (_, i) => `word ${i + 1}`),
      '# Preview',
      '# Preview',
    ]);
    expect(all.filter(({ isOwn }) => isOwn)).toEqual([made]);
  });

  it('are changed and taken away, also twice', async () => {
    const { notes, world } = open();
    const { id } = await notes.create('first', signal);
    await notes.update(id, 'second', signal);
    expect(world.notes(12).map(({ body, author }) => [body, author])).toEqual([['second', world.accounts.bot]]);
    await notes.remove(id, signal);
    await notes.remove(id, signal);
    expect(world.notes(12)).toEqual([]);
  });

  it('of others cannot be changed', async () => {
    const { notes, world } = open();
    const { id } = world.comment(12, 'mine');
    expect(await codeOf(notes.update(String(id), 'ours', signal))).toBe('PROVIDER_AUTH');
  });

  it('take as many characters as the host does', async () => {
    const { notes } = open();
    expect(await codeOf(notes.create('x'.repeat(notes.longest), signal))).toBe('done');
    expect(await codeOf(notes.create('x'.repeat(notes.longest + 1), signal))).toBe('PROVIDER_INVALID');
  });

  it('are not written a second time when an answer was lost', async () => {
    const { notes, world, host } = open();
    host.faults.loseAnswer('POST /api/v4/projects/{id}/merge_requests/{iid}/notes');
    expect(await codeOf(notes.create('once', signal))).toBe('PROVIDER_TRANSIENT');
    expect((await notes.list(signal)).filter(({ isOwn }) => isOwn).map(({ body }) => body)).toEqual(['once']);
    expect(world.notes(12)).toHaveLength(1);
  });

  it.each(['readOnly', 'blind'] as const)('are not written with a token that is %s', async (kind) => {
    const { host } = open();
    const { notes, world } = open({ GITLAB_TOKEN: host.tokens[kind] });
    expect(await codeOf(notes.create('x', signal))).toBe(kind === 'blind' ? 'PROVIDER_NOT_FOUND' : 'PROVIDER_AUTH');
    expect(world.notes(12)).toEqual([]);
  });
});
