import { dirname, join, relative } from 'node:path';
import { Failure } from '../../core/errors.ts';
import { githubSecretOf } from '../../core/how-to-set.ts';
import type { InitDoc } from '../../engine/init-document.ts';
import type { Registry } from '../../ops/registry.ts';
import { ledgerKeyVariable } from '../../ops/sealing-credentials.ts';
import { planFileName } from '../../plan/locate.ts';
import { defaultBranchOf } from '../../platform/default-branch.ts';
import { groundOf, makeFolder, writeNew } from '../../platform/safe-files.ts';
import { previewEnvironment } from '../next-step.ts';
import { type CiFile, ciFileOf, signsInByToken } from './ci-file.ts';
import { type Origin, originOf } from './code-host.ts';
import { type Gathered, gatherCredentials } from './credentials.ts';
import type { SetupCredential, SetupDoc, SetupWorkflow } from './document.ts';
import { ledgerKeyDoc, ledgerKeyFor } from './ledger-key.ts';
import { type LedgerProbe, probeLedger } from './ledger-probe.ts';
import { type PlanNeeds, readNeeds } from './needs.ts';
import { nextStep } from './next-step.ts';
import { unsealedIn } from './sealing-needs.ts';
import { type Candidate, type StoreState, storeSecrets } from './store.ts';
import { workflowFile } from './workflow.ts';
import type { SetupWorld } from './world.ts';

export interface SetupRequest {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The root of the repository, where the workflow belongs. */
  readonly root: string;
  /** The URL of the remote `origin`, without user info; `null` if there is none. */
  readonly remoteUrl: string | null;
  readonly registry: Registry;
  /** The report of plain `init` for this folder. */
  readonly init: InitDoc;
}

/**
 * Runs `pilotfish init --setup`. It lists the missing values of the plan, takes each credential from the page where it is made to the place
 * where CI reads it, and then offers the workflow. A typed value lives only in this process. An interruption ends the setup at once, and
 * the report says what was done.
 */
export async function setup(request: SetupRequest, world: SetupWorld): Promise<SetupDoc> {
  const { cwd, env, root, init } = request;
  const display = relative(cwd, init.plan.path) || init.plan.path;
  const needs = await readNeeds({ path: init.plan.path, display, registry: request.registry, env });
  const origin = originOf(request.remoteUrl, env);
  const gathered: Gathered = { values: new Map(), credentials: [] };
  const secrets: StoreState = {
    repository: origin.host === 'other' ? null : origin.slug,
    stored: [],
    kept: [],
    failed: [],
    left: [],
    why: null,
  };
  const ciFile = await ciFileOf(origin, root, world.release);
  const path = join(root, ciFile?.path ?? workflowFile);
  let workflow: SetupWorkflow = { path, status: 'not offered', why: 'The setup was interrupted before this step.' };
  let probe: LedgerProbe = { location: null, status: 'not tried', problem: 'The setup was interrupted before this step.' };
  const isRoleSession = signsInByToken(ciFile?.there ?? null);
  let unsealed = unsealedIn(needs.sealing, { env: {}, isRoleSession });
  let key: Candidate | null = null;
  let interrupted = false;
  try {
    // Plain init has just listed them if it wrote the plan.
    if (!init.plan.written) listTodos(needs, display, world);
    await gatherCredentials(needs, env, world, gathered);
    unsealed = unsealedIn(needs.sealing, { env: envOf(gathered), isRoleSession });
    if (unsealed.length > 0)
      key = ledgerKeyFor(
        unsealed.map(({ of }) => of),
        env,
        world,
        gathered.credentials,
      );
    probe = await probeLedger(needs.receipts, world);
    await storeSecrets([...candidatesOf(gathered, origin), ...(key ? [key] : [])], origin, world, secrets);
    workflow = await offerWorkflow(path, {
      request,
      needs,
      keyed: unsealed.flatMap(({ environments }) => environments),
      ciFile,
      repository: secrets.repository ?? '',
      world,
    });
  } catch (thrown) {
    if (!isInterruption(thrown, world)) throw thrown;
    interrupted = true;
  }
  const { credentials } = gathered;
  const names = unsealed.map(({ of }) => of);
  const ledger = { ...probe, key: ledgerKeyDoc(names, key, origin, secrets) };
  const ok = !interrupted && ledger.status !== 'refused' && secrets.failed.length === 0 && credentials.every(isFine);
  const detected = { ...init.detected, todo: needs.todos };
  const report = { ...init, detected, ok, credentials, unsealed: names, sources: needs.sources, secrets, ledger, workflow, interrupted };
  return { ...report, next: nextStep(report, display, needs.environments) };
}

