import type { Detect } from '../../ops/detect.ts';
import { ecosystems, type ServiceSignals, type Signals } from '../../ops/signals.ts';

/** The signals of a `Detect`. One that has no signals yet gives those of its older lists: each of them suffices. */
export function signalsIn(detect: Detect): ServiceSignals {
  const { uses, may, nothing, files, holds, dependencies, commands, env, hosts } = detect;
  if (uses || may || nothing) return { ...(uses && { uses }), ...(may && { may }), ...(nothing && { nothing }) };
  const older: Signals = {
    ...(files && { files }),
    ...(holds && { holds }),
    // The older list has no ecosystems.
    ...(dependencies && { packages: Object.fromEntries(ecosystems.map((ecosystem) => [ecosystem, dependencies])) }),
    ...(commands && { commands }),
    ...(env && { variables: env }),
    ...(hosts && { hosts }),
  };
  return { uses: older };
}
