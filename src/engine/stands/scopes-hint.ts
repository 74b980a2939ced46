import { type Clock, systemClock } from '../../core/clock.ts';
import { Failure, Failures } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { historyBranch, receiptsOf, scopeOf } from '../../ledger/model/names.ts';
import { isScopeless } from '../../plan/no-scope.ts';
import { listCommand } from '../command-again.ts';
import { withLedger } from '../finish/receipts.ts';
import type { RunRequest, RunWorld } from '../types.ts';

/** A person waits for an error message. */
const longestMs = 5_000;
const mostNamed = 5;

/** A plan that lacks its scope names the scopes that there are. Everything else, and what the ledger does not tell in time, stays as it is. */
export async function tellScopes(thrown: unknown, request: RunRequest, world: RunWorld, redactor: Redactor): Promise<unknown> {
  const failures = thrown instanceof Failures ? thrown.failures : thrown instanceof Failure ? [thrown] : [];
  const at = failures.findIndex(isScopeless);
  const failure = failures[at];
  if (!failure) return thrown;
  const names = await scopesInTime(request, { ...world, onSecret: (text) => redactor.addIfLong(text) });
  if (names.length === 0) return thrown;
  const shown = names.slice(0, mostNamed);
  const more = names.length - shown.length;
  const there = `${request.environment} has the scope${names.length === 1 ? '' : 's'} ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}; ${listCommand(request)} shows what each has.`;
  const { code, kind, detail, fix, place } = failure;
  const told = new Failure(code, { kind, fix, ...(place && { place }), detail: redactor.text(`${detail} ${there}`), cause: failure });
  const all = failures.with(at, told);
  return all.length === 1 ? told : new Failures([told, ...all.filter((one) => one !== told)]);
}

async function scopesInTime({ cwd, env, plan, environment }: RunRequest, world: RunWorld): Promise<readonly string[]> {
  const clock: Clock = world.clock ?? systemClock;
  const late = new AbortController();
  const request = { cwd, env, plan, environment, scope: null, pr: null, isWhole: true, patienceMs: longestMs } as const;
  const asked = withLedger(request, world, async ({ store, hasPlan, planName }) => {
    const branches = (await store.list(receiptsOf(environment))).filter(({ branch }) => branch !== historyBranch(environment));
    const names = branches.flatMap(({ branch }) => scopeOf(branch) ?? []);
    return { names: [...new Set(names.filter(({ plan: of }) => !hasPlan || of === planName).map(({ scope }) => scope))].sort() };
  }).then(
    ({ names }) => names,
    // The mistake is the missing scope. Nobody asked for the ledger yet.
    () => [],
  );
  const timer = clock.sleep(longestMs, late.signal).then(
    () => [],
    () => [],
  );
  try {
    return await Promise.race([asked, timer]);
  } finally {
    late.abort();
  }
}
