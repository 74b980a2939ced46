import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure, Failures } from '../../core/errors.ts';
import { type ContextSources, resolveContext } from '../../plan/context.ts';
import { readCodeHostEvent } from './event.ts';

const folder = mkdtempSync(join(tmpdir(), 'context-'));
afterAll(() => rmSync(folder, { recursive: true }));

const noFlags: ContextSources['flags'] = { scope: null, pr: null, branch: null, sha: null, environment: 'preview' };
const git = { sha: 'g'.repeat(40), branch: 'local' };
const head = 'a'.repeat(40);

const eventFile = (name: string, payload: unknown): NodeJS.ProcessEnv => {
  const path = join(folder, name);
  writeFileSync(path, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return { GITHUB_EVENT_PATH: path, GITHUB_SHA: 'm'.repeat(40), GITHUB_REF_NAME: '12/merge' };
};
const pullRequest = eventFile('pr.json', { action: 'opened', pull_request: { number: 12, head: { sha: head, ref: 'feat/x' } } });

const resolve = (flags: Partial<ContextSources['flags']>, env: NodeJS.ProcessEnv = {}, checkout: ContextSources['git'] = git) =>
  resolveContext({ flags: { ...noFlags, ...flags }, event: () => readCodeHostEvent(env), git: checkout });

describe('the scope', () => {
  it('is the flag, else pr-<number>, and never the branch', () => {
    expect(resolve({ scope: 'mine', pr: 7 }).scope).toBe('mine');
    expect(resolve({ pr: 7 })).toMatchObject({ scope: 'pr-7', pr: { number: 7 } });
    expect(resolve({}, pullRequest)).toMatchObject({ scope: 'pr-12', pr: { number: 12 } });
    expect(resolve({})).toMatchObject({ scope: null, pr: { number: null } });
  });

  it('of production is production', () => {
    expect(resolve({ environment: 'production' }, pullRequest).scope).toBe('production');
    expect(resolve({ environment: 'Production-eu' }).scope).toBe('production');
    expect(resolve({ environment: 'production', scope: 'production' }).scope).toBe('production');
    expect(() => resolve({ environment: 'production', scope: 'x' })).toThrow(Failures);
  });

  it.each(['', 'a'.repeat(256), 'a\nb', 'a\u0000', '\u007f', '\ud800', 'a\u2028b'])('%j is refused', (scope) =>
    expect(() => resolve({ scope })).toThrow(/^USAGE: .*scope/),
  );

  it.each(['a', 'a'.repeat(255), 'Feat/x y', '..', 'é😀', '007', '1e3'])('%j is taken as it is', (scope) => {
    expect(resolve({ scope }).scope).toBe(scope);
  });
});

describe('commit and branch', () => {
  it('come from the head of the pull request and never from its merge commit', () => {
    expect(resolve({}, pullRequest).git).toEqual({ sha: head, branch: 'feat/x' });
  });

  it('come from the flags first, from the checkout last', () => {
    expect(resolve({ sha: 'f00', branch: 'b' }, pullRequest).git).toEqual({ sha: 'f00', branch: 'b' });
    expect(resolve({}).git).toEqual(git);
    expect(resolve({}, {}, { sha: head, branch: null }).git).toEqual({ sha: head, branch: null });
    expect(resolve({}, {}, null).git).toEqual({ sha: null, branch: null });
  });

  it('of another pull request than --pr say nothing', () => {
    expect(resolve({ pr: 7 }, pullRequest)).toMatchObject({ scope: 'pr-7', git });
    expect(resolve({ pr: 12 }, pullRequest).git.sha).toBe(head);
  });

  it('come from the deployment that an event is about', () => {
    const byBranch = eventFile('d1.json', { deployment: { sha: head, ref: 'feat/y' }, deployment_status: { state: 'success' } });
    expect(resolve({}, byBranch)).toMatchObject({ scope: null, git: { sha: head, branch: 'feat/y' } });
    const byCommit = eventFile('d2.json', { deployment: { sha: head, ref: head } });
    expect(resolve({}, byCommit).git).toEqual({ sha: head, branch: 'local' });
  });

  it('come from neither where the event is about something else', () => {
    for (const payload of ['{}', '{"pull_request":null}', '{"issue":{"pull_request":{}}}'])
      expect(resolve({}, eventFile('other.json', payload))).toMatchObject({ scope: null, git });
    expect(resolve({}, { GITHUB_EVENT_PATH: '' }).git).toEqual(git);
  });
});

describe('an event file', () => {
  const refusal = (env: NodeJS.ProcessEnv): Failure => {
    try {
      resolve({}, env);
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown;
    }
    throw new Error('it was taken');
  };

  it.each([
    ['', 'not JSON'],
    ['{', 'not JSON'],
    ['[]', 'no event'],
    ['"x"', 'no event'],
    ['{"pull_request":{"number":"12","head":{"sha":"a","ref":"b"}}}', '/pull_request/number'],
    ['{"pull_request":{"number":12}}', '/pull_request/head'],
    ['{"pull_request":{"number":12,"head":{"sha":"a","ref":"b"},"updated_at":"yesterday"}}', '/pull_request/updated_at'],
    ['{"deployment":{"sha":""}}', '/deployment/sha'],
  ])('with %j is refused by its path', (content, why) => {
    const env = eventFile('bad.json', content);
    const failure = refusal(env);
    expect(failure.code).toBe('USAGE');
    expect(failure.detail).toContain(env.GITHUB_EVENT_PATH);
    expect(failure.detail).toContain(why);
  });

  it('that is missing or a folder is refused, because the commit in it would be another', () => {
    expect(refusal({ GITHUB_EVENT_PATH: join(folder, 'nowhere.json') }).detail).toContain('cannot be read');
    expect(refusal({ GITHUB_EVENT_PATH: folder }).detail).toContain('cannot be read');
  });

  it.each<[unknown, unknown, boolean | null]>([
    [{ full_name: 'acme/shop' }, { full_name: 'Acme/Shop' }, false],
    [{ full_name: 'acme/shop' }, undefined, false],
    [{ full_name: 'mallory/shop' }, { full_name: 'acme/shop' }, true],
    [null, { full_name: 'acme/shop' }, true],
    [undefined, { full_name: 'acme/shop' }, null],
  ])('tells that the head is in %j, for a pull request of %j: foreign is %s', (repo, base, isForeign) => {
    const pull = { number: 12, head: { sha: head, ref: 'feat/x', repo }, base: { repo: base } };
    const env = { ...eventFile('fork.json', { action: 'opened', pull_request: pull }), GITHUB_REPOSITORY: 'acme/shop' };
    expect(readCodeHostEvent(env).isForeign).toBe(isForeign);
  });

  it('tells what happened, and when by the clock of the host', () => {
    const pull = { number: 12, state: 'closed', updated_at: '2026-11-21T10:00:00Z', head: { sha: head, ref: 'feat/x' } };
    expect(readCodeHostEvent(eventFile('closed.json', { action: 'closed', pull_request: pull }))).toEqual({
      name: 'pull_request',
      action: 'closed',
      pr: 12,
      sha: head,
      branch: 'feat/x',
      state: 'closed',
      at: '2026-11-21T10:00:00Z',
      changedAt: '2026-11-21T10:00:00Z',
      isForeign: null,
    });
    const status = eventFile('d3.json', {
      action: 'created',
      deployment: { sha: head, ref: head },
      deployment_status: { state: 'success' },
    });
    expect(readCodeHostEvent(status)).toMatchObject({ name: 'deployment_status', sha: head, pr: null, state: null });
    expect(readCodeHostEvent({ ...status, GITHUB_EVENT_NAME: 'deployment' }).name).toBe('deployment');
  });
});

it('reports every wrong flag together', () => {
  try {
    resolve({ scope: '', pr: 0, branch: '', sha: '' });
    expect.unreachable();
  } catch (thrown) {
    if (!(thrown instanceof Failures)) throw thrown;
    expect(thrown.failures.map((f) => f.code)).toEqual(['USAGE', 'USAGE', 'USAGE', 'USAGE']);
  }
});
