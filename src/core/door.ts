import { shellQuote } from './how-to-set.ts';

/** The inputs of a run with a value, and the word for the value. */
const values = {
  plan: 'file',
  'plan-from': 'commit',
  env: 'name',
  scope: 'scope',
  pr: 'number',
  branch: 'name',
  sha: 'commit',
  only: 'line',
  recreate: 'line',
  expect: 'digest',
  'approved-by': 'name',
  trace: 'folder',
  run: 'id',
  'restore-ledger': 'commit',
  'trust-ledger': 'commit',
  'lease-timeout': 'time',
  'wait-timeout': 'time',
} as const;

/** An input of a run, by the name of its flag. */
export type Input = keyof typeof values | 'destroy' | 'closed' | 'expired' | 'orphans' | 'prune' | 'reconcile' | 'put-back';

/** The name of any flag, where the code that names it knows no other. */
type Name = Input | (string & {});

/** An input with its value; a switch has none. */
export type Given = readonly [Input, string?];

/** A run as a text proposes it. */
export interface Proposed {
  readonly command: 'plan' | 'apply' | 'list';
  readonly inputs: readonly Given[];
}

/**
 * The way by which a person or an agent reaches pilotfish. Each has its own form of an input: the command line has flags, and the tool
 * server has params. Texts name an input through the door, so nobody reads of a form that is not theirs.
 */
export interface Door {
  /** The input within a sentence: `` `--scope` ``. */
  named(input: Name): string;
  /** The object of "Pass": `` `--scope <scope>` ``. */
  passed(input: Name, value?: string): string;
  /** The object of "Run", within a sentence. */
  run(proposed: Proposed): string;
  /** The same alone, to be copied. */
  command(proposed: Proposed): string;
  /** A command with one more input. */
  also(command: string, input: Input, value: string): string;
  /** The fix of a call with a wrong input. */
  usage(): string;
}

const flag = ([input, value]: Given): readonly string[] =>
  value === undefined ? [`--${input}`] : value.startsWith('-') ? [`--${input}=${value}`] : [`--${input}`, value];
const wordFor = (input: string): string => (Object.hasOwn(values, input) ? ` <${values[input as keyof typeof values]}>` : '');

export const commandLine: Door = {
  named: (input) => `\`--${input}\``,
  passed: (input, value) => `\`--${input}${value === undefined ? wordFor(input) : ` ${value}`}\``,
  run: (proposed) => `\`${commandLine.command(proposed)}\``,
  command: ({ command, inputs }) => ['pilotfish', command, ...inputs.flatMap(flag)].map(shellQuote).join(' '),
  also: (command, input, value) => `${command} ${flag([input, value]).map(shellQuote).join(' ')}`,
  usage: () => 'Run `pilotfish --help` for the commands and flags.',
};

let entered: Door = commandLine;

/** A process has one door for its whole life: it is the command line, or the tool server. */
export function enterBy(door: Door): void {
  entered = door;
}

/** The door of this process. */
export const door: Door = {
  named: (input) => entered.named(input),
  passed: (input, value) => entered.passed(input, value),
  run: (proposed) => entered.run(proposed),
  command: (proposed) => entered.command(proposed),
  also: (command, input, value) => entered.also(command, input, value),
  usage: () => entered.usage(),
};
