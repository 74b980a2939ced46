import type { LedgerState } from '../ledger/model/facts.ts';
import type { ScopeName } from '../ledger/model/names.ts';
import { applyAgain, destroyCommand } from './command-again.ts';
import type { ClosedScopeDoc } from './document.ts';

/** The content of a scope: recorded objects, unfinished creates, and sealed facts that its ledger lacks. */
export interface Held {
  readonly records: number;
  readonly announced: number;
  readonly missing: number;
}

export const heldBy = ({ records, intents }: Pick<LedgerState, 'records' | 'intents'>, missing: number): Held => ({
  records: records.size,
  announced: [...intents.keys()].filter((identity) => !records.has(identity)).length,
  missing,
});

export const holdsNothing = ({ records, announced, missing }: Held): boolean => records + announced + missing === 0;

/**
 * The end of a scope that no pull request ends: none is named, or the host does not show the named one. Only a person can tell whether it
 * is still in use, so it stays, and every sweep warns of what it holds with the command that ends it.
 */
export function unownedScope(
  { name, held, why }: { readonly name: ScopeName; readonly held: Held; readonly why: string },
  planFile: string | null,
): Pick<ClosedScopeDoc, 'outcome' | 'why' | 'unowned' | 'warnings'> {
  if (holdsNothing(held)) return { outcome: 'kept', why };
  const target = { environment: name.environment, scope: name.scope, planFile };
  const command = destroyCommand(target);
  const warning = `No pull request ends the scope ${name.scope} of ${name.environment}: ${why}. It holds ${heldText(held)}. If nobody uses it, run ${applyAgain(target, ['destroy'])}.`;
  return { outcome: 'kept', why, unowned: { ...held, command }, warnings: [warning] };
}

function heldText({ records, announced, missing }: Held): string {
  const parts = [
    counted(records, 'recorded object'),
    counted(announced, 'announced create'),
    counted(missing, 'sealed fact that its ledger lacks', 'sealed facts that its ledger lacks'),
  ];
  return parts.filter((part) => part !== null).join(' and ');
}

const counted = (count: number, one: string, many = `${one}s`): string | null =>
  count === 0 ? null : `${count} ${count === 1 ? one : many}`;
