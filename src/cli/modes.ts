import { Failure, Failures } from '../core/errors.ts';
import { togetherFailures } from '../plan/given-together.ts';
import type { CommandName, Flag } from './command-spec.ts';
import { commandNamed, commands, globalFlags } from './flags.ts';
import type { Flags } from './parse.ts';

/** The modes of the commands. Some flags change the work of a command, and other flags have a meaning only in such a mode. */
export const modes = [
  'init',
  'init --setup',
  'plan',
  'plan --destroy',
  'plan --destroy --closed',
  'plan --run <id>',
  'plan --run last',
  'apply',
  'apply --destroy',
  'apply --destroy --closed',
  'run',
  'sandbox',
  'ledger',
  'list',
  'show',
  'live',
  'mcp',
  'explain',
  'completion',
] as const;
export type Mode = (typeof modes)[number];

/** A flag has an effect in a mode, or the mode refuses it and says what to use instead. `isUnknown`: the command has no such flag. */
export type Cell =
  | { readonly is: 'honoured' }
  | { readonly is: 'refused'; readonly isUnknown: boolean; readonly why: string; readonly instead: string };

interface Rule {
  readonly flags: readonly string[];
  readonly modes: readonly Mode[];
  readonly why: string;
  readonly instead: string;
}

const either = 'Leave out one of the two.';

/**
 * The flags that a command knows but refuses in some of its modes. The parser enforces these rules, and a test shows that every other flag
 * has an effect.
 */
const rules: readonly Rule[] = [
  {
    flags: ['recreate'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'a destroy removes lines, and this flag makes them anew',
    instead: either,
  },
  {
    flags: ['reconcile'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'a destroy sends the delete requests of the ledger, and this flag takes those of the plan',
    instead: 'Run `pilotfish apply --reconcile` first, or leave `--reconcile` out.',
  },
  {
    flags: ['put-back'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'a destroy removes what others changed, and this writes it back',
    instead: either,
  },
  {
    flags: ['prune'],
    modes: ['plan --destroy', 'apply --destroy'],
    why: 'it removes orphans after an apply, and a destroy removes them anyway',
    instead: 'Write `pilotfish apply --destroy --orphans` to remove orphans alone, or leave `--prune` out.',
  },
  {
    flags: ['orphans'],
    modes: ['plan', 'apply'],
    why: 'it narrows a destroy',
    instead: 'Add `--destroy`, or pass `--prune` instead.',
  },
  {
    flags: ['send-to'],
    modes: ['init'],
    why: 'only a setup sends credentials anywhere',
    instead: 'Write `pilotfish init --setup`.',
  },
  {
    flags: ['closed'],
    modes: ['plan', 'apply'],
    why: 'it chooses the scopes of a destroy',
    instead: 'Write `--destroy --closed`.',
  },
  {
    flags: ['expired'],
    modes: ['plan', 'plan --destroy', 'apply', 'apply --destroy'],
    why: 'it adds scopes to those of `--closed`',
    instead: 'Write `--destroy --closed --expired`.',
  },
  {
    flags: ['keep-receipts'],
    modes: ['apply', 'apply --destroy'],
    why: 'it limits how long `--closed` keeps the receipts of destroyed scopes',
    instead: 'Write `pilotfish apply --destroy --closed`.',
  },
  {
    flags: [
      'scope',
      'pr',
      'branch',
      'sha',
      'only',
      'orphans',
      'prune',
      'recreate',
      'reconcile',
      'put-back',
      'expect',
      'approved-by',
      'restore-ledger',
      'trust-ledger',
      'comment',
    ],
    modes: ['plan --destroy --closed', 'apply --destroy --closed'],
    why: '`--closed` finds its scopes itself, and this flag names one',
    instead: either,
  },
  {
    flags: [
      'plan-from',
      'destroy',
      'closed',
      'expired',
      'branch',
      'sha',
      'only',
      'orphans',
      'prune',
      'recreate',
      'reconcile',
      'put-back',
      'approved-by',
      'comment',
      'progress',
      'events',
    ],
    modes: ['plan --run <id>', 'plan --run last'],
    why: '`--run` plans nothing, and this flag is for a plan',
    instead: either,
  },
  {
    flags: ['run'],
    modes: ['plan --destroy', 'plan --destroy --closed'],
    why: '`--run` plans nothing, and `--destroy` is for a plan',
    instead: either,
  },
  {
    flags: ['plan', 'env', 'scope', 'pr'],
    modes: ['plan --run last'],
    why: 'it chooses the ledger of a run, and the last run is kept in this checkout',
    instead: 'Leave it out, or give `--run` the id of the run.',
  },
];

/** The flags that select a mode, the more specific ones first. */
const marks: readonly (readonly [Mode, CommandName, (flags: Flags) => boolean])[] = [
  ['plan --run last', 'plan', (flags) => flags.get('run') === 'last'],
  ['plan --run <id>', 'plan', (flags) => flags.has('run')],
  ['plan --destroy --closed', 'plan', (flags) => flags.has('destroy') && flags.has('closed')],
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

/** Tells whether a mode takes a flag. A command refuses a flag that only another command has. */
export function cellOf(flag: string, mode: Mode): Cell {
  if (globalFlags.some(({ name }) => name === flag)) return { is: 'honoured' };
  if (!commandNamed(commandOf(mode))?.flags.some(({ name }) => name === flag)) {
    const owners = commands.filter(({ flags }) => flags.some(({ name }) => name === flag)).map(({ name }) => `\`pilotfish ${name}\``);
    const instead = `It belongs to ${owners.join(' and ')}.`;
    return { is: 'refused', isUnknown: true, why: 'the command has no such flag', instead };
  }
  const rule = rules.find((one) => one.flags.includes(flag) && one.modes.includes(mode));
  return rule ? { is: 'refused', isUnknown: false, why: rule.why, instead: rule.instead } : { is: 'honoured' };
}

/** One mistake for each flag that the mode refuses. */
export function uselessFlags(command: CommandName, flags: Flags): readonly Failure[] {
  const mode = modeOf(command, flags);
  return [...flags.keys()].flatMap((name) => {
    const cell = cellOf(name, mode);
    if (cell.is === 'honoured') return [];
    return [new Failure('USAGE', { detail: `\`--${name}\` has no use in \`pilotfish ${mode}\`: ${cell.why}.`, fix: cell.instead })];
  });
}

/** Throws all mistakes together: flags that the mode refuses, and flags that contradict each other. */
export function checkTogether(command: CommandName, flags: Flags): void {
  const failures: Failure[] = [...uselessFlags(command, flags)];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  if (flags.has('events') && flags.has('progress')) {
    refuse('`--events` replaces the progress for people, and `--progress` chooses its form.', 'Leave out one of the two.');
  }
  // A mode that refuses one of the two has said so already.
  if (flags.has('only') && failures.length === 0) {
    const given = { destroy: flags.has('destroy'), only: ['only'], prune: flags.has('prune'), orphans: flags.has('orphans') };
    failures.push(...togetherFailures(given));
  }
  if (command === 'apply' && flags.has('yes') && !flags.has('destroy') && !flags.has('prune')) {
    refuse(
      '`--yes` answers the question before a removal, and this run removes nothing.',
      'Leave it out, or add `--destroy` or `--prune`.',
    );
  }
  if (flags.has('run') && !flags.has('trace')) {
    refuse('`--run` names an earlier run, but nothing says what to do with it.', 'Add `--trace <folder>`.');
  }
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}
