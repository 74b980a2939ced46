import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from './cases.ts';
import { measured, type Used } from './child.ts';
import { type Folder, openFolder } from './folder.ts';
import type { Host } from './host.ts';
import { type Phase, phases } from './phase.ts';
import { type Counters, token } from './server.ts';
import { flawsOf } from './verify.ts';

/** Who does it: we, or one of the bare scripts; `local` is we with a folder for a ledger, where the case has a git host. */
export type SideName = 'ours' | 'local' | 'find' | 'least';

/** The sides of a case, in the order of their turns. */
export const sidesOf = ({ ledger }: Pick<Case, 'ledger'>): readonly SideName[] =>
  ledger === 'git' ? ['ours', 'local', 'find', 'least'] : ['ours', 'find', 'least'];

/** One phase as one side did it once. */
export interface Sample extends Used, Counters {
  readonly case: string;
  readonly phase: Phase;
  readonly side: SideName;
  /** Of the ledger. At a git host as that one counts them. */
  readonly pushes: number;
}

export interface Programs {
  readonly ours: string;
  readonly find: string;
  readonly least: string;
  /** Where ours keeps what Node compiled of it. */
  readonly compiled: string;
}

/**
 * Goes once through the phases of a case, up to its last one, in a world and a folder of its own. A wrong outcome is an error: then
 * a time is no figure.
 */
export async function runOnce(one: Case, side: SideName, host: Host, programs: Programs): Promise<Sample[]> {
  await host.reset({ wanted: one.wanted, latency: one.latency, rate: one.rate });
  const folder = await openFolder(
    { ...one, ledger: side === 'ours' ? one.ledger : 'local' },
    host.base,
    one.isCold ? null : programs.compiled,
  );
  const program = programs[side === 'local' ? 'ours' : side];
  try {
    if (isBare(side)) await writeFile(join(folder.path, 'task.json'), JSON.stringify({ base: host.base, token, wanted: one.wanted }));
    const samples: Sample[] = [];
    for (const phase of phases.slice(0, phases.indexOf(one.until) + 1)) {
      if (phase === 'drifted apply') await host.ask('drift');
      await host.ask('counters');
      const pushed = folder.remote?.count.pushes ?? 0;
      const { stdout, ...used } = await measured([program, ...argumentsOf(side, phase)], { cwd: folder.path, env: folder.env });
      const counters = await host.ask('counters');
      const flaws = flawsOf(one.wanted, phase, await host.ask('world'));
      if ((phase === 'plan' || phase === 'unchanged apply') && counters.writes > 0) flaws.push(`${counters.writes} writes were sent`);
      if (flaws.length > 0) throw new Error(`${one.name}, ${phase}, ${side}: ${flaws.join('; ')}.`);
      samples.push({ case: one.name, phase, side, ...used, ...counters, pushes: pushesOf(folder, pushed, stdout) });
    }
    return samples;
  } finally {
    await folder.remove();
  }
}

const isBare = (side: SideName): boolean => side === 'find' || side === 'least';

function argumentsOf(side: SideName, phase: Phase): readonly string[] {
  const purpose = phase.endsWith('apply') ? 'apply' : phase;
  if (isBare(side)) return [purpose];
  return purpose === 'destroy' ? ['apply', '--destroy', '--scope', 'pr-1'] : [purpose, '--scope', 'pr-1'];
}

/** A folder is pushed to as a host is, and only the program itself can count that. */
function pushesOf({ remote }: Folder, before: number, stdout: string): number {
  if (remote) return remote.count.pushes - before;
  return Number(/(\d+) push(?:es)? of the ledger/.exec(stdout)?.[1] ?? 0);
}
