import { type ErrorData, Failure, Failures } from '../core/errors.ts';
import { version } from '../core/version.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, PlanDoc, RunEvent } from '../engine/document.ts';
import type { RunRequest } from '../engine/types.ts';
import { applyText } from '../report/apply-text.ts';
import { closedText } from '../report/closed-text.ts';
import { createEventStream } from '../report/event-stream.ts';
import { planText } from '../report/plan-text.ts';
import { chooseProgress } from '../report/progress.ts';
import type { Progress } from '../report/progress-board.ts';
import type { Styles } from '../report/styles.ts';
import type { Telemetry } from '../report/telemetry/export.ts';
import type { TraceOf } from '../report/telemetry/otlp.ts';
import { keepRun } from '../report/trace/kept-run.ts';
import type { Trace } from '../report/trace/trace.ts';
import { windowOf } from '../report/window.ts';
import { confirmedRun, confirmedSweep } from './confirmed.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import { applyCommand, pruneCommand, toRequest } from './request.ts';
import type { Running } from './running.ts';
import { watchSignals } from './signals.ts';
import type { CliWorld } from './world.ts';

/** Runs `pilotfish plan` and `pilotfish apply`: shows progress, always writes the trace, and reports. */
export async function runCommand(command: 'plan' | 'apply', flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const request = toRequest(flags, world);
  const folder = flags.get('trace');
  const title = titleOf(command, request, flags.has('closed'));
  const telemetry = await openExport(title, world, output);
  const trace =
    typeof folder === 'string' ? await traceTo(folder, title, world.cwd, telemetry?.of ?? (await traceOf(world, output))) : null;
  const kept = keepRun(world.cwd, { title, version });
  const { env, now, stderr } = world;
  const openProgress = (): Progress =>
    flags.has('events')
      ? createEventStream(stderr)
      : chooseProgress({ mode: flags.get('progress'), stream: stderr, env, styles: output.styles, now, staysAtEnd: !world.stdout.isTTY });
  const progress = openProgress();
  let ending: readonly ErrorData[] = [];
  const close = (errors: readonly ErrorData[] = []): void => {
    ending = errors;
    progress.stop();
    kept.end(errors);
    const problem = trace?.write(errors);
    if (problem) output.say(problem);
  };
  const interruption = watchSignals({
    source: world.signals,
    say: (line) => progress.print(line),
    exitNow:
      world.exit &&
      ((code) => {
        close();
        world.exit?.(code);
      }),
  });
  const next = {
    apply: applyCommand(request),
    prune: pruneCommand(request),
  };
  const listen = (event: RunEvent): void => {
    trace?.listen(event);
    telemetry?.listen(event);
    kept.listen(event);
    progress.listen(event);
  };
  const run: Running = { command, flags, world, output, request, next, interruption, listen, openProgress, close };
  try {
    const { document, exit } = await reportRun(run).catch((thrown: unknown) => reportFailure(run, thrown));
    if (flags.has('comment') && !('mode' in document)) {
      const { commentOn } = await import('./comment.ts');
      const told = { request, document, redactor: output.redactor, hasTrace: trace !== null, next, interrupted: interruption.signal };
      const problem = await commentOn(told, world.network);
      if (problem !== null) output.say(problem);
    }
    const lost = (await telemetry?.send(ending)) ?? null;
    if (lost !== null) output.say(lost);
    return exit;
  } finally {
    interruption.stop();
  }
}

/** Runs the command and reports its document. */
async function reportRun(run: Running): Promise<Ended> {
  const { command, flags, world, output, request, next, interruption, listen, close } = run;
  const runner = await world.loadRunner();
  const onSecret = (text: string): void => {
    output.redactor.addIfLong(text);
    world.onSecret?.(text);
  };
  const runWorld = { signal: interruption.signal, onSecret, listen };
  const window = windowOf(world.stdout);
  const proposed = { ...next, isDestroy: request.destroy };
  if (flags.has('closed')) {
    const document = await runner.runClosed(await confirmedSweep(run, runner, runWorld), runWorld);
    close(document.error && [document.error]);
    const exit = document.status === 'interrupted' ? (interruption.exitCode() ?? 130) : document.status === 'failed' ? 1 : 0;
    return reportDocument(document, exit, output, (told, styles) => closedText(told, styles, window));
  }
  if (command === 'plan') {
    const document = await runner.runPlan(request, runWorld);
    close(document.error && [document.error]);
    const exit = planExit(document, interruption.exitCode());
    return reportDocument(document, exit, output, (told, styles) => planText(told, styles, proposed, window));
  }
  const document = await runner.runApply(await confirmedRun(run, runner, runWorld), runWorld);
  close(document.error && [document.error]);
  const exit = applyExit(document, interruption.exitCode());
  return reportDocument(document, exit, output, (told, styles) => applyText(told, styles, proposed, window));
}

