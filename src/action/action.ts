import { error as annotate, notice } from '@actions/core';
import { main } from '../cli/main.ts';
import { createOutput } from '../cli/output.ts';
import type { CliWorld, Screen } from '../cli/world.ts';
import type { Redactor } from '../core/redact.ts';
import { jobLinks, runLinks } from '../host/job-links.ts';
import { isProduction } from '../plan/context.ts';
import { placesOf } from '../report/markdown/places.ts';
import { oneLine } from '../report/text.ts';
import { argvOf, leftOut, runArgv, type Subject } from './argv.ts';
import { type JobEvent, readJobEvent } from './event.ts';
import { type Gate, gateOf, refusalText } from './gate.ts';
import { type AskHost, askHost } from './host.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { jobOf } from './job.ts';
import { type Ledgers, openLedgers, otherJob } from './ledgers.ts';
import { type Log, openLog } from './log.ts';
import { maskIn, maskVariables } from './mask.ts';
import { lacksPower, type RunDocument, whyPowerless } from './powerless.ts';
import { type Ending, reportEndings, tellLeftOut } from './report.ts';
import { openStatusBoard } from './status.ts';
import { inTurn, interrupted, subjectsOf } from './subjects.ts';
import { trustedCommit } from './trusted-commit.ts';

/** One step of a job. */
interface Step {
  readonly env: NodeJS.ProcessEnv;
  /** The environment of the job as the workflow made it, for the script of `run`. */
  readonly jobEnv: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly mask: (secret: string) => void;
  readonly host: AskHost;
  readonly process: NodeJS.Process;
  /** Masks everything that this process prints. */
  readonly redactor: Redactor;
}

/**
 * Runs the step of a workflow: reads the inputs and the event, runs their command line, and reports to the runner. Returns the exit code.
 */
export async function runAction(process: NodeJS.Process, redactor: Redactor): Promise<number> {
  const log = openLog(process.stdout);
  const mask = maskIn(log);
  maskVariables(process.env, mask);
  const { env, jobEnv, token } = jobEnvironment(process.env);
  if (token) {
    mask(token);
    redactor.addIfLong(token);
  }
  // The module is loaded late, because few plans have plugins.
  if (env.PILOTFISH_PLUGINS) (await import('./plugin-library.ts')).offerLibrary();
  const step: Step = { env, jobEnv, log, mask, host: askHost(env, mask), process, redactor };
  try {
    const endings = await endingsOf(step).catch((thrown: unknown) => [failed(step, thrown)]);
    await reportEndings(log, endings);
    return endings.find(({ exit }) => exit !== 0)?.exit ?? 0;
  } finally {
    await step.host.close();
  }
}

/**
 * Removes the inputs from the environment: commands that a run starts must see only the variables of the job. The token of the input is for
 * the code host and the ledger. A GITHUB_TOKEN that the workflow sets is a credential of the plan, so it stays as it is, even if it is
 * empty.
 */
function jobEnvironment(all: NodeJS.ProcessEnv): Pick<Step, 'env' | 'jobEnv'> & { readonly token: string } {
  const token = all['INPUT_GITHUB-TOKEN']?.trim() || all.GITHUB_TOKEN || '';
  const jobEnv = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('INPUT_')));
  return { env: { ...(token && { GITHUB_TOKEN: token }), ...jobEnv, ...(token && { PILOTFISH_JOB_TOKEN: token }) }, jobEnv, token };
}

async function endingsOf(step: Step): Promise<readonly Ending[]> {
  const inputs = readInputs();
  const event = readJobEvent(step.env);
  const repository = step.env.GITHUB_REPOSITORY ?? '';
  const job = jobOf(event, inputs, repository);
  if (job.kind === 'run') {
    const subject = { pull: null, branch: null, commit: null };
    const gate = await gateFor(step, inputs, event);
    if (gate.kind === 'refuse') return [await refused(step, inputs, event.pull?.number ?? null, gate)];
    const run = () => runFor(step, { inputs, event, subject, gate });
    const commit = event.action === 'closed' || gate.kind === 'remove' ? null : (event.pull?.head ?? null);
    return await withStatus(step, { inputs, commit, isNew: true }, run);
  }
  if (job.kind !== 'ask') return [skipped(job)];
  const found = subjectsOf(job.commit, await step.host.pulls(job.commit), repository);
  if (found.kind !== 'run') return [skipped(found)];
  return await withStatus(step, { inputs, commit: job.commit, isNew: false }, () =>
    inTurn(found.subjects, async ({ pull, ...subject }) => {
      const gate = await gateFor(step, inputs, { ...event, pull });
      if (gate.kind === 'refuse') return [await refused(step, inputs, pull.number, gate)];
      return await runFor(step, { inputs, event, subject: { ...subject, pull: pull.number }, gate });
    }),
  );
}

