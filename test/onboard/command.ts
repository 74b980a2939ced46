import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import type { CliWorld, Runner } from '../../src/cli/world.ts';
import { runApply, runClosed, runPlan } from '../../src/engine/run.ts';
import type { RunWorld } from '../../src/engine/types.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { layOut } from './repositories.ts';

export interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** What `plan` and `apply` run in. */
  readonly world?: RunWorld;
}

/** One invocation of the command line in this process, with what it wrote and how it ended. */
export async function pilotfish(argv: readonly string[], { cwd, env = {}, world: place = {} }: Place): Promise<Told> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const runner: Runner = {
    runPlan: (request) => runPlan(request, place),
    runApply: (request) => runApply(request, place),
    runClosed: (request) => runClosed(request, place),
  };
  const world: CliWorld = {
    cwd,
    env,
    stdout,
    stderr,
    signals: new EventEmitter(),
    now: () => performance.now(),
    exit: (code) => {
      throw new Error(`it ended at once, with ${code}`);
    },
    loadRunner: () => Promise.resolve(runner),
  };
  return { code: await main(argv, world, createOutput(world, argv)), stdout: stdout.text, stderr: stderr.text };
}

/** A clone of a repository of `repositories`, removed when the test ends. */
export async function cloneOf(name: string): Promise<string> {
  const folder = await tempFolder('onboard');
  await layOut(name, folder);
  return folder;
}

class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
