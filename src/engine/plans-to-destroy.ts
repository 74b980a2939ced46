import { receiptsOf, scopeOf } from '../ledger/model/names.ts';
import { openStore } from '../ledger/stores/open-store.ts';
import { isProduction, resolveContext } from '../plan/context.ts';
import { repositoryFacts } from '../platform/checkout.ts';
import { readFacts } from './prepare/destroy-target.ts';
import { maskRemote, redactorOf } from './prepare/secret-variables.ts';
import { readCodeHostEvent } from './timing/event.ts';
import { triggerOf } from './timing/trigger.ts';
import type { RunRequest, RunWorld } from './types.ts';

/**
 * The names of the plans whose ledgers the end of a pull request takes, that of the plan at hand first; `null` stands for a plan without a
 * name. A plan may have another name in the pull request than in this checkout, and nobody else would find its ledger. Empty: the request
 * names its scope or its lines, comes from a person, or the scope has no ledger. Then the plan at hand alone counts.
 */
export async function plansToDestroy(request: RunRequest, world: RunWorld = {}): Promise<readonly (string | null)[]> {
  const { cwd, env, environment } = request;
  const isNarrow =
    !request.destroy || request.scope !== null || request.only.length > 0 || request.orphans === true || request.expect !== null;
  if (isNarrow || isProduction(environment)) return [];
  const context = resolveContext({ flags: request, event: () => readCodeHostEvent(env), git: null });
  if (context.scope === null || triggerOf(env, context.pr.number).kind === 'person') return [];
  const redactor = redactorOf(env, world);
  const facts = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
  maskRemote(redactor, facts);
  const own = await readFacts(request, context);
  const receipts = own?.receipts ?? null;
  const given = { ...(world.signal && { signal: world.signal }), ...(world.dispatcher && { dispatcher: world.dispatcher }) };
  const store = world.store ?? (await openStore({ receipts, facts, cwd, env, redactor, ...given }));
  try {
    const ledgers = await store.list(receiptsOf(environment));
    const scopes = ledgers.flatMap(({ branch }) => scopeOf(branch) ?? []).filter(({ scope }) => scope === context.scope);
    const names = scopes.map(({ plan }) => plan).sort((a, b) => (a ?? '').localeCompare(b ?? '', 'en'));
    return [...names.filter((name) => name === own?.name), ...names.filter((name) => name !== own?.name)];
  } finally {
    if (!world.store) await store.close();
  }
}