/** Tells the runs of a commit in its status. Only an apply has one: a plan changes nothing, and a closed pull request needs none. */
async function withStatus(
  step: Step,
  { inputs, commit, isNew }: { readonly inputs: Inputs; readonly commit: string | null; readonly isNew: boolean },
  run: () => Promise<readonly Ending[]>,
): Promise<readonly Ending[]> {
  if (commit === null || (inputs.command ?? 'apply') !== 'apply' || inputs.closed) return await run();
  const { host, log, env } = step;
  const board = openStatusBoard({ host, log, inputs, commit, targetUrl: jobLinks(env).run });
  if (isNew) board.begin();
  const endings = await run().catch((thrown: unknown) => [failed(step, thrown)]);
  board.end(endings);
  await board.told();
  return endings;
}

const skipped = ({ kind, why }: { readonly kind: string; readonly why: string }): Ending => ({
  exit: 0,
  status: 'skipped',
  document: null,
  why,
  isExplained: kind === 'foreign',
  about: {},
});

interface Wanted {
  readonly inputs: Inputs;
  readonly event: JobEvent;
  readonly subject: Subject;
  readonly gate: Gate;
}

const gateFor = (step: Step, inputs: Inputs, event: Parameters<typeof gateOf>[2]): Promise<Gate> =>
  gateOf({ host: step.host, standing: (scope) => standing(step, inputs, scope) }, inputs, event);

async function standing({ env, process, redactor, mask }: Step, { plan, env: environment }: Inputs, scope: string | null) {
  const { standingPreviews } = await import('../engine/run.ts');
  const onSecret = (text: string): void => {
    redactor.addIfLong(text);
    mask(text);
  };
  return await standingPreviews({ cwd: process.cwd(), env, plan, environment }, { onSecret }, scope);
}

/** The ending of a pull request that gets no preview. Its one comment says why. */
async function refused(step: Step, inputs: Inputs, pull: number | null, gate: Extract<Gate, { kind: 'refuse' }>): Promise<Ending> {
  const { env, process, redactor, log } = step;
  if (gate.isTold && inputs.comment !== false && pull !== null) {
    const { commentWords } = await import('../cli/comment.ts');
    const request = { cwd: process.cwd(), env, plan: inputs.plan, environment: inputs.env, scope: null, pr: pull, branch: null, sha: null };
    const problem = await commentWords({ request, redactor, text: refusalText(inputs.env, gate.why) });
    if (problem !== null) log.screen.write(`${problem}\n`);
  }
  return { ...skipped({ kind: 'refused', why: gate.why }), isExplained: true };
}

async function runFor(step: Step, { inputs, event, subject, gate }: Wanted): Promise<readonly Ending[]> {
  const isEnd = gate.kind === 'remove' || inputs.closed || (event.pull !== null && event.action === 'closed');
  const command = gate.kind === 'remove' ? 'destroy' : (inputs.command ?? (isEnd ? 'destroy' : 'apply'));
  if (gate.kind === 'remove') step.log.command(() => notice(oneLine(`${gate.why} Its preview is removed.`), { title: 'pilotfish' }));
  tellLeftOut(step.log, leftOut(inputs, command));
  const mustBeApproved = isProduction(inputs.env) && command !== 'plan' && inputs.approvedBy === null;
  const approvedBy = mustBeApproved ? await step.host.approver() : inputs.approvedBy;
  const trusted = inputs.planFrom === null ? null : await trustedCommit(step.env, event, step.host);
  const argv = argvOf({ ...inputs, approvedBy }, command, { ...subject, trusted });
  const ledgers = openLedgers(inputs.who);
  const endings: Ending[] = [];
  do {
    const about = { command, inputs, event, subject: { ...subject, trusted }, gate, isOther: endings.length > 0 };
    const ending = await endingOf(step, about, await runMain(step, argv, ledgers));
    endings.push(about.isOther ? ending : await withScript(step, about, ending, ledgers));
  } while (ledgers.next() && !endings.some(({ exit }) => interrupted.has(exit)));
  return endings;
}

