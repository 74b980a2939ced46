import { systemClock } from '../../core/clock.ts';
import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import type { Intent, LedgerRecord, LedgerState } from '../../ledger/model/facts.ts';
import { historyBranch, receiptsBranch, receiptsOf, scopeOf } from '../../ledger/model/names.ts';
import { removedScope, unpacked } from '../../ledger/model/removed.ts';
import { parseState } from '../../ledger/model/state.ts';
import { readSound, type Store, type Tree } from '../../ledger/stores/store.ts';
import { readPlan } from '../../plan/load.ts';
import { listCommand } from '../command-again.ts';
import { type OpenLedger, withLedger } from '../finish/receipts.ts';
import type { ObjectDoc, ShowDoc, UnfinishedDoc } from '../stands-document.ts';
import type { RunRequest, RunWorld } from '../types.ts';
import { type ConsoleOf, consoleLinks } from './console-links.ts';
import { pastRuns } from './past-runs.ts';
import { pullsNow } from './pulls.ts';
import { rowOf } from './scope-row.ts';

export type ShowRequest = Pick<RunRequest, 'cwd' | 'env' | 'plan' | 'environment'> & { readonly scope: string };

/** Tells what one scope has, as its ledger has it. It asks no provider and runs no command of the plan. */
export function showScope(request: ShowRequest, world: RunWorld = {}): Promise<ShowDoc> {
  return withLedger({ ...request, pr: null }, world, (ledger) => show(request, world, ledger));
}

async function show(request: ShowRequest, world: RunWorld, ledger: OpenLedger): Promise<ShowDoc> {
  const { env, environment, scope } = request;
  const { store, redactor, repository } = ledger;
  const clock = world.clock ?? systemClock;
  const branch = receiptsBranch(environment, scope, ledger.planName);
  const tree = await readSound(store, branch);
  if (tree === null) throw await unknownScope(store, request, ledger.planName);
  const state = parseState(tree.files, branch);
  const { row, belongs } = rowOf(branch, state, environment);
  const pulls = await pullsNow([belongs], { env, repository, location: store.location, redactor, clock, world });
  return {
    ...row,
    schema: 1,
    ok: true,
    command: 'show',
    environment,
    scope,
    ledger: store.location,
    at: new Date(clock.now()).toISOString(),
    commit: tree.head,
    ...(pulls.notAsked !== null && { notAsked: pulls.notAsked }),
    pulls: pulls.of(belongs),
    objects: (await Promise.all([...state.records.values()].map(objectOf(await consoleLinks(ledger))))).sort(byLine),
    unfinished: [...state.intents.values()].map(unfinishedOf).sort(byLine),
    left: [...state.left.values()].map(({ key }) => key).sort(),
    gone: await goneLines(request, ledger, state),
    runs: await pastRuns(store, branch, state),
    notes: notesOf(state, tree),
  };
}

const byLine = (a: { readonly line: string }, b: { readonly line: string }): number => (a.line < b.line ? -1 : a.line > b.line ? 1 : 0);

const named = ({ adapter, op, recipe, subject }: LedgerRecord | Intent) => ({
  adapter,
  op,
  ...(recipe !== null && { recipe }),
  ...(subject !== undefined && { subject }),
});

const objectOf =
  (consoleOf: ConsoleOf) =>
  async (record: LedgerRecord): Promise<ObjectDoc> => {
    const link = await consoleOf(record);
    return {
      line: record.line,
      ...named(record),
      key: record.key,
      objectId: record.objectId,
      ...(link !== null && { console: link }),
      state: record.removing ? 'leaving' : record.unready ? 'not ready' : 'stands',
      destroy: record.destroy,
      owned: record.owned,
      ...(record.superseded.length > 0 && { superseded: record.superseded.map(({ objectId }) => objectId) }),
      outputs: record.outputs,
      writtenAt: record.writtenAt,
      run: record.run,
    };
  };

const unfinishedOf = (intent: Intent): UnfinishedDoc => ({
  line: intent.line,
  ...named(intent),
  key: intent.key,
  at: intent.at,
  run: intent.run,
});

