import { describe, expect, it } from 'vitest';
import type { PullNow } from '../../host/pull-request.ts';
import type { HistoryEntry } from '../../ledger/model/facts.ts';
import { destroyedBy, type Situation, staleBecause } from './staleness.ts';
import type { Trigger } from './trigger.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
const at = (minute: number): string => `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`;

const trigger = (change: Partial<Trigger> = {}): Trigger => ({
  kind: 'deployment',
  event: 'deployment_status',
  isRerun: false,
  at: null,
  changedAt: null,
  says: null,
  precedesClose: false,
  sha: null,
  ...change,
});
const push = (minute: number, change: Partial<Trigger> = {}): Trigger =>
  trigger({ kind: 'pull_request', event: 'pull_request', at: at(minute), changedAt: at(minute), says: 'open', ...change });
const rerun = (minute: number): Trigger => push(minute, { isRerun: true });
const other = trigger({ kind: 'other', event: null });

let runs = 0;
const entry = (outcome: string, commit: string | null, change: Partial<HistoryEntry> = {}): HistoryEntry => ({
  run: `run-${++runs}`,
  at: at(0),
  commit,
  pr: 12,
  repository: 'acme/shop',
  event: 'pull_request',
  outcome,
  ...change,
});
const applied = (commit: string, change: Partial<HistoryEntry> = {}) => entry('complete', commit, change);
const destroyed = (change: Partial<HistoryEntry> = {}) => entry('destroyed: complete', b, change);
const open = (head: string, minute = 30): PullNow => ({
  state: 'open',
  head,
  branch: 'feat',
  headRepository: 'acme/shop',
  at: at(minute),
  labels: [],
  isDraft: false,
  author: null,
});
const closed = (minute = 30): PullNow => ({ ...open(b, minute), state: 'closed' });

/** `a` came before `b` before `c`. */
const judge = (change: Partial<Situation>) =>
  staleBecause({
    command: 'apply',
    trigger: trigger(),
    pr: 12,
    commit: b,
    pull: null,
    history: [],
    hostNow: null,
    isOlder: (older, newer) => Promise.resolve(older < newer),
    isHead: () => Promise.resolve(false),
    ...change,
  });
const unknown = { isOlder: () => Promise.resolve(false) };

describe('an apply, where the code host was asked', () => {
  it('of a push is late by another push of the same second, unless the answer has not heard of its own', async () => {
    const isOlder = () => Promise.resolve(false);
    expect(await judge({ trigger: push(10, { before: a }), pull: open(c, 10), isOlder })).toMatch(/is not the head/);
    expect(await judge({ trigger: push(10, { before: a }), pull: open(a, 10), isOlder })).toBeNull();
    expect(await judge({ trigger: push(10), pull: open(c, 10), isOlder })).toBeNull();
  });

  it.each<[string, Partial<Situation>, RegExp | null]>([
    ['of a closed pull request is late', { pull: closed() }, /is closed/],
    ['of a closed pull request is late, also at its first event', { pull: closed(), trigger: push(10) }, /is closed/],
    ['of the head is in time', { pull: open(b) }, null],
    ['of the head by its short name is in time', { pull: open(b), commit: b.slice(0, 9) }, null],
    ['of another commit than the head is late for a deployment', { pull: open(c) }, /not the head .* any more/],
    ['of another commit than the head is late for a job that is run again', { pull: open(c), trigger: rerun(10) }, /not the head/],
    ['whose pull request moved on since the event is late', { pull: open(c, 30), trigger: push(20), ...unknown }, /not the head/],
    ['of an ancestor of the head is late', { pull: open(c, 20), trigger: push(20) }, /not the head/],
    ['of a head that the host has not heard of is in time', { pull: open(a, 20), trigger: push(20) }, null],
    ['is in time when the host answers from before the event', { pull: closed(10), trigger: push(20) }, null],
    ['of a branch pushed back to an earlier commit is in time', { pull: open(a), commit: a, history: [applied(a), applied(b)] }, null],
    ['of another event asks for ancestry alone', { pull: open(a), trigger: other, ...unknown }, null],
    [
      'after its scope was destroyed by hand is late for a deployment',
      { pull: open(b), history: [destroyed({ event: null })] },
      /by hand|while/,
    ],
    ['after its pull request was opened again is in time', { pull: open(b), history: [destroyed()] }, null],
    ['after --closed and a reopening is in time', { pull: open(b), history: [destroyed({ event: null, pull: 'closed' })] }, null],
    [
      'after its scope was destroyed by hand is in time for a push',
      { pull: open(b), trigger: push(20), history: [destroyed({ event: null })] },
      null,
    ],
    ['without a commit is in time', { pull: open(b), commit: null }, null],
  ])('%s', async (_, situation, why) => {
    const said = await judge(situation);
    if (why === null) expect(said).toBeNull();
    else expect(said).toMatch(why);
  });
});

