import type { Kind } from './kind.ts';
import { answersKind } from './kinds/answers.ts';
import { gitKind } from './kinds/git.ts';
import { ledgerKind } from './kinds/ledger.ts';
import { planKinds } from './kinds/plan.ts';
import { pluginsKind } from './kinds/plugins.ts';
import { surroundingKinds } from './kinds/surroundings.ts';
import { forgedLedgers } from './ledger/kind.ts';

/** Every kind of input of a run over all. */
export const kinds: readonly Kind[] = [...planKinds, ledgerKind, answersKind, ...surroundingKinds, pluginsKind, gitKind];

/** With those that are run alone. */
export const allKinds: readonly Kind[] = [...kinds, forgedLedgers];

export function kindNamed(name: string): Kind {
  const kind = allKinds.find((one) => one.name === name);
  if (!kind) throw new Error(`There is no kind "${name}". The kinds are ${kinds.map((one) => one.name).join(', ')}.`);
  return kind;
}
