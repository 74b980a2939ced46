import { Failure, Failures } from '../core/errors.ts';
import { type CommandName, commandNamed, commands, type Flag, globalFlags } from './flags.ts';
import type { Flags } from './parse.ts';

/** What a command does: some flags turn it into another thing, in which other flags have a meaning. */
export const modes = [
  'init',
  'init --setup',
  'plan',
  'plan --destroy',
  'plan --run <id>',
  'plan --run last',
  'apply',
  'apply --destroy',
  'apply --destroy --closed',
] as const;
export type Mode = (typeof modes)[number];

/** A flag has an effect in a mode, or is refused there with what to use instead. There is nothing between the two. */
export type Cell = { readonly is: 'honoured' } | { readonly is: 'refused'; readonly why: string; readonly instead: string };

interface Rule {
  readonly flags: readonly string[];
  readonly modes: readonly Mode[];
  readonly why: string;
  readonly instead: string;
}

/** Why a command refuses a flag of another one. */
export const noSuchFlag = 'the command has no such flag';

const either = 'Leave out one of the two.';

/** What a command knows and has no use for in some of its modes. The parser enforces it, and a test holds that all else has an effect. */
const rules: readonly Rule[] = [
  {
    flags: ['recreate'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'a destroy removes lines, and this makes them anew',
    instead: either,
  },
  {
    flags: ['reconcile'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'a destroy sends the delete requests that the ledger has, and this takes those of the plan',
    instead: 'Run `pilotfish apply --reconcile` first, or leave `--reconcile` out.',
  },
  {
    flags: ['put-back'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'a destroy removes what others changed, and this writes it back',
    instead: either,
  },
  {
    flags: ['send-to'],
    modes: ['init'],
    why: 'only a setup sends credentials anywhere',
    instead: 'Write `pilotfish init --setup`.',
  },
  {
    flags: ['closed'],
    modes: ['apply'],
    why: 'it names the scopes that a destroy is of',
    instead: 'Write `pilotfish apply --destroy --closed`.',
  },
  {
    flags: ['keep-receipts'],
    modes: ['apply', 'apply --destroy'],
    why: 'it says what `--closed` leaves of scopes destroyed long ago',
    instead: 'Write `pilotfish apply --destroy --closed`.',
  },
  {
    flags: [
      'scope',
      'pr',
      'branch',
      'sha',
      'only',
      'recreate',
      'reconcile',
      'put-back',
      'expect',
      'approved-by',
      'restore-ledger',
      'trust-ledger',
      'comment',
    ],
    modes: ['apply --destroy --closed'],
    why: '`--closed` finds its scopes itself, and this is about one',
    instead: either,
  },
  {
    flags: [
      'plan-from',
      'destroy',
      'branch',
      'sha',
      'only',
      'recreate',
      'reconcile',
      'put-back',
      'approved-by',
      'comment',
      'progress',
      'events',
    ],
    modes: ['plan --run <id>', 'plan --run last'],
    why: '`--run` plans nothing, and this says how',
    instead: either,
  },
  {
    flags: ['run'],
    modes: ['plan --destroy'],
    why: '`--run` plans nothing, and `--destroy` says how',
    instead: either,
  },
  {
    flags: ['plan', 'env', 'scope', 'pr'],
    modes: ['plan --run last'],
    why: 'it says in which ledger a run is looked for, and the last one is kept here',
    instead: 'Leave it out, or pass `--run` the id of the run.',
  },
];

/** Flags by which a mode is known, those that say more first. */
const marks: readonly (readonly [Mode, CommandName, (flags: Flags) => boolean])[] = [
  ['plan --run last', 'plan', (flags) => flags.get('run') === 'last'],
  ['plan --run <id>', 'plan', (flags) => flags.has('run')],
  ['plan --destroy', 'plan', (flags) => flags.has('destroy')],
  ['apply --destroy --closed', 'apply', (flags) => flags.has('destroy') && flags.has('closed')],
  ['apply --destroy', 'apply', (flags) => flags.has('destroy')],
  ['init --setup', 'init', (flags) => flags.has('setup')],
];

export function modeOf(command: CommandName, flags: Flags): Mode {
  return marks.find(([, of, has]) => of === command && has(flags))?.[0] ?? command;
}

export const commandOf = (mode: Mode): CommandName => (mode.split(' ', 1)[0] ?? mode) as CommandName;

/** Every flag that the parser knows, once. */
export const allFlags: readonly Flag[] = [
  ...new Map([...commands.flatMap(({ flags }) => flags), ...globalFlags].map((flag) => [flag.name, flag])).values(),
];

/** What a flag is in a mode. A command that does not know it refuses it as the flag of another one. */
export function cellOf(flag: string, mode: Mode): Cell {
  if (globalFlags.some(({ name }) => name === flag)) return { is: 'honoured' };
  if (!commandNamed(commandOf(mode))?.flags.some(({ name }) => name === flag)) {
    const owners = commands.filter(({ flags }) => flags.some(({ name }) => name === flag)).map(({ name }) => `\`pilotfish ${name}\``);
    const instead = `It belongs to ${owners.join(' and ')}.`;
    return { is: 'refused', why: noSuchFlag, instead };
  }
  const rule = rules.find((one) => one.flags.includes(flag) && one.modes.includes(mode));
  return rule ? { is: 'refused', why: rule.why, instead: rule.instead } : { is: 'honoured' };
}

/** A mistake for each flag that the mode has no use for. */
export function uselessFlags(command: CommandName, flags: Flags): readonly Failure[] {
  const mode = modeOf(command, flags);
  return [...flags.keys()].flatMap((name) => {
    const cell = cellOf(name, mode);
    if (cell.is === 'honoured') return [];
    return [new Failure('USAGE', { detail: `\`--${name}\` has no use in \`pilotfish ${mode}\`: ${cell.why}.`, fix: cell.instead })];
  });
}

/** Throws for flags that the mode has no use for and for those that contradict each other, all of them together. */
export function checkTogether(command: CommandName, flags: Flags): void {
  const failures: Failure[] = [...uselessFlags(command, flags)];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  if (flags.has('events') && flags.has('progress')) {
    refuse('`--events` takes the place of the progress for people, and `--progress` says how that is shown.', 'Leave out one of the two.');
  }
  if (flags.has('run') && !flags.has('trace')) {
    refuse('`--run` names an earlier run, and nothing says what is wanted of it.', 'Add `--trace <folder>`.');
  }
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}