/** Lines of records that the plan at hand lacks, by their names. Only a plan can tell a line that was renamed. `null` without a plan. */
async function goneLines({ cwd: _cwd, ...request }: ShowRequest, { plan, repository }: OpenLedger, state: LedgerState) {
  if (!plan || plan.path === '') return null;
  const { environment, scope } = request;
  const git = { sha: repository?.sha ?? null, branch: repository?.branch ?? null };
  try {
    const read = await readPlan({ path: plan.path, display: plan.file, context: { environment, scope, git, pr: { number: null } } });
    const has = (line: string): boolean => read.plan.ids.has(line) && !read.plan.filtered.has(line);
    return [...new Set([...state.records.values()].map(({ line }) => line))].filter((line) => !has(line)).sort();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return null;
  }
}

function notesOf(state: LedgerState, { isMerge }: Tree): readonly string[] {
  const { left, deletes = [], snapshot } = state;
  const open = deletes.filter((one) => one.open).length;
  return [
    ...(left.size > 0
      ? [
          `A destroy left ${counted(left.size, 'object')} on purpose, because a line said so. The next apply may take ${them(left.size)} again.`,
        ]
      : []),
    ...(open > 0 ? ['A provider accepted deletes of objects that no run has seen gone. The next destroy looks whether they are.'] : []),
    ...(state.intents.size > 0
      ? ['A run announced creates and recorded nothing of them. The next run finds out what became of each.']
      : []),
    ...(snapshot !== null ? [`Run ${snapshot.run} did not reach its end. The next run goes on from there.`] : []),
    ...(isMerge ? ['The newest commit of the ledger is a merge, which no run of pilotfish makes. Somebody else wrote it.'] : []),
  ];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const them = (count: number): string => (count === 1 ? 'it' : 'them');

const mostNamed = 5;

async function unknownScope(store: Store, request: ShowRequest, plan: string | null): Promise<Failure> {
  const { scope, environment } = request;
  const branch = receiptsBranch(environment, scope, plan);
  const packed = await removedScope(store, branch);
  if (packed !== null) {
    const left = [...parseState(unpacked(packed).files, branch).left.values()].map(({ key }) => key).sort();
    return new Failure('USAGE', {
      detail: `${environment} has no scope ${JSON.stringify(scope)} any more: it was destroyed at ${packed.last.at}, and its receipts were packed since.${left.length === 0 ? '' : ` Its destroy left ${left.join(', ')}, as the plan said.`}`,
      fix: `See ${listCommand(request)} for the scopes that stand.`,
    });
  }
  const listed = (await store.list(receiptsOf(environment))).flatMap(({ branch }) =>
    branch === historyBranch(environment) ? [] : (scopeOf(branch) ?? []),
  );
  const names = [...new Set(listed.filter((one) => one.plan === plan).map((one) => one.scope))].sort();
  const meant = nearestSome(scope, names);
  const others = names.filter((name) => !meant.includes(name));
  const shown = [...meant, ...others].slice(0, mostNamed);
  const more = names.length - shown.length;
  return new Failure('USAGE', {
    detail: `${environment} has no scope ${JSON.stringify(scope)}.${meant.length === 0 ? '' : ` Did you mean ${meant.map((one) => JSON.stringify(one)).join(' or ')}?`}`,
    fix:
      names.length === 0
        ? `No scope of ${environment} has a ledger on ${store.location}. Name another environment with ${door.named('env')}, or run from the repository that has the scope.`
        : `Give one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}, as ${listCommand(request)} shows them.`,
  });
}

const mostMeant = 3;

/** The nearest names, the nearest of all first. */
function nearestSome(name: string, known: readonly string[]): readonly string[] {
  const meant: string[] = [];
  for (let next = nearest(name, known); next !== null && meant.length < mostMeant; ) {
    meant.push(next);
    next = nearest(
      name,
      known.filter((one) => !meant.includes(one)),
    );
  }
  return meant;
}
