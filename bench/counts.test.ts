import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../src/engine/document.ts';
import { runApply, runPlan } from '../src/engine/run.ts';
import { runRequest } from '../test/support/run-request.ts';
import { type Calls, countCalls } from './calls.ts';
import { openCounted } from './counted.ts';
import type { Counters } from './server.ts';
import { chain, diamond, entries, independent, variables } from './wants.ts';
import type { Wanted } from './wish.ts';

// What a run costs, in what can be counted: seconds say more of the machine than of the program.

interface Cost extends Pick<Counters, 'reads' | 'writes'>, Calls {
  readonly pushes: number;
  /** States that lines came to. */
  readonly states: number;
  readonly events: number;
  /** Bytes that the run added to the files of branches. Beside each stands the file before it. */
  readonly bytes: number;
}

type Phase = 'plan' | 'first' | 'unchanged' | 'destroy';

/** Plan, apply, apply again and destroy of what is wanted. */
async function costsOf(wanted: Wanted): Promise<{ readonly [phase in Phase]: Cost }> {
  const { cwd, env, counters } = await openCounted(wanted);
  const measure = async (phase: Phase): Promise<Cost> => {
    const before = await bytesIn(join(cwd, '.pilotfish/ledger'));
    await counters();
    const events: RunEvent[] = [];
    const world = { repository: null, listen: (event: RunEvent) => void events.push(event) };
    const counting = countCalls();
    const document =
      phase === 'plan'
        ? await runPlan(runRequest(cwd, env), world)
        : await runApply(runRequest(cwd, env, { destroy: phase === 'destroy' }), world);
    const calls = counting.end();
    expect(document, JSON.stringify(document.error)).toMatchObject({ ok: true });
    const { reads, writes } = await counters();
    const states = events.filter(({ type }) => type === 'line').length;
    const pushes = 'stats' in document ? document.stats.pushes : 0;
    const bytes = (await bytesIn(join(cwd, '.pilotfish/ledger'))) - before;
    return { reads, writes, pushes, states, events: events.length, bytes, ...calls };
  };
  return {
    plan: await measure('plan'),
    first: await measure('first'),
    unchanged: await measure('unchanged'),
    destroy: await measure('destroy'),
  };
}

async function bytesIn(folder: string): Promise<number> {
  const entriesOf = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entriesOf
    .filter((one) => one.isFile() && !one.name.endsWith('~before'))
    .map(async (one) => (await stat(join(one.parentPath, one.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const asked = ({ reads, writes, pushes }: Cost): readonly number[] => [reads, writes, pushes];

describe('what a run asks its provider and its ledger', () => {
  it('is the least for lines that know nothing of each other: a list, a write each, and two pushes', async () => {
    const { plan, first, unchanged, destroy } = await costsOf(independent(240));
    expect(asked(plan)).toEqual([1, 0, 0]);
    // What will be done, and the end.
    expect(asked(first)).toEqual([1, 240, 2]);
    // Pages of 100.
    expect(asked(unchanged)).toEqual([3, 0, 1]);
    expect(asked(destroy)).toEqual([0, 240, 2]);
  });

  it('grows with the depth of a chain, and only when something is written', async () => {
    const { plan, first, unchanged, destroy } = await costsOf(chain(10));
    expect(asked(plan)).toEqual([1, 0, 0]);
    // Every link looks while the first one is being made.
    expect(asked(first)).toEqual([1, 10, 11]);
    expect(asked(unchanged)).toEqual([1, 0, 1]);
    expect(asked(destroy)).toEqual([0, 10, 2]);
  });

  it('grows with the depth of a chain whose looks need what comes before', async () => {
    expect(asked((await costsOf(chain(10, true))).first)).toEqual([10, 10, 11]);
  });

  it('does not grow with the width of a diamond', async () => {
    const { first, unchanged, destroy } = await costsOf(diamond(60));
    expect(asked(first)).toEqual([1, 60, 4]);
    expect(asked(unchanged)).toEqual([1, 0, 1]);
    expect(asked(destroy)).toEqual([0, 60, 2]);
  });

  it('is three reads and one write for each object whose list many lines are entries of, and a read when nothing changed', async () => {
    const { first, unchanged, destroy } = await costsOf(entries(100, 5));
    expect([first.reads, first.writes]).toEqual([15, 5]);
    expect([unchanged.reads, unchanged.writes]).toEqual([5, 0]);
    expect([destroy.reads, destroy.writes]).toEqual([10, 5]);
  });

  it('is one list for all variables of a project, and a write for fifty of them', async () => {
    const { plan, first, unchanged } = await costsOf(variables(120));
    // Pages of 100, and one object of others.
    expect([plan.reads, unchanged.reads, unchanged.writes]).toEqual([1, 2, 0]);
    expect([first.reads, first.writes]).toEqual([1, 3]);
  });
});

describe('what a line costs', () => {
  it('does not grow with the number of lines: states, events, bytes of the ledger, texts and values of JSON, digests, bindings', async () => {
    const [few, many] = [await costsOf(independent(100)), await costsOf(independent(200))];
    for (const phase of ['plan', 'first', 'unchanged', 'destroy'] as const) {
      expect(many[phase].states, phase).toBe(few[phase].states * 2);
      for (const what of ['events', 'bytes', 'json', 'hashes', 'bindings'] as const) {
        expect(many[phase][what], `${what} of ${phase}`).toBeLessThanOrEqual(few[phase][what] * 2 * 1.05);
      }
    }
    const ofLine = (phase: Phase, what: keyof Cost): number => Math.floor(many[phase][what] / 200);
    const phases = ['plan', 'first', 'unchanged', 'destroy'] as const;
    expect(phases.map((phase) => ofLine(phase, 'states'))).toEqual([3, 8, 3, 5]);
    for (const [what, most] of [
      ['events', [5, 10, 5, 8]],
      // A plan and an apply bind each line a second time, as another pull request would: equal objects are one for all scopes.
      ['json', [40, 63, 109, 12]],
      // Of a plan one is the template of its digest. Each fact is hashed for its seal, a record twice.
      ['hashes', [3, 11, 7, 3]],
      ['bindings', [2, 2, 2, 0]],
      ['bytes', [0, 3_900, 150, 700]],
    ] as const) {
      for (const [n, phase] of phases.entries()) expect(ofLine(phase, what), `${what} of ${phase}`).toBeLessThanOrEqual(most[n] ?? 0);
    }
  });
});
