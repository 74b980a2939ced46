import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { resolveContext } from '../../plan/context.ts';
import { readCodeHostEvent } from './event.ts';

const [head, merged] = ['a'.repeat(40), 'f'.repeat(40)];
const job = { CI: 'true', GITLAB_CI: 'true', CI_PIPELINE_CREATED_AT: '2026-11-21T10:00:05Z', CI_JOB_STARTED_AT: '2026-11-21T10:01:00Z' };
/** As a merge request pipeline has it. */
const request = {
  ...job,
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
  CI_MERGE_REQUEST_IID: '12',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feat/x',
  CI_MERGE_REQUEST_PROJECT_ID: '42',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42',
  CI_COMMIT_SHA: head,
};
const mergedResult = {
  ...request,
  CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result',
  CI_COMMIT_SHA: merged,
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
};
const stopping = { ...request, CI_ENVIRONMENT_ACTION: 'stop' };

it('a merge request pipeline is about its merge request, with the head and the branch of it', () => {
  const event = {
    name: 'merge_request',
    action: null,
    pr: 12,
    sha: head,
    branch: 'feat/x',
    state: 'open',
    changedAt: null,
    isForeign: false,
  };
  expect(readCodeHostEvent(request)).toEqual({ ...event, at: '2026-11-21T10:00:05.000Z' });
  const flags = { scope: null, pr: null, branch: null, sha: null, environment: 'preview' };
  const context = resolveContext({ flags, event: () => readCodeHostEvent(request), git: { sha: merged, branch: null } });
  expect(context).toEqual({ environment: 'preview', scope: 'pr-12', git: { sha: head, branch: 'feat/x' }, pr: { number: 12 } });
});

it.each(['merged_result', 'merge_train'])('a %s pipeline names the head, never the commit that was made up', (type) => {
  expect(readCodeHostEvent({ ...mergedResult, CI_MERGE_REQUEST_EVENT_TYPE: type }).sha).toBe(head);
  const without = { ...mergedResult, CI_MERGE_REQUEST_EVENT_TYPE: type, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' };
  expect(() => readCodeHostEvent(without)).toThrow(/CI_MERGE_REQUEST_SOURCE_BRANCH_SHA/);
});

it('the job that stops an environment is the end of its merge request, when it begins and not when its pipeline was made', () => {
  expect(readCodeHostEvent(stopping)).toMatchObject({ action: 'closed', state: 'closed', pr: 12, at: '2026-11-21T10:01:00.000Z' });
});

it('the end counts even when GitLab tells only that the pipeline was for a merge request', () => {
  const { CI_MERGE_REQUEST_IID: _, CI_MERGE_REQUEST_EVENT_TYPE: _type, ...left } = stopping;
  const event = readCodeHostEvent({ ...left, CI_COMMIT_SHA: merged });
  expect(event).toMatchObject({ name: 'merge_request', action: 'closed', state: 'closed', pr: null, sha: null });
});

it('the head of a fork lies elsewhere, also where the fork is gone', () => {
  expect(readCodeHostEvent({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '77' }).isForeign).toBe(true);
  expect(readCodeHostEvent({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '' }).isForeign).toBe(true);
  expect(readCodeHostEvent({ ...request, CI_MERGE_REQUEST_PROJECT_ID: '' }).isForeign).toBeNull();
});

it('a time in the zone of the instance is put into UTC, and one that cannot be read is none', () => {
  expect(readCodeHostEvent({ ...request, CI_PIPELINE_CREATED_AT: '2026-11-21T12:00:05+02:00' }).at).toBe('2026-11-21T10:00:05.000Z');
  for (const time of [undefined, '', 'yesterday']) expect(readCodeHostEvent({ ...request, CI_PIPELINE_CREATED_AT: time }).at).toBeNull();
});

it.each(['0', '-1', '12a', '1e3', '99999999999'])('the number %s is refused', (iid) => {
  expect(() => readCodeHostEvent({ ...request, CI_MERGE_REQUEST_IID: iid })).toThrow(/CI_MERGE_REQUEST_IID/);
});

it.each(['push', 'schedule', 'web', 'api'])(
  'a pipeline by %s is about no merge request, and has the branch that its checkout does not',
  (source) => {
    const event = readCodeHostEvent({ ...job, CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: head });
    expect(event).toEqual({
      name: source,
      action: null,
      pr: null,
      sha: null,
      branch: 'main',
      state: null,
      at: null,
      changedAt: null,
      isForeign: null,
    });
  },
);

it('variables of GitLab mean nothing elsewhere, nor beside an event of GitHub', () => {
  const { GITLAB_CI: _, ...elsewhere } = request;
  expect(readCodeHostEvent(elsewhere)).toMatchObject({ name: null, pr: null, sha: null });
  const folder = mkdtempSync(join(tmpdir(), 'gitlab-event-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'event.json');
  writeFileSync(file, JSON.stringify({ action: 'opened', pull_request: { number: 7, head: { sha: merged, ref: 'other' } } }));
  expect(readCodeHostEvent({ ...request, GITHUB_EVENT_PATH: file })).toMatchObject({ name: 'pull_request', pr: 7, sha: merged });
  expect(readCodeHostEvent({ ...request, GITHUB_EVENT_NAME: 'push' })).toMatchObject({ name: 'push', pr: null });
});