interface Ran extends Wanted {
  readonly command: NonNullable<Inputs['command']>;
  /** The run was about the ledger of another plan than the first. */
  readonly isOther: boolean;
}

async function endingOf(
  step: Step,
  { command, inputs, event, subject, isOther }: Ran,
  { exit, document }: { readonly exit: number; readonly document: RunDocument | null },
): Promise<Ending> {
  const isPowerless = document !== null && lacksPower(document);
  const why = isPowerless ? ((await whyPowerless(step.env, step.host.isReadOnly)) ?? (isOther ? otherJob(document) : null)) : null;
  const about = {
    isDestroy: command === 'destroy',
    environment: inputs.env,
    scope: inputs.scope,
    commit: subject.commit,
    ...(document &&
      runLinks(step.env, { cwd: step.process.cwd(), commit: subject.commit ?? event.pull?.head ?? null, ...placesOf(document) })),
    traceUrl: inputs.trace === null ? null : jobLinks(step.env).artifacts,
  };
  if (why !== null) return { exit: 0, status: 'skipped', document, why, isExplained: true, about };
  return { exit, status: statusOf(document), document, why: null, isExplained: false, about };
}

/** Verdicts of lines that an apply made. */
const makes: ReadonlySet<string> = new Set(['create', 'replace', 'claim', 'trigger']);

/** Runs the script of the input `run` after an apply that reached its end, with the values of the preview. Its failure is that of the step. */
async function withScript(step: Step, { inputs, subject }: Ran, ending: Ending, ledgers: Ledgers): Promise<Ending> {
  const { document, exit, status } = ending;
  if (inputs.run === null || exit !== 0 || document?.command !== 'apply' || !('lines' in document)) return ending;
  if (status !== 'complete' && status !== 'partial') return ending;
  const made = document.lines.flatMap(({ id, verdict, state }) => (makes.has(verdict) && state === 'settled' ? [id] : []));
  if (inputs.runOn === 'first' && made.length === 0) return ending;
  const argv = runArgv(inputs, subject, document.scope, inputs.runOn === 'first' ? made : null);
  const ran = await runMain(step, argv, ledgers);
  if (ran.exit === 0) return ending;
  const error = ran.document?.error;
  if (status === 'partial' && error?.code === 'NOT_APPLIED') {
    step.log.command(() =>
      notice(oneLine(`The script of \`run\` waits for the apply that completes: ${error.detail}`), { title: 'pilotfish' }),
    );
    return ending;
  }
  if (!error) step.log.command(() => annotate(`The script of \`run\` ended with ${ran.exit}. The apply stands.`, { title: 'pilotfish' }));
  return { ...ending, exit: ran.exit, status: 'failed' };
}

function statusOf(document: RunDocument | null): string {
  if (document && 'status' in document) return document.status;
  // A signal stopped the step before its run began, while it waited for another run.
  if (document?.error?.code === 'INTERRUPTED') return 'interrupted';
  return document?.ok ? 'planned' : 'failed';
}

async function runMain(step: Step, argv: readonly string[], ledgers: Ledgers): Promise<{ exit: number; document: RunDocument | null }> {
  const { env, jobEnv, log, mask, process, redactor } = step;
  const screen: Screen = log.screen;
  let document: RunDocument | null = null;
  const world: CliWorld = {
    cwd: process.cwd(),
    env,
    programEnv: jobEnv,
    stdout: screen,
    stderr: screen,
    signals: process,
    now: () => performance.now(),
    exit: null,
    onSecret: mask,
    redactor,
    loadRunner: async () => ledgers.runner(await import('../engine/run.ts')),
  };
  const output = createOutput(world, argv, (reported) => {
    if (isRunDocument(reported)) document = reported;
  });
  const exit = await main(argv, world, output);
  return { exit, document };
}

const isRunDocument = (reported: { readonly ok: boolean }): reported is RunDocument =>
  'command' in reported && ('lines' in reported || 'scopes' in reported || 'error' in reported);

/** The ending of a step that failed before its run: by its inputs, by the event, or at the code host. */
function failed({ env, log, redactor }: Step, thrown: unknown): Ending {
  const screen: Screen = log.screen;
  let document: RunDocument | null = null;
  const output = createOutput({ stdout: screen, stderr: screen, env, redactor }, [], (reported) => {
    if (isRunDocument(reported)) document = reported;
  });
  const exit = output.fail('action', thrown);
  return { exit, status: 'failed', document, why: null, isExplained: false, about: {} };
}
