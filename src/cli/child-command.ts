import { isatty } from 'node:tty';
import { saysCi } from '../core/ci.ts';
import { Failure } from '../core/errors.ts';
import type { Exports } from '../engine/exports/run-exports.ts';
import { type ForegroundCall, runForeground } from '../platform/foreground.ts';
import { exportsText } from '../report/exports-text.ts';
import { maskCommand, maskOutput, partsOf } from './child-output.ts';
import type { Output } from './output.ts';
import type { Flags, Invocation } from './parse.ts';
import { toRequest } from './request.ts';
import { watchSignals } from './signals.ts';
import type { CliWorld } from './world.ts';

type Words = Extract<Invocation, { kind: 'run' }>['program'];

/**
 * Runs `pilotfish run`: reads the variables of a scope and starts the command with them. Without a command it lists the variables. Returns
 * the exit code of the command.
 */
export async function runChild(words: Words, flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const from = flags.get('if-from');
  if (words === null && from !== undefined) {
    const detail = '`--if-from` decides whether the command starts, and no command is given.';
    throw new Failure('USAGE', { detail, fix: 'Add the command: `pilotfish run --if-from <line> -- <command>`.' });
  }
  const interruption = watchSignals({
    source: world.signals,
    say: output.say,
    meaning: 'run ends, and starts no command',
    exitNow: world.exit,
  });
  const told = await readVariables(flags, world, output, interruption.signal)
    .catch((thrown: unknown) => {
      const interrupted = interruption.exitCode();
      if (interrupted === null) throw thrown;
      return output.fail('run', interruption.signal.reason, interrupted);
    })
    .finally(() => interruption.stop());
  if (typeof told === 'number') return told;
  const [program, ...args] = words ?? [];
  if (program === undefined) {
    output.report(told.document, (document, styles) =>
      exportsText(document, styles, `Start a command with them: pilotfish run --scope ${document.scope} -- <command>`),
    );
    return 0;
  }
  if (typeof from === 'object' && !told.document.needs.some((line) => from.includes(line))) {
    output.say(`The command was not started: none of its variables comes from ${from.join(', ')}.`);
    return 0;
  }
  for (const warning of told.document.warnings) output.say(warning);
  return await start([program, ...args], told, world, output);
}

async function readVariables(flags: Flags, world: CliWorld, output: Output, signal: AbortSignal): Promise<Exports> {
  const { runExports } = await import('../engine/exports/run-exports.ts');
  const store = await world.openLedger?.();
  const onSecret = (text: string): void => {
    output.redactor.addIfLong(text);
    world.onSecret?.(text);
  };
  try {
    return await runExports(toRequest(flags, world), { ...world.network, ...(store && { store }), signal, onSecret });
  } finally {
    await store?.close();
  }
}

async function start(argv: ForegroundCall['argv'], { values }: Exports, world: CliWorld, output: Output): Promise<number> {
  const isInJob = saysCi(world.env) || world.env.GITHUB_ACTIONS === 'true';
  const own = values.flatMap(({ text, isSensitive }) => (isSensitive ? [text] : []));
  // The runner of a GitHub job masks its whole log, also what later steps print. The action has told it before.
  if (world.env.GITHUB_ACTIONS === 'true' && !world.onSecret)
    for (const part of own.flatMap(partsOf)) world.stderr.write(`${maskCommand(part)}\n`);
  const end = await runForeground({
    argv,
    cwd: world.cwd,
    env: { ...(world.programEnv ?? world.env), ...Object.fromEntries(values.map(({ name, text }) => [name, text])) },
    isAtTerminal: !isInJob && isatty(0),
    signals: world.signals,
    ...(isInJob && {
      read: (stream, source) => maskOutput(source, world[stream], { own, all: output.redactor }),
    }),
  });
  if ('code' in end) return end.code;
  const [program] = argv;
  const isThere = 'code' in end.error && end.error.code !== 'ENOENT';
  const detail = `${program} could not be started (${'code' in end.error ? String(end.error.code) : end.error.name}).`;
  const fix = isThere
    ? `Check whether ${program} may be executed here.`
    : `Install ${program}, or correct its name. No shell reads the words after \`--\`: write \`-- sh -c '…'\` for a shell.`;
  return output.fail('run', new Failure('USAGE', { detail, fix }), isThere ? 126 : 127);
}
