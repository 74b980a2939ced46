import { describe, expect, it } from 'vitest';
import type { ClosedDoc, ClosedOutcome, ClosedScopeDoc } from '../engine/document.ts';
import { closedText } from './closed-text.ts';
import { plainStyles } from './styles.ts';

const scope = (name: string, outcome: ClosedOutcome, why: string): ClosedScopeDoc => ({
  scope: name,
  plan: null,
  branch: `pilotfish-receipts/preview/${name}`,
  pullRequests: [1],
  outcome,
  why,
});

const doc = (scopes: readonly ClosedScopeDoc[]): ClosedDoc => ({
  schema: 1,
  ok: true,
  command: 'apply',
  mode: 'closed',
  status: 'complete',
  environment: 'preview',
  repository: 'acme/shop',
  scopes,
  summary: {},
  stats: { requests: 5, writes: 1, fetches: 1, pushes: 2, lockPushes: 0, ms: 1_000 },
});

describe('the destroy of closed pull requests', () => {
  const few = [scope('pr-1', 'destroyed', 'the pull request 1 is closed'), scope('pr-2', 'kept', 'the pull request 2 is open')];
  const many = Array.from({ length: 300 }, (_, i) => scope(`pr-${i + 3}`, i % 3 === 0 ? 'gone' : 'kept', 'it was destroyed before'));

  it('tells of each scope', () => {
    const text = closedText(doc(few), plainStyles, { columns: 100, rows: 24 });
    expect(text).toBe(closedText(doc(few), plainStyles));
    expect(text).toContain('  pr-1  destroyed  the pull request 1 is closed\n  pr-2  kept       the pull request 2 is open\n');
    expect(text.startsWith('Destroy of closed pull requests of acme/shop in preview: complete\n')).toBe(true);
    expect(closedText(doc(many), plainStyles).split('\n').length).toBeGreaterThan(300);
  });

  it('counts untouched scopes when the window is too small, and ends with how the run ended', () => {
    const text = closedText(doc([...many, ...few]), plainStyles, { columns: 100, rows: 24 });
    expect(text).toContain('  100 scopes gone\n  201 scopes kept\n  pr-1  destroyed  the pull request 1 is closed\n');
    expect(text.trimEnd().split('\n').at(-1)).toBe('Destroy of closed pull requests of acme/shop in preview: complete');
    expect(closedText(doc([]), plainStyles, { columns: 100, rows: 24 })).toContain('There is no scope.');
  });

  it('shows the warnings of a scope that no pull request ends, also where untouched scopes are counted', () => {
    const unowned = { ...scope('ann', 'kept', 'its ledger names no pull request'), warnings: ['No pull request ends the scope ann.'] };
    for (const scopes of [
      [unowned, ...few],
      [unowned, ...many],
    ]) {
      const text = closedText(doc(scopes), plainStyles, { columns: 100, rows: 24 });
      expect(text).toMatch(/ {2}ann +kept +its ledger names no pull request\n +.*No pull request ends the scope ann\./);
    }
  });
});
