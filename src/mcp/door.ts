import type { Door, Input } from '../core/door.ts';

/** The param of each input. The tools that have one tell what it means. */
export const params = {
  plan: 'plan',
  env: 'environment',
  scope: 'scope',
  pr: 'pr',
  branch: 'branch',
  sha: 'sha',
  only: 'only',
  recreate: 'recreate',
  reconcile: 'reconcile',
  'put-back': 'put_back',
  prune: 'prune',
  orphans: 'orphans',
  expect: 'expect',
  'lease-timeout': 'lease_timeout',
  'wait-timeout': 'wait_timeout',
} as const satisfies { readonly [input in Input]?: string };

type Param = keyof typeof params;

/** The words for inputs that only a person gives, at the command line. `destroy` is a tool of its own. */
const byPerson: { readonly [input in Exclude<Input, Param | 'destroy'>]: string } = {
  'approved-by': 'the approval of a person',
  'plan-from': 'a trusted commit of the plan',
  'restore-ledger': 'an older commit of the ledger to restore',
  'trust-ledger': 'a commit of the ledger that a person trusts',
  closed: 'the destroy of all closed pull requests',
  expired: 'the destroy of all scopes whose time is over',
  run: 'the id of an earlier run',
  trace: 'a folder for the trace',
};

const isParam = (input: string): input is Param => Object.hasOwn(params, input);
const isByPerson = (input: string): input is keyof typeof byPerson => Object.hasOwn(byPerson, input);
const lists: ReadonlySet<string> = new Set(['only', 'recreate']);

const named = (input: string): string =>
  isParam(input) ? `\`${params[input]}\`` : isByPerson(input) ? byPerson[input] : `the tool \`${input}\``;

/** The tool server: its inputs are the params of its tools, and what none of them takes is a person's to do. */
export const toolServer: Door = {
  named,
  passed: (input, value) => (value === undefined ? named(input) : withValues(input, [value])),
  run: (proposed) => {
    const { command, inputs } = proposed;
    const tool = command === 'apply' && inputs.some(([input]) => input === 'destroy') ? 'destroy' : command;
    const byInput = Map.groupBy(
      inputs.filter(([input]) => input !== tool),
      ([input]) => input,
    );
    const given = [...byInput].map(([input, all]) =>
      withValues(
        input,
        all.flatMap(([, value]) => value ?? []),
      ),
    );
    const start = inputs.some(([input]) => isByPerson(input)) ? `\`pilotfish ${tool}\` as a person at the command line` : `\`${tool}\``;
    return given.length === 0 ? start : `${start} with ${new Intl.ListFormat('en-GB').format(given)}`;
  },
  command: (proposed) => toolServer.run(proposed).replaceAll('`', ''),
  also: (command, input, value) =>
    `${command} ${command.includes(' with ') ? 'and' : 'with'} ${withValues(input, [value]).replaceAll('`', '')}`,
  usage: () => 'Use the params as the tool documents them.',
};

function withValues(input: string, values: readonly string[]): string {
  if (input === 'destroy') return '`destroy: true`';
  if (!isParam(input)) return values.length === 0 ? named(input) : `${named(input)} (${values.join(', ')})`;
  const shown = values.length === 0 ? true : lists.has(input) ? values : input === 'pr' ? Number(values[0]) : values[0];
  return `\`${params[input]}: ${JSON.stringify(shown)}\``;
}
