import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from '../../src/cli/process.ts';
import type { Runner } from '../../src/cli/world.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import { type Play, plays } from './plays.ts';

/**
 * pilotfish with a made run in place of a real one: command line, signals, progress and report are those of the program. `PLAY` names
 * the run, and `PLAY_FOLDER` the folder in which a test says when it goes on.
 */
const folder = process.env.PLAY_FOLDER ?? '';
const play = plays[process.env.PLAY ?? ''] ?? fail(`there is no play ${process.env.PLAY}`);
let time = 0;

const runner: Runner = {
  runPlan: (_, world) => act(play.plan, world),
  runApply: (_, world) => act(play.apply, world),
  runClosed: () => fail('no play is of --closed'),
};

await start({ now: () => time, loadRunner: () => Promise.resolve(runner) });

function act<T>(
  part: ((stage: Parameters<NonNullable<Play['apply']>>[0]) => Promise<T>) | undefined,
  world: Parameters<Runner['runApply']>[1],
): Promise<T> {
  if (!part) return fail('the play has no such part');
  return part({
    tell: (events: readonly RunEvent[]) => {
      for (const event of events) world?.listen?.(event);
    },
    pass: (ms) => {
      time += ms;
    },
    pause,
    signal: world?.signal ?? fail('a run has a signal'),
  });
}

/** Stands still until the test has looked, half a minute at most. */
async function pause(point: string, signal?: AbortSignal): Promise<void> {
  // Long enough for a picture of what was told.
  await delay(250);
  await writeFile(join(folder, `at-${point}`), String(process.pid));
  for (let i = 0; i < 1_500; i += 1) {
    if (
      signal?.aborted ||
      (await access(join(folder, `go-${point}`)).then(
        () => true,
        () => false,
      ))
    )
      return;
    await delay(20);
  }
}

function fail(why: string): never {
  throw new Error(why);
}
