import { Writable } from 'node:stream';
import { main } from '../cli/main.ts';
import { createOutput } from '../cli/output.ts';
import { parseArgv } from '../cli/parse.ts';
import { applyCommand, toRequest } from '../cli/request.ts';
import type { Runner, SignalSource } from '../cli/world.ts';
import { canonicalJson } from '../core/canonical.ts';
import { commandLine } from '../core/door.ts';
import type { RunEvent } from '../engine/document.ts';
import type { CommandGate, RunWorld, WantedCommands } from '../engine/types.ts';
import type { ServerWorld } from './tools.ts';

/** The report of a command: the document of `--json`, and the text without that flag. Both are masked. */
export interface Reported {
  readonly document: { readonly ok: boolean };
  readonly text: string;
  /** The commands that nobody approved, if the run was refused because of them. */
  readonly wanted?: WantedCommands | undefined;
}

export interface CommandCall {
  readonly argv: readonly string[];
  readonly directory: string;
  /** The commands that a person approved for this call. */
  readonly approved: WantedCommands | null;
  readonly signals: SignalSource;
  readonly listen: (event: RunEvent) => void;
}

/** Runs a command like the command line, in this process but without its streams. */
export async function runCommandLine({ argv, directory, approved, signals, listen }: CommandCall, world: ServerWorld): Promise<Reported> {
  const out = new Sink();
  const err = new Sink();
  let document: Reported['document'] | null = null;
  let wanted: WantedCommands | undefined;
  const commandGate: CommandGate = {
    approves: (asked) => {
      const isApproved = canonicalJson(asked) === canonicalJson(approved);
      wanted = isApproved ? undefined : asked;
      return isApproved;
    },
  };
  const more = world.env.PILOTFISH_AGENT_COMMANDS === '1' ? { listen } : { listen, commandGate };
  const cli = {
    cwd: directory,
    env: world.env,
    stdout: out,
    stderr: err,
    signals,
    now: world.now,
    exit: null,
    redactor: world.redactor,
    loadRunner: async () => within(await world.loadRunner(), more),
  };
  const output = createOutput(cli, ['--no-color'], (reported) => {
    document = reported;
  });
  await main([...argv, '--progress=none'], cli, output);
  if (document === null) throw new Error(`the command ended without a report: ${err.text}`);
  return { document, text: `${out.text}${err.text}`, wanted };
}

/** The report of the command line about a thrown error. */
export function reportFailure(command: string, thrown: unknown, { redactor }: Pick<ServerWorld, 'redactor'>): Reported {
  const err = new Sink();
  let document: Reported['document'] = { ok: false };
  createOutput({ stdout: err, stderr: err, env: {}, redactor }, ['--no-color'], (reported) => {
    document = reported;
  }).fail(command, thrown);
  return { document, text: err.text };
}

/** The command that a person types for the same work. */
export function commandFor(argv: readonly string[], directory: string, env: NodeJS.ProcessEnv): string {
  const invocation = parseArgv(argv);
  return invocation.kind === 'run' ? applyCommand(toRequest(invocation.flags, { cwd: directory, env }), commandLine) : 'pilotfish apply';
}

/** A runner with one more listener, which starts only approved commands. */
function within(
  runner: Runner,
  { listen, commandGate }: { readonly listen: (event: RunEvent) => void; readonly commandGate?: CommandGate },
): Runner {
  const heard = (world: RunWorld): RunWorld => ({
    ...world,
    ...(commandGate && { commandGate }),
    listen: (event) => {
      world.listen?.(event);
      listen(event);
    },
  });
  return {
    runPlan: (request, world = {}) => runner.runPlan(request, heard(world)),
    runApply: (request, world = {}) => runner.runApply(request, heard(world)),
    runClosed: (request, world = {}) => runner.runClosed(request, heard(world)),
  };
}

/** Keeps written text, up to the length that an agent may read. */
class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.text.length < longestText) this.text += chunk.toString('utf8');
    done();
  }
}

const longestText = 1 << 20;

/** Runs a command for one call. The call gets its progress, and the command stops with the call. */
export type Run = (call: Pick<CommandCall, 'argv' | 'directory' | 'approved'>) => Promise<Reported>;
