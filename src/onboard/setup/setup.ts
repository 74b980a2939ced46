import { dirname, join, relative } from 'node:path';
import { Failure } from '../../core/errors.ts';
import { githubSecretOf } from '../../core/how-to-set.ts';
import type { InitDoc } from '../../engine/document.ts';
import type { Registry } from '../../ops/registry.ts';
import { ledgerKeyVariable } from '../../ops/sealing-credentials.ts';
import { planFileName } from '../../plan/locate.ts';
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
  /** Root of the repository, where the workflow belongs. */
  readonly root: string;
  /** Of the remote `origin`, without user info; `null` where there is none. */
  readonly remoteUrl: string | null;
  readonly registry: Registry;
  /** What plain `init` said of this folder. */
  readonly init: InitDoc;
}

/**
 * `pilotfish init --setup`: what the plan still lacks, then each credential from where it is made to where CI reads it, then the
 * workflow. A typed value lives in this process only. An interruption ends it where it is, and the report says what was done.
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
  let workflow: SetupWorkflow = { path, status: 'not offered', why: 'The setup was interrupted before.' };
  let probe: LedgerProbe = { location: null, status: 'not tried', problem: 'The setup was interrupted before.' };
  const isRoleSession = signsInByToken(ciFile?.there ?? null);
  let unsealed = unsealedIn(needs.sealing, { env: {}, isRoleSession });
  let key: Candidate | null = null;
  let interrupted = false;
  try {
    // Plain init has just told them of a plan that it wrote.
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
    workflow = await offerWorkflow(path, { request, needs, keyed: unsealed.flatMap(({ environments }) => environments), ciFile, world });
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

/** What waits for placeholders is no failure. */
const isFine = ({ status }: SetupCredential): boolean => status === 'works' || status === 'uncheckable' || status === 'waiting';

function isInterruption(thrown: unknown, { signal }: SetupWorld): boolean {
  return signal.aborted || (thrown instanceof Failure && thrown.code === 'INTERRUPTED');
}

function listTodos({ todos }: PlanNeeds, display: string, { say }: SetupWorld): void {
  if (todos.length === 0) return;
  say('To fill in first; until then no plan runs, and no workflow is offered:');
  for (const { path, hint, line } of todos) say(`  ${display}:${line}  ${path}  ${hint}`);
}

const envOf = ({ values }: Gathered): NodeJS.ProcessEnv => Object.fromEntries([...values].map(([name, { value }]) => [name, value]));

/** Every value that proved itself, or that nothing could prove. One that failed beside another API is not offered. */
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
  /** Environments in which the key of the ledger is needed. */
  readonly keyed: readonly string[];
  /** `null` where nobody knows how the CI of the repository's host is written. */
  readonly ciFile: CiFile | null;
  readonly world: SetupWorld;
}

async function offerWorkflow(path: string, { request, needs, keyed, ciFile, world }: Offer): Promise<SetupWorkflow> {
  world.signal.throwIfAborted();
  if (ciFile !== null && ciFile.there !== null) {
    const isPassed = keyed.length === 0 || ciFile.passing === null || ciFile.there.text.includes(ledgerKeyVariable);
    const why = isPassed ? '' : ` Its jobs lack \`${ciFile.passing(ledgerKeyVariable)}\` under \`env\`.`;
    return { path: join(request.root, ciFile.there.path), status: 'kept', why: `It was there already, and was left as it is.${why}` };
  }
  const not = (why: string): SetupWorkflow => ({ path, status: 'not offered', why });
  if (ciFile === null) return not('A workflow is offered for repositories on GitHub and GitLab only.');
  if (needs.todos.length > 0) return not('It is offered once the plan has no # TODO left.');
  if (previewEnvironment(needs.environments) === null)
    return not('The plan has no environment for pull requests, so its CI is written by hand.');
  const { release } = world;
  if (release === null) {
    return not('This is a development build: no release tag says which commit the action is to be pinned to.');
  }
  if (!world.isYes) {
    if (world.ask === null) return not('Nobody could be asked: run `pilotfish init --setup` in a terminal, or with `--yes`.');
    if (!(await world.ask.confirm(`Write ${ciFile.path}?`))) return { path, status: 'declined', why: null };
  }
  const plan = relative(request.root, request.init.plan.path).split('\\').join('/');
  const text = ciFile.text({ release, needs: { ...needs, keyed }, plan: plan === planFileName ? null : plan });
  try {
    // In one turn, so that no signal leaves half of it.
    const ground = groundOf(request.root);
    makeFolder(dirname(path), ground);
    writeNew(path, text, ground);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    if (code === 'EEXIST') return { path, status: 'kept', why: 'It was there already, and was left as it is.' };
    throw new Failure('USAGE', { detail: `${path} could not be written (${code}).`, fix: 'Make its folder writable.', cause });
  }
  return { path, status: 'written', why: ciFile.left && `Written. ${ciFile.left}` };
}
