import { expect, it } from 'vitest';
import { triggerOf } from './trigger.ts';

const job = { CI: 'true', GITLAB_CI: 'true', CI_COMMIT_SHA: 'a'.repeat(40) };
const request = {
  ...job,
  CI_MERGE_REQUEST_IID: '12',
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_PIPELINE_CREATED_AT: '2026-11-21T10:00:05Z',
};

it('a merge request pipeline of GitLab is an event of its own merge request, and another event for any other', () => {
  expect(triggerOf(request, 12)).toMatchObject({ kind: 'pull_request', event: 'merge_request', says: 'open', sha: job.CI_COMMIT_SHA });
  expect(triggerOf(request, 12)).toMatchObject({ at: '2026-11-21T10:00:05.000Z', changedAt: null, isRerun: false });
  expect(triggerOf(request, 7)).toMatchObject({ kind: 'other', event: 'merge_request', at: null, says: null, sha: null });
});

it.each([
  ['web', 'person'],
  ['schedule', 'other'],
  ['push', 'other'],
  ['api', 'other'],
  ['trigger', 'other'],
])('a pipeline of GitLab by %s is set off by: %s', (source, kind) => {
  expect(triggerOf({ ...job, CI_PIPELINE_SOURCE: source }, null)).toMatchObject({ kind, event: source, at: null, sha: null });
});

it('a terminal is a person, and so is the button of a workflow', () => {
  expect(triggerOf({}, 12).kind).toBe('person');
  expect(triggerOf({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'workflow_dispatch', GITHUB_RUN_ATTEMPT: '2' }, 12)).toMatchObject({
    kind: 'person',
    isRerun: false,
  });
  expect(triggerOf({ CI: 'true' }, 12).kind).toBe('other');
});
