import { apiUrlVariable } from '../ops/provider-url.ts';
import { counted } from '../report/text.ts';
import type { LiveLine } from './live-line.ts';
import { staysOf } from './story.ts';

export interface Announced {
  readonly live: LiveLine;
  readonly scopes: readonly string[];
  /** Scopes that an earlier process left. */
  readonly earlier: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a proof makes and what it may cost, before anything is sent. */
export function announcement({ live, scopes, earlier, folder, env }: Announced): string {
  const { operation, adapter, op, line, fromExample } = live;
  const stays = staysOf(live);
  const [first, second] = scopes;
  const makes =
    op.kind === 'wait'
      ? 'It makes nothing: the operation only waits.'
      : op.kind === 'action'
        ? 'It sends the action two times, once with a lost answer, which may send it a third time. Nothing takes an action back.'
        : stays
          ? `It makes one object, \${ctx.scope} = ${first}, and leaves it: the operation cannot remove it.`
          : `It makes one object, \${ctx.scope} = ${first}, removes it, makes a second one, ${second}, and removes that.`;
  const facts = [op.quota?.limit, ...(op.notes ?? [])].filter((fact) => fact !== undefined);
  const variable = apiUrlVariable(adapter.name);
  const { base_url_env: own } = adapter.provider;
  const address = (own !== undefined && env[own] ? own : null) ?? (env[variable] ? variable : null);
  return [
    `${operation}: ${adapter.title}. ${op.doc}`,
    `It sends to ${address ? `the address in ${address}` : (adapter.provider.base_url ?? 'the address of the API block')}.`,
    makes,
    'It changes no other object. A plan finds out first that nothing of this name stands.',
    ...(op.kind === 'action' || op.kind === 'wait'
      ? []
      : [
          'Each object stands for as long as its steps take. The provider may charge for that time, and its creates may count against a limit.',
        ]),
    ...facts.map((fact) => `  - ${fact}`),
    `The line has ${counted(Object.keys(line).length, 'key')}: ${Object.keys(line).join(', ')}.${fromExample.length > 0 ? ` From the example of the operation: ${fromExample.join(', ')}.` : ''}`,
    `The ledger is ${folder}. If this run is killed, the next start of the same command removes what it left.`,
    ...(earlier.length > 0 ? [`First it removes what a killed run left: ${earlier.join(', ')}.`] : []),
  ].join('\n');
}
