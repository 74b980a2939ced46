import { openRegistry } from '../engine/prepare/registry.ts';
import { init } from '../onboard/init.ts';
import { initText } from '../onboard/init-text.ts';
import { initShape } from './init-shape.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import type { CliWorld } from './world.ts';

/** `pilotfish init`. An existing plan is no failure: the exit code is 0, that of `--setup` 1 where something is not ready. */
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
  // A script may pass it to either; what would be accepted is offered by the setup.
  if (flags.has('yes')) output.say('Nothing was offered that `--yes` could accept: `pilotfish init --setup` makes offers.');
  output.report(document, (told, styles) => initText(told, cwd, styles), initShape);
  return 0;
}