/** A credential that waits for placeholders is no failure. */
const isFine = ({ status }: SetupCredential): boolean => status === 'works' || status === 'uncheckable' || status === 'waiting';

function isInterruption(thrown: unknown, { signal }: SetupWorld): boolean {
  return signal.aborted || (thrown instanceof Failure && thrown.code === 'INTERRUPTED');
}

function listTodos({ todos }: PlanNeeds, display: string, { say }: SetupWorld): void {
  if (todos.length === 0) return;
  say('Fill in these values first. Until then no plan runs, and the setup offers no workflow:');
  for (const { path, hint, line } of todos) say(`  ${display}:${line}  ${path}  ${hint}`);
}

const envOf = ({ values }: Gathered): NodeJS.ProcessEnv => Object.fromEntries([...values].map(([name, { value }]) => [name, value]));

/** Every value that a check proved, or that no check can prove. A value that failed at any API is not offered. */
function candidatesOf({ values, credentials }: Gathered, { host }: Origin): { readonly name: string; readonly value: string }[] {
  const spoiled = new Set(
    credentials.filter(({ status }) => status !== 'works' && status !== 'uncheckable').map(({ variable }) => variable),
  );
  return [...values]
    .filter(([variable]) => !spoiled.has(variable))
    .map(([variable, { value }]) => ({ name: host === 'github' ? githubSecretOf(variable) : variable, value }));
}

interface Offer {
  readonly request: SetupRequest;
  readonly needs: PlanNeeds;
  /** The environments that need the key of the ledger. */
  readonly keyed: readonly string[];
  /** `null` for a host whose CI pilotfish cannot write. */
  readonly ciFile: CiFile | null;
  /** `owner/name` */
  readonly repository: string;
  readonly world: SetupWorld;
}

async function offerWorkflow(path: string, { request, needs, keyed, ciFile, repository, world }: Offer): Promise<SetupWorkflow> {
  world.signal.throwIfAborted();
  if (ciFile !== null && ciFile.there !== null) {
    const isPassed = keyed.length === 0 || ciFile.passing === null || ciFile.there.text.includes(ledgerKeyVariable);
    const why = isPassed ? '' : ` Its jobs lack \`${ciFile.passing(ledgerKeyVariable)}\` under \`env\`.`;
    return { path: join(request.root, ciFile.there.path), status: 'kept', why: `It exists and was not changed.${why}` };
  }
  const not = (why: string): SetupWorkflow => ({ path, status: 'not offered', why });
  if (ciFile === null) return not('pilotfish can write a workflow only for GitHub and GitLab.');
  if (needs.todos.length > 0) return not('The setup offers it once the plan has no # TODO left.');
  if (previewEnvironment(needs.environments) === null)
    return not('The plan has no environment for pull requests, so you must write its CI by hand.');
  if (ciFile.text === null) return not('This pilotfish is no release, so the jobs have no version to install.');
  if (!world.isYes) {
    if (world.ask === null) return not('Nobody could be asked: run `pilotfish init --setup` in a terminal, or with `--yes`.');
    if (!(await world.ask.confirm(`Write ${ciFile.path}?`))) return { path, status: 'declined', why: null };
  }
  const plan = relative(request.root, request.init.plan.path).split('\\').join('/');
  const defaultBranch = await defaultBranchOf(request.root, request.env);
  const facts = { needs: { ...needs, keyed }, plan: plan === planFileName ? null : plan, repository, defaultBranch };
  const text = ciFile.text(facts);
  try {
    // The write is synchronous, so that no signal leaves half of the file.
    const ground = groundOf(request.root);
    makeFolder(dirname(path), ground);
    writeNew(path, text, ground);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    if (code === 'EEXIST') return { path, status: 'kept', why: 'It exists and was not changed.' };
    throw new Failure('USAGE', { detail: `pilotfish could not write ${path} (${code}).`, fix: 'Make its folder writable.', cause });
  }
  return { path, status: 'written', why: ciFile.left && `Written. ${ciFile.left(defaultBranch)}` };
}
