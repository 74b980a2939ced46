import type { LedgerRecord } from '../../ledger/model/facts.ts';
import { consoleLink } from '../../ops/console.ts';
import type { Adapter, Op } from '../../ops/op.ts';
import type { Registry } from '../../ops/registry.ts';
import { withOwnFamilies } from '../../recipes/own/of-plan.ts';
import type { OpenLedger } from '../finish/receipts.ts';
import { openRegistry } from '../prepare/registry.ts';

/** The address of an object's page in its provider's console, or `null`. */
export type ConsoleOf = (record: LedgerRecord) => Promise<string | null>;

/** Links for records, by the operations of this version and of the family files that the plan at hand names. No plugin is run for that. */
export async function consoleLinks({ plan }: Pick<OpenLedger, 'plan'>): Promise<ConsoleOf> {
  const builtIn = await openRegistry({ env: {}, cwd: '' });
  const registry = plan && plan.path !== '' ? (await withOwnFamilies(plan, builtIn)).registry : builtIn;
  return async (record) => {
    const found = await opOf(registry, record);
    // Another address of the API is another installation, and has a console of its own.
    if (!found?.op.console || found.adapter.provider.base_url !== record.provider.base_url) return null;
    return consoleLink(found.op.console, record);
  };
}

async function opOf(registry: Registry, { adapter: name, op: opName, recipe }: LedgerRecord): Promise<{ adapter: Adapter; op: Op } | null> {
  if (recipe !== null) {
    const found = await registry.recipe(recipe);
    return found?.op ? { adapter: found.family, op: found.op } : null;
  }
  const adapter = await registry.adapter(name);
  const op = adapter && Object.hasOwn(adapter.ops, opName) ? adapter.ops[opName] : undefined;
  return adapter && op ? { adapter, op } : null;
}
