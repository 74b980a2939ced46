import { saysCi } from '../core/ci.ts';
import type { ClosedRequest, RunRequest, RunWorld } from '../engine/types.ts';
import { closedText } from '../report/closed-text.ts';
import { planText } from '../report/plan-text.ts';
import { windowOf } from '../report/window.ts';
import type { TerminalAsk } from './ask.ts';
import { toClosedRequest } from './request.ts';
import type { Running } from './running.ts';
import { terminalOf } from './terminal-of.ts';
import type { Runner } from './world.ts';

/** Whether a person at a terminal confirms what is removed. A program and a CI job are never asked. */
function asks({ flags, world, output, request }: Running): boolean {
  const isSilent = flags.has('yes') || output.isJson || flags.has('events') || saysCi(world.env);
  const mayRemove = request.destroy || request.prune === true;
  return mayRemove && !isSilent && world.stdin?.isTTY === true && world.stderr.isTTY === true;
}

const askOf =
  ({ world, interruption }: Running) =>
  (): Promise<TerminalAsk | null> =>
    terminalOf(world, { signal: interruption.signal, undone: 'instead of an answer. Nothing was removed' });

/** Plans what a run would remove, with progress of its own, and shows it on stderr. */
async function shown<D>(
  { openProgress, output }: Running,
  plan: (listen: NonNullable<RunWorld['listen']>) => Promise<D>,
  text: (document: D) => string,
): Promise<D> {
  const progress = openProgress();
  try {
    const document = await plan((event) => progress.listen(event));
    progress.stop();
    output.say(text(document));
    return document;
  } finally {
    progress.stop();
  }
}

/** The request of an apply or a destroy, as the person confirmed it. */
export async function confirmedRun(run: Running, runner: Runner, runWorld: RunWorld): Promise<RunRequest> {
  const { world, output, request, next } = run;
  if (!asks(run)) return request;
  const { confirmRun } = await import('./confirm-removal.ts');
  const words = { ...next, isDestroy: request.destroy, isAsked: true };
  return await confirmRun({
    request,
    show: () =>
      shown(
        run,
        (listen) => runner.runPlan(request, { ...runWorld, listen }),
        (plan) => planText(plan, output.styles, words, windowOf(world.stderr)),
      ),
    ask: askOf(run),
  });
}

/** The request of a sweep, as the person confirmed it. */
export async function confirmedSweep(run: Running, runner: Runner, runWorld: RunWorld): Promise<ClosedRequest> {
  const { command, flags, world, output } = run;
  const request = toClosedRequest(command, flags, world);
  if (command === 'plan' || !asks(run)) return request;
  const { confirmSweep } = await import('./confirm-removal.ts');
  return await confirmSweep({
    request,
    show: () =>
      shown(
        run,
        (listen) => runner.runClosed({ ...request, isPlan: true }, { ...runWorld, listen }),
        (plan) => closedText(plan, output.styles, windowOf(world.stderr)),
      ),
    ask: askOf(run),
  });
}
