import { receiptsOf, scopeOf } from '../ledger/model/names.ts';
import { parseState } from '../ledger/model/state.ts';
import { openStore } from '../ledger/stores/open-store.ts';
import { readAll, readOne } from '../ledger/stores/read-all.ts';
import type { ReadBranch, Store } from '../ledger/stores/store.ts';
import { repositoryFacts } from '../platform/checkout.ts';
import { readFacts } from './prepare/destroy-target.ts';
import { maskRemote, redactorOf } from './prepare/secret-variables.ts';
import type { RunRequest, RunWorld } from './types.ts';

/** A scope whose ledger names objects, or may name some. */
export interface StandingPreview {
  readonly scope: string;
  readonly plan: string | null;
  /** It belongs to the plan at hand. */
  readonly isOwn: boolean;
  /** Its ledger cannot be read, so nobody knows. */
  readonly isUnsure: boolean;
}

/** The scopes of the environment that stand, of all plans; with `scope`, only those of this name. Reads the ledger and writes nothing. */
export async function standingPreviews(
  request: Pick<RunRequest, 'cwd' | 'env' | 'plan' | 'environment'>,
  world: RunWorld,
  scope: string | null,
): Promise<readonly StandingPreview[]> {
  const { cwd, env, environment } = request;
  const redactor = redactorOf(env, world);
  const facts = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
  maskRemote(redactor, facts);
  const own = await readFacts(request, { environment, scope, git: { sha: null, branch: null }, pr: { number: null } });
  const given = { ...(world.signal && { signal: world.signal }), ...(world.dispatcher && { dispatcher: world.dispatcher }) };
  const store = world.store ?? (await openStore({ receipts: own?.receipts ?? null, facts, cwd, env, redactor, ...given }));
  try {
    const found: StandingPreview[] = [];
    for await (const read of scope === null ? readAll(store, receiptsOf(environment)) : ledgersOf(store, environment, scope)) {
      const name = scopeOf(read.branch);
      const stands = name && standing(read);
      if (stands)
        found.push({ scope: name.scope, plan: name.plan, isOwn: name.plan === (own?.name ?? null), isUnsure: stands === 'unsure' });
    }
    return found;
  } finally {
    if (!world.store) await store.close();
  }
}

async function* ledgersOf(store: Store, environment: string, scope: string): AsyncGenerator<ReadBranch> {
  for (const { branch } of await store.list(receiptsOf(environment))) {
    if (scopeOf(branch)?.scope !== scope) continue;
    const read = await readOne(store, branch);
    if (read !== null) yield read;
  }
}

function standing(read: ReadBranch): 'yes' | 'unsure' | null {
  if (!('tree' in read)) return 'unsure';
  try {
    const { records, intents } = parseState(read.tree.files, read.branch);
    return records.size + intents.size > 0 ? 'yes' : null;
  } catch {
    return 'unsure';
  }
}
