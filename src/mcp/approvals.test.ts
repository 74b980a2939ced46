import { describe, expect, it } from 'vitest';
import { approverIn } from './approval-form.ts';
import { Approvals } from './approvals.ts';

const asked = { call: '["apply"]', directory: '/srv/shop', digest: '0123456789abcdef', commands: null };

describe('an open question', () => {
  it('takes one answer, for the call that it belongs to', () => {
    const approvals = new Approvals(() => 0);
    const name = approvals.ask(asked);
    expect(approvals.take('another name', asked.call)).toBeNull();
    expect(approvals.take(undefined, asked.call)).toBeNull();
    expect(approvals.take(name, asked.call)).toMatchObject(asked);
    expect(approvals.take(name, asked.call)).toBeNull();
  });

  it('is closed by an answer for another call', () => {
    const approvals = new Approvals(() => 0);
    const name = approvals.ask(asked);
    expect(approvals.take(name, '["apply","--env=production"]')).toBeNull();
    expect(approvals.take(name, asked.call)).toBeNull();
  });

  it('ends after a quarter of an hour, and when too many are open', () => {
    let now = 0;
    const approvals = new Approvals(() => now);
    const early = approvals.ask(asked);
    now = 15 * 60_000;
    expect(approvals.take(early, asked.call)).toBeNull();
    const first = approvals.ask(asked);
    const names = Array.from({ length: 100 }, () => approvals.ask(asked));
    expect(approvals.take(first, asked.call)).toBeNull();
    expect(names.filter((name) => approvals.take(name, asked.call))).toHaveLength(100);
  });
});

describe('the answer of a person', () => {
  it('is a name and a yes', () => {
    expect(approverIn({ name: ' Sam Lee ', approve: true })).toBe('Sam Lee');
    for (const content of [
      undefined,
      {},
      { name: 'Sam' },
      { name: 'Sam', approve: false },
      { name: 'Sam', approve: 'yes' },
      { name: ' ', approve: true },
      { name: 'x'.repeat(101), approve: true },
      { name: 'Sam\u202eeel', approve: true },
      { name: 'Sam\nLee', approve: true },
      { name: 'sk_live_4f1d9a7c2b', approve: true },
    ])
      expect(approverIn(content), JSON.stringify(content)).toBeNull();
  });
});
