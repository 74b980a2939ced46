import { init } from '../onboard/init.ts';
import { initText } from '../onboard/init-text.ts';
import type { Output } from './output.ts';
import type { CliWorld } from './world.ts';

/** `pilotfish init`. An existing plan is no failure: the exit code is 0. */
export async function runInit(world: CliWorld, output: Output): Promise<number> {
  const document = await init({ cwd: world.cwd, env: world.env });
  output.report(document, (styles) => initText(document, world.cwd, styles));
  return 0;
}