describe('an apply, where nobody can be asked', () => {
  it('of an opening or a push is late by a close of the same second, and one of a reopening is not', async () => {
    const history = [destroyed({ event: 'pull_request_target', eventAt: at(10), pull: 'closed' })];
    expect(await judge({ trigger: push(10, { precedesClose: true }), history })).toMatch(/its end already/);
    expect(await judge({ trigger: push(10), history })).toBeNull();
    expect(await judge({ trigger: push(11, { precedesClose: true }), history })).toBeNull();
  });

  it.each<[string, Partial<Situation>, RegExp | null]>([
    ['is in time without a history', {}, null],
    ['of a destroyed scope is late for a deployment of its last commit', { history: [applied(b), destroyed()] }, /was destroyed/],
    ['of a destroyed scope is late for a deployment of a new commit', { commit: c, history: [applied(b), destroyed()] }, /was destroyed/],
    [
      'of a destroyed scope is late for a deployment without a pull request',
      { pr: null, history: [destroyed({ pr: null })] },
      /was destroyed/,
    ],
    ['of a scope whose destroy failed half-way is late too', { history: [entry('destroyed: failed', b)] }, /was destroyed/],
    ['of a destroyed scope is in time for a reopening', { trigger: push(20), history: [destroyed({ eventAt: at(10) })] }, null],
    [
      'of a destroyed scope is late for an event from before its end',
      { trigger: push(5), history: [destroyed({ eventAt: at(10) })] },
      /its end/,
    ],
    [
      'of a destroyed scope is late for a job that is run again',
      { trigger: rerun(5), history: [destroyed({ eventAt: at(10) })] },
      /its end/,
    ],
    [
      'of a destroyed scope is late for another event of a known commit',
      { trigger: other, history: [applied(b), destroyed()] },
      /was destroyed/,
    ],
    ['of a destroyed scope is in time for another event of a new commit', { trigger: other, commit: c, history: [destroyed()] }, null],
    ['of a scope applied since is in time', { history: [destroyed(), applied(b)] }, null],
    [
      'of a commit that a later one followed in history is late',
      { commit: a, history: [applied(a), applied(b)], ...unknown },
      /older than/,
    ],
    ['of an ancestor of the last one is late', { commit: a, history: [applied(b)] }, /older than/],
    ['of an unknown commit is in time', { commit: c, history: [applied(b)], ...unknown }, null],
    ['of the last commit is in time', { history: [applied(a), applied(b)] }, null],
    [
      'of an earlier commit that is the head of its branch again is in time',
      { commit: a, history: [applied(a), applied(b)], isHead: () => Promise.resolve(true) },
      null,
    ],
    [
      'by a push back to an earlier commit is in time',
      { commit: a, trigger: push(20), history: [applied(a, { eventAt: at(5) }), applied(b, { eventAt: at(10) })] },
      null,
    ],
    [
      'by a push that a later one has overtaken is late',
      { commit: a, trigger: push(5), history: [applied(b, { eventAt: at(10) })] },
      /a later event/,
    ],
    ['by the same event twice is in time', { trigger: push(10), history: [applied(b, { eventAt: at(10) })] }, null],
    ['by the event that closed it is late', { trigger: push(10, { says: 'closed' }) }, /is closed/],
    [
      'of an older commit is in time where there is no pull request',
      { pr: null, commit: a, trigger: other, history: [applied(b, { pr: null })] },
      null,
    ],
  ])('%s', async (_, situation, why) => {
    const said = await judge(situation);
    if (why === null) expect(said).toBeNull();
    else expect(said).toMatch(why);
  });
});

