import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyDoc } from '../../../src/engine/document.ts';
import type { Team } from '../../demo/team.ts';
import { type Child, start } from '../../e2e/child.ts';
import { openWire } from '../../e2e/wire.ts';
import { deliver, type Fate } from './fate.ts';
import { termsEnv } from './terms.ts';

/** One finished run of the built program. */
export interface Ended {
  readonly code: number;
  /** `null` when it was killed. */
  readonly document: ApplyDoc | null;
  readonly output: string;
  readonly ms: number;
  readonly requests: number;
  /** The signal that met it. */
  readonly met: Fate | null;
  /** File with everything that it was told and said. */
  readonly log: string;
}

let jobs = 0;

/** Runs one command to its end, with the fate that it meets on the way. */
export async function runJob(
  team: Team,
  o: { readonly args: readonly string[]; readonly folder: string; readonly fate: Fate | null; readonly name: string },
): Promise<Ended> {
  jobs += 1;
  const log = join(o.folder, `${String(jobs).padStart(4, '0')}-${o.name}.log`);
  const { promise: child, resolve: hasStarted } = Promise.withResolvers<Child>();
  let met: Fate | null = null;
  const ends = o.fate
    ? deliver(
        o.fate,
        () => child,
        (fate) => {
          met = fate;
        },
      )
    : null;
  const since = performance.now();
  const wire = await openWire({ ...(ends && { before: ends.before, after: ends.after }) });
  const begun = start([...o.args, '--json'], { cwd: team.checkout, env: { ...team.env, ...termsEnv(o.fate !== null), ...wire.env } });
  hasStarted(begun);
  ends?.begin();
  const { code, stdout, stderr } = await begun.ended;
  const ms = performance.now() - since;
  const passed = wire.passages.map(
    (one) => `${String(Math.round(one.at - since)).padStart(6)} ${one.kind} ${one.method} ${one.url.pathname}${one.url.search}`,
  );
  await appendFile(
    log,
    [
      `at ${Math.round(since)}: ${o.args.join(' ')}`,
      `fate ${JSON.stringify(o.fate)}`,
      ...passed,
      stderr,
      stdout,
      `exit ${code}, ${Math.round(ms)} ms`,
      '',
    ].join('\n'),
  );
  // What is still on its way lands before the wire goes; a dead process holds nothing open.
  void wire.stop();
  return { code, document: parsed(stdout), output: stdout + stderr, ms, requests: wire.passages.length, met, log };
}

function parsed(text: string): ApplyDoc | null {
  if (text.trim() === '') return null;
  return JSON.parse(text);
}
