import { neon as simulateNeon } from 'pilotfish-sandbox/neon/index';
import { vercel as simulateVercel } from 'pilotfish-sandbox/vercel/index';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOlder } from '../../src/engine/line/claim.ts';
import type { Session } from '../../src/engine/session.ts';
import { type Situation, staleBecause } from '../../src/engine/timing/staleness.ts';
import type { Intent } from '../../src/ledger/model/facts.ts';
import { factText } from '../../src/ledger/model/file-text.ts';
import { paths } from '../../src/ledger/model/state.ts';
import { branch } from '../lifecycle/shop.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const sha = 'a'.repeat(40);
const never = '9999-12-31T23:59:59.999Z';

describe('a moment that has not come yet stops nobody', () => {
  it('where a record says that its object will be written then: the deployment is not waited for until then', async () => {
    const clock = new LeapingClock();
    const vercel = simulateVercel({ clock });
    const neon = simulateNeon({ clock });
    const db = { id: 'db', adapter: 'neon', op: 'branch', project_id: 'quiet-river-12345678', name: 'pr-12' };
    const site = { id: 'site', adapter: 'vercel', op: 'deploy', project: 'shop', depends_on: ['db'] };
    const stage = await openStage({
      simulations: [vercel, neon],
      clock,
      env: {
        VERCEL_TOKEN: vercel.tokens.full,
        NEON_API_KEY: neon.tokens.full,
        PILOTFISH_REQUEST_DEADLINE_MS: '3000',
        PILOTFISH_LEASE_MS: '120000',
      },
      plan: JSON.stringify({ version: 1, changes: [db, site] }),
    });
    onTestFinished(() => stage.close());
    vercel.world.addBranch('feat/x', sha);
    vercel.world.settle(vercel.world.push('feat/x', sha), 'READY');
    expect((await stage.apply({ sha })).ok).toBe(true);
    const store = stage.store();
    const { records } = await stage.ledger();
    const change = [...records.values()].map((record) => {
      const writtenAtHosts = {
        'https://api.vercel.com': never,
        ...(record.line === 'db' && { 'https://console.neon.tech/api/v2': never }),
      };
      return [paths.record(record.identity), factText({ ...record, writtenAtHosts })] as const;
    });
    await store.append(branch, new Map(change), await store.head(branch), 'planted');
    expect((await stage.apply({ sha, waitTimeoutMs: 60_000 })).status).toBe('complete');
    const healed = [...(await stage.ledger()).records.values()].find(({ line }) => line === 'db');
    expect(healed?.writtenAtHosts?.['https://api.vercel.com']).not.toBe(never);
  });

  it('where an announcement says that it comes then: an object that was made before that is no stranger', () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    const client = { api: () => ({ time: () => now }) } as unknown as Session['client'];
    const announced = (atHost: string) => ({ atHost, provider: {} }) as Intent;
    const made = { createdAt: '2026-11-21T09:00:00Z' };
    expect(isOlder({ client }, announced(never), made)).toBe(false);
    expect(isOlder({ client }, announced('2026-11-21T09:30:00Z'), made)).toBe(true);
  });

  const judge = (change: Partial<Situation>, eventAt: string): Promise<string | null> =>
    staleBecause({
      command: 'apply',
      trigger: {
        kind: 'pull_request',
        event: 'pull_request',
        isRerun: false,
        at: '2026-11-21T10:00:00Z',
        changedAt: '2026-11-21T10:00:00Z',
        says: 'open',
        precedesClose: false,
        sha: null,
      },
      pr: 12,
      commit: sha,
      pull: null,
      history: [{ run: 'x', at: never, commit: sha, pr: 12, repository: null, event: null, outcome: 'complete', eventAt }],
      hostNow: null,
      isOlder: async () => false,
      isHead: async () => false,
      ...change,
    });

  it.each([
    ['of a host whose time is known', { hostNow: Date.parse('2026-11-21T10:05:00Z') }, '2026-11-21T10:30:00Z'],
    ['of a host whose time nobody knows', {}, never],
  ])('where a line of history tells of a later event, %s', async (_, change, eventAt) => {
    expect(await judge(change, eventAt)).toBeNull();
    expect(await judge({ ...change, command: 'destroy' }, eventAt)).toBeNull();
  });

  it('and one that has come stops the job of an earlier event, as before', async () => {
    expect(await judge({ hostNow: Date.parse('2026-11-21T10:05:00Z') }, '2026-11-21T10:04:00Z')).toContain('a later event');
    expect(await judge({}, '2026-11-22T10:00:00Z')).toContain('a later event');
  });
});
