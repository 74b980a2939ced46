import { openRegistry } from '../engine/prepare/registry.ts';
import { init } from '../onboard/init.ts';
import { initText } from '../onboard/init-text.ts';
import { initShape } from './init-shape.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import type { CliWorld } from './world.ts';

/** Runs `pilotfish init`. An existing plan is no failure, so the exit code is 0. `--setup` exits with 1 if something is not ready. */
export async function runInit(flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const { cwd, env } = world;
  const list = (name: string): readonly string[] => {
    const value = flags.get(name);
    return Array.isArray(value) ? value : [];
  };
  const document = await init({ cwd, env, add: list('add'), adopt: list('adopt'), openRegistry });
  if (flags.has('setup')) {
    const { runSetup } = await import('./setup-command.ts');
    return await runSetup(document, flags, world, output);
  }
  // A script may pass `--yes` to plain init too, but only the setup makes offers.
  if (flags.has('yes')) output.say('`--yes` had nothing to accept: only `pilotfish init --setup` makes offers.');
  output.report(document, (told, styles) => initText(told, cwd, styles), initShape);
  return 0;
}
