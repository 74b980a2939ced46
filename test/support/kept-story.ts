import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, onTestFinished } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from './leaping-clock.ts';
import { openStage, type Stage } from './stage.ts';

/** One world of a provider, with lines in it whose values the provider keeps in another form than it was sent. */
export interface KeptStory {
  readonly clock: LeapingClock;
  readonly simulation: Simulation;
  readonly env: Readonly<Record<string, string>>;
  readonly lines: readonly object[];
  readonly providers?: object;
  /** What stands at the provider for the lines. */
  mine(): readonly unknown[];
  /** Everything that is not theirs. */
  others(): unknown;
  /** How `mine` stands, where that is to be held. */
  readonly stands?: readonly unknown[];
  /** Changes from outside that a plan sees, each of which the next apply puts back. */
  readonly edits?: readonly (() => void)[];
}

export const storyClock = (): LeapingClock => new LeapingClock();

/**
 * Apply, apply, plan, each change from outside, destroy. The provider makes each of `mine` once, the second apply writes nothing, a plan
 * sees no drift, and in the end nothing of ours stands and all of others' does.
 */
export async function tellKept(story: KeptStory): Promise<void> {
  const stage = await openStory(story);
  const others = structuredClone(story.others());
  await applied(stage, 'the first apply');
  expect(story.mine(), 'what stands for the lines').toHaveLength(story.lines.length);
  if (story.stands) expect(story.mine(), 'how it stands').toMatchObject(story.stands);
  await expectQuiet(story, stage);
  for (const edit of story.edits ?? []) {
    edit();
    const { lines } = await stage.plan(longRun);
    expect(
      lines.filter(({ drift }) => drift !== 'none'),
      'lines with drift after the change from outside',
    ).toHaveLength(1);
    await applied(stage, 'the apply after the change from outside');
    if (story.stands) expect(story.mine(), 'how it stands again').toMatchObject(story.stands);
    await expectQuiet(story, stage);
  }
  await expectLeft(story, stage, others);
}

/** The stage of a story; at the end of the test its requests fit the contract. */
export async function openStory({ clock, simulation, env, lines, providers }: KeptStory): Promise<Stage> {
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000', ...env },
    plan: planOf(lines, providers),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  return stage;
}

/** A plan of these lines. JSON is YAML. */
export const planOf = (lines: readonly object[], providers: object = {}): string =>
  JSON.stringify({ version: 1, providers: { http: providers }, changes: lines });

export const longRun = { leaseTimeoutMs: 400_000, waitTimeoutMs: 400_000 } as const;

export async function applied(stage: Stage, what: string): Promise<ApplyDoc> {
  const doc = await stage.apply(longRun);
  expect(doc.error ?? doc.status, what).toBe('complete');
  return doc;
}

/** An apply writes nothing, a plan sees no drift, and nothing was made twice. */
export async function expectQuiet({ mine, lines }: KeptStory, stage: Stage): Promise<void> {
  const watched = stage.watch();
  await applied(stage, 'one more apply');
  expect(watched.writes(), 'what one more apply writes').toEqual([]);
  const planned = await stage.plan(longRun);
  expect(
    planned.lines.map(({ verdict, drift }) => `${verdict} ${drift}`),
    'the plan',
  ).toEqual(lines.map(() => 'none none'));
  expect(mine(), 'what stands after one more apply').toHaveLength(lines.length);
}

/** Destroy takes away what is ours and nothing else, and forgets it. */
export async function expectLeft({ mine, others }: KeptStory, stage: Stage, before: unknown): Promise<void> {
  const doc = await stage.destroy(longRun);
  expect(doc.error ?? doc.status, 'the destroy').toBe('complete');
  expect(mine(), 'what destroy leaves').toEqual([]);
  expect(others(), 'what others have').toEqual(before);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size], 'records and intents').toEqual([0, 0]);
}
