import { describe, expect, it } from 'vitest';
import { follow, type Seen } from './follow/follow.ts';
import { openWatched } from './follow/observe.ts';
import { type Scenario, scenarios, suspendedBehindTheCheck } from './follow/scenarios.ts';
import { allStepKinds, stepKinds } from './follow/steps.ts';
import { rulesWithout } from './scope/rules.ts';

async function watch(scenario: Scenario): Promise<Seen> {
  const watched = await openWatched();
  try {
    await scenario(watched);
    return watched.seen();
  } finally {
    await watched.close();
  }
}

const taken = new Set<string>();

describe('what the engine does is a way through the model', () => {
  it.each(Object.entries(scenarios))(
    '%s',
    async (_, scenario) => {
      const found = follow(await watch(scenario));
      expect(found).toMatchObject({ ok: true });
      if (found.ok) for (const kind of stepKinds(found.said)) taken.add(kind);
    },
    60_000,
  );

  it('and all these ways together take every step that the model has, but for the named ones', () => {
    const missing = [...allStepKinds()].filter((kind) => !taken.has(kind));
    expect(missing.sort()).toEqual(notWatched);
  });
});

/** A run of one line records when it ends, so nothing rides along with a renewal, and no quiet moment can begin in between. */
const notWatched = ['R renews its lease, and its facts ride along.', 'R stores its record and its receipt and releases the lease (quiet).'];

describe('a drift is found', () => {
  const dies = scenarios['a run dies after its create left, and the next one waits, takes over and claims'] as Scenario;

  /** The same, with the event that `moved` finds put before the one that `to` finds. */
  function reordered(seen: Seen, moved: RegExp, to: RegExp): Seen {
    const from = seen.events.findIndex(({ means }) => moved.test(means.source));
    const at = seen.events.findIndex(({ means }) => to.test(means.source));
    const [event] = seen.events.slice(from, from + 1);
    const before = seen.events[at];
    if (!event || !before) throw new Error('the run has no such events');
    const rest = seen.events.filter((one) => one !== event);
    return { ...seen, events: [...rest.slice(0, at), { ...event, at: before.at }, ...rest.slice(at)] };
  }

  it('when a create is sent before its intent is stored', async () => {
    const seen = await watch(dies);
    expect(follow(reordered(seen, /^\^A sends its create/, /^\^A stores its intent/))).toMatchObject({
      ok: false,
      means: '^A sends its create',
    });
  });

  it('when an intent is stored without a look', async () => {
    const seen = await watch(dies);
    const events = seen.events.filter(({ means }) => !means.source.startsWith('^A finds'));
    expect(follow({ ...seen, events })).toMatchObject({ ok: false, means: '^A stores its intent under its lease' });
  });

  it('when a look is believed within the quiet moment', async () => {
    const seen = await watch(dies);
    const over = seen.events.findIndex(({ means }) => means.source.startsWith('^B (takes'));
    const look = seen.events.find(({ means }) => means.source.startsWith('^B finds'));
    const until = seen.events.slice(0, over + 1);
    const early = { ...seen, events: look ? [...until, { ...look, at: until.at(-1)?.at ?? 0, mayBeNothing: false }] : [] };
    expect(follow(early)).toMatchObject({ ok: false, means: look?.means.source });
    expect(follow(early, rulesWithout('looksAreBelievedLate'))).toMatchObject({ ok: true });
  });

  it('when a lease is taken over too early', async () => {
    const seen = await watch(dies);
    const events = seen.events.map((event) => ({ ...event, at: Math.min(event.at, 3) }));
    expect(follow({ ...seen, events })).toMatchObject({ ok: false });
  });

  it('and a machine that stands still between its check and the network is outside of the model, as it says', async () => {
    const found = follow(await watch(suspendedBehindTheCheck));
    expect(found).toMatchObject({ ok: false, means: '^A sends its create' });
  });
});
