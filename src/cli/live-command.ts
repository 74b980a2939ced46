import { readFileSync } from 'node:fs';
import path from 'node:path';
import { saysCi } from '../core/ci.ts';
import { Failure } from '../core/errors.ts';
import { openRegistry } from '../engine/prepare/registry.ts';
import { type LiveDoc, liveShape } from '../live/document.ts';
import { type LiveRequest, prove } from '../live/live.ts';
import { liveText } from '../live/live-text.ts';
import { groundOf, makeFolder, replaceFile } from '../platform/safe-files.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import { toRequest } from './request.ts';
import { watchSignals } from './signals.ts';
import { terminalOf } from './terminal-of.ts';
import type { CliWorld } from './world.ts';

/** Runs `pilotfish live`. Exits with 0 if every step held, and with 1 if one did not or an object is left. */
export async function runLive(operation: string, flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const request = liveRequest(operation, flags, world);
  const { signals: source, exit: exitNow } = world;
  const interruption = watchSignals({ source, say: output.say, meaning: 'live removes what it made', exitNow });
  const { signal } = interruption;
  try {
    const proof = await prove(request, {
      ...world.network,
      runner: await world.loadRunner(),
      registry: await openRegistry(world),
      redactor: output.redactor,
      signal,
      say: output.say,
      confirm: (announcement) => confirmed(announcement, { flags, world, output, signal }),
    });
    const file = path.resolve(world.cwd, textOf(flags, 'report') ?? path.join(path.dirname(request.folder), `${operation}.json`));
    const ground = groundOf(world.cwd);
    makeFolder(path.dirname(file), ground);
    replaceFile(file, `${JSON.stringify(output.redactor.json(proof.report), null, 2)}\n`, ground);
    const document: LiveDoc = { ...proof, file };
    output.report(document, liveText, liveShape);
    return document.ok ? 0 : 1;
  } catch (thrown) {
    const interrupted = interruption.exitCode();
    if (interrupted === null || (thrown instanceof Failure && thrown.code === 'EXTERNAL_FAILED')) throw thrown;
    return output.fail('live', signal.reason, interrupted);
  } finally {
    interruption.stop();
  }
}

function liveRequest(operation: string, flags: Flags, world: CliWorld): LiveRequest {
  const { branch, sha, waitTimeoutMs, leaseTimeoutMs } = toRequest(flags, world);
  const given = flags.get('with');
  const file = textOf(flags, 'line');
  return {
    cwd: world.cwd,
    env: world.env,
    operation,
    with: Array.isArray(given) ? given : [],
    file: file === null ? null : { name: file, text: readText(path.resolve(world.cwd, file), file) },
    folder: path.resolve(world.cwd, textOf(flags, 'folder') ?? path.join('.pilotfish', 'live', operation.replace(/[^\w.]/g, '_'))),
    git: { branch, sha, pr: null },
    server: textOf(flags, 'server'),
    leaves: flags.has('leave'),
    waitTimeoutMs,
    leaseTimeoutMs,
  };
}

function textOf(flags: Flags, name: string): string | null {
  const value = flags.get(name);
  return typeof value === 'string' ? value : null;
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('USAGE', { detail: `${name} cannot be read.`, fix: 'Name a file with the params of the line.', cause });
  }
}

interface Asked {
  readonly flags: Flags;
  readonly world: CliWorld;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** A person says yes, or the command line did. A proof writes to an account, so nobody's silence is a yes. */
async function confirmed(announcement: string, { flags, world, output, signal }: Asked): Promise<void> {
  output.say(announcement);
  if (flags.has('yes')) return;
  const isSilent = output.isJson || saysCi(world.env);
  const terminal = isSilent ? null : await terminalOf(world, { signal, undone: 'instead of an answer. Nothing was made' });
  if (terminal === null) {
    throw new Failure('USAGE', { detail: 'live writes to the account, and nobody can be asked here.', fix: 'Pass `--yes` to begin.' });
  }
  try {
    const answer = await terminal.text('Begin? Type yes to go on:');
    if (answer.trim() !== 'yes') throw new Failure('NOT_CONFIRMED', { detail: 'The answer was not `yes`. Nothing was made.' });
  } finally {
    terminal.close();
  }
}