function reportFailure({ command, output, interruption, close }: Running, thrown: unknown): Ended {
  // While a question is open, Ctrl-C comes as a key and not as a signal.
  const interrupted = interruption.exitCode() ?? (thrown instanceof Failure && thrown.code === 'INTERRUPTED' ? 130 : null);
  const ofRun = interrupted === null || thrown instanceof Failures;
  const reason = !ofRun && isAbort(thrown) ? interruption.signal.reason : thrown;
  const document = output.failure(command, reason);
  close(document.errors ?? [document.error]);
  const exit = ofRun ? output.fail(command, reason) : output.fail(command, reason, interrupted);
  return { document, exit };
}

/** The place of this run among traces. Everything that goes there is masked once more, by all secrets that are known at the end. */
async function traceOf({ env }: CliWorld, { redactor }: Output): Promise<TraceOf> {
  const { traceParent } = await import('../report/telemetry/parent.ts');
  return { ...traceParent(env), redact: (value) => redactor.json(value) };
}

/** The export of the run, where the variables of OpenTelemetry ask for one. The libraries of the export are loaded only then. */
async function openExport(title: string, world: CliWorld, output: Output): Promise<(Telemetry & { readonly of: TraceOf }) | null> {
  const { env } = world;
  const isAsked = Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim());
  const isOff =
    env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || !/^(.*,)?\s*otlp\s*(,.*)?$/.test(env.OTEL_TRACES_EXPORTER?.trim() || 'otlp');
  if (!isAsked || isOff) return null;
  const of = await traceOf(world, output);
  if (!of.isSampled) return null;
  const { openTelemetry } = await import('../report/telemetry/export.ts');
  return { ...openTelemetry(env, of, { title }), of };
}

/** Opens a trace. Its module is loaded only for `--trace`. */
async function traceTo(folder: string, title: string, cwd: string, telemetry: TraceOf): Promise<Trace> {
  const [{ openTrace }, { machineSources: machines }] = await Promise.all([
    import('../report/trace/trace.ts'),
    import('../machines/sources.ts'),
  ]);
  return openTrace(folder, cwd, { title, version, machines, telemetry });
}

/** The title of the run's trace: `apply --destroy preview/pr-12`. */
const titleOf = (command: string, { destroy, orphans, prune, environment, scope }: RunRequest, isClosed: boolean): string =>
  `${command}${destroy ? ' --destroy' : ''}${orphans ? ' --orphans' : ''}${prune ? ' --prune' : ''}${isClosed ? ' --closed' : ''} ${environment}${scope === null ? '' : `/${scope}`}`;

/** The end of a command after its report. */
interface Ended {
  readonly document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc;
  readonly exit: number;
}

const isAbort = (thrown: unknown): boolean => thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'Interrupted');

/** Reports a document and returns its exit code. `ok` must be true if and only if the exit code is 0. */
function reportDocument<T extends PlanDoc | ApplyDoc | ClosedDoc>(
  document: T,
  exit: number,
  output: Output,
  text: (document: T, styles: Styles) => string,
): Ended {
  return { document: output.report({ ...document, ok: exit === 0 }, text), exit };
}

function planExit(document: PlanDoc, interrupted: number | null): number {
  return document.ok ? 0 : (interrupted ?? 1);
}

function applyExit(document: ApplyDoc, interrupted: number | null): number {
  if (document.status === 'interrupted') return interrupted ?? 130;
  if (document.error?.code === 'LEASE_HELD' || document.error?.code === 'LEASE_LOST') return 3;
  return document.status === 'failed' ? 1 : 0;
}