describe('a destroy', () => {
  it('of a close is late by a reopening of the same second, and not by a push of it', async () => {
    const close = push(10, { says: 'closed' });
    const open = applied(b, { eventAt: at(10) });
    expect(await judge({ command: 'destroy', trigger: close, history: [{ ...open, reopened: true }] })).toMatch(/was opened again/);
    expect(await judge({ command: 'destroy', trigger: close, history: [open] })).toBeNull();
  });

  const destroy = (change: Partial<Situation>) => judge({ command: 'destroy', trigger: push(10, { says: 'closed' }), ...change });
  it.each<[string, Partial<Situation>, RegExp | null]>([
    ['of a closed pull request is in time', { pull: closed() }, null],
    ['of one that was opened again is late', { pull: open(b) }, /is open/],
    ['is in time when the host answers from before the closing', { pull: open(b, 5) }, null],
    ['without an answer is in time', {}, null],
    ['without an answer is late after a later opening', { history: [applied(b, { eventAt: at(20) })] }, /opened again/],
    ['without an answer is in time after an earlier one', { history: [applied(b, { eventAt: at(5) })] }, null],
    ['twice is in time', { history: [destroyed({ eventAt: at(10) })] }, null],
    ['by another event is late while it is open', { pull: open(b), trigger: other }, /is open/],
  ])('%s', async (_, situation, why) => {
    const said = await destroy(situation);
    if (why === null) expect(said).toBeNull();
    else expect(said).toMatch(why);
  });
});

describe('a merge request of GitLab, whose jobs know when they were made and not what had changed', () => {
  const pipeline = (minute: number, change: Partial<Trigger> = {}): Trigger =>
    push(minute, { event: 'merge_request', changedAt: null, ...change });
  const stop = (minute: number): Trigger => pipeline(minute, { says: 'closed' });
  const ended = (minute: number) => destroyed({ event: 'merge_request', eventAt: at(minute) });
  it.each<[string, Partial<Situation>, RegExp | null]>([
    ['applies the head, which was pushed before the pipeline was made', { trigger: pipeline(20), pull: open(b, 19) }, null],
    ['is closed, also where it changed last before the pipeline was made', { trigger: pipeline(20), pull: closed(19) }, /is closed/],
    ['passes over a late pipeline of an older commit', { trigger: pipeline(20), pull: open(c, 30), ...unknown }, /not the head/],
    [
      'passes over the retried job of a commit that was pushed away',
      { trigger: pipeline(10), pull: open(a, 30), ...unknown },
      /not the head/,
    ],
    ['applies the commit again that was pushed back', { trigger: pipeline(30), commit: a, pull: open(a, 29), history: [applied(b)] }, null],
    ['applies after a reopening, by a pipeline started by hand', { trigger: pipeline(40), pull: open(b, 39), history: [ended(30)] }, null],
    ['without an answer passes over a pipeline from before the end', { trigger: pipeline(20), history: [ended(30)] }, /its end/],
    ['without an answer applies by a pipeline from after the end', { trigger: pipeline(40), history: [ended(30)] }, null],
    [
      'without an answer passes over a pipeline from before the one that was applied',
      { trigger: pipeline(20), commit: a, history: [applied(b, { eventAt: at(30) })] },
      /applied already/,
    ],
    ['without an answer retries its newest job', { trigger: pipeline(20), history: [applied(b, { eventAt: at(20) })] }, null],
    [
      'keeps what an open one uses when its environment is stopped by hand',
      { command: 'destroy', trigger: stop(40), pull: open(b) },
      /is open/,
    ],
    ['destroys when its environment is stopped', { command: 'destroy', trigger: stop(40), pull: closed(39) }, null],
    [
      'without an answer destroys what an older pipeline than its last one stops',
      { command: 'destroy', trigger: stop(40), history: [applied(b, { eventAt: at(30) })] },
      null,
    ],
    [
      'without an answer keeps what a pipeline made after the stopping has applied',
      { command: 'destroy', trigger: stop(40), history: [applied(b, { eventAt: at(41) })] },
      /opened again/,
    ],
    ['without an answer does nothing by an apply in the job that stops it', { trigger: stop(40) }, /is closed/],
  ])('%s', async (_, situation, why) => {
    const said = await judge(situation);
    if (why === null) expect(said).toBeNull();
    else expect(said).toMatch(why);
  });
});

it('a person is never late', async () => {
  const person = trigger({ kind: 'person', event: null });
  for (const command of ['apply', 'destroy'] as const) {
    for (const pull of [open(c), closed(), null])
      expect(await judge({ command, trigger: person, pull, commit: a, history: [applied(b), destroyed()] })).toBeNull();
  }
});

describe('a destroyed scope', () => {
  it('stays destroyed when a run that had not heard of it ends afterwards', () => {
    const before = applied(b);
    const end = destroyed({ after: before.run });
    const late = applied(b, { after: before.run });
    expect(destroyedBy([before, end, late])).toBe(end);
    expect(destroyedBy([before, end, late, applied(b, { after: end.run })])).toBeNull();
    expect(destroyedBy([end, applied(b, { after: null })])).toBe(end);
    expect(destroyedBy([applied(b)])).toBeNull();
  });
});
