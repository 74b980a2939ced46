/** How a flag's value reads. A `list` may be given more than once. */
export type FlagKind = 'switch' | 'text' | 'list' | 'number' | 'duration' | 'choice';

export interface Flag {
  /** As typed, without the leading dashes: `lease-timeout`, `no-color`. */
  readonly name: string;
  readonly kind: FlagKind;
  /** What stands between `<` and `>` in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** What holds when it is not given, for people. */
  readonly default?: string;
  readonly doc: string;
}

export type CommandName = 'init' | 'plan' | 'apply';

export interface CommandSpec {
  readonly name: CommandName;
  readonly doc: string;
  /** A few sentences for its own help page. */
  readonly text: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
}

const json: Flag = { name: 'json', kind: 'switch', doc: 'Print exactly one JSON document on stdout, errors included.' };
const noColor: Flag = { name: 'no-color', kind: 'switch', doc: 'Print without colours. NO_COLOR and FORCE_COLOR work too.' };

/** What `plan` and `apply` share: which plan, which environment, which part of it, and how it is told. */
const runFlags: readonly Flag[] = [
  { name: 'plan', kind: 'text', value: 'file', default: 'release.plan.yaml, from here up to the repository root', doc: 'The plan file.' },
  {
    name: 'plan-from',
    kind: 'text',
    value: 'commit',
    doc: 'Trust no host, credential, command or plugin but those of the plan at this commit. A destroy runs no command that only another plan names.',
  },
  { name: 'env', kind: 'text', value: 'name', default: 'preview', doc: 'The environment, one that the plan lists.' },
  { name: 'scope', kind: 'text', value: 'scope', default: 'pr-<number>', doc: 'The scope: which preview this is.' },
  { name: 'pr', kind: 'number', value: 'number', default: 'from the CI event', doc: 'The pull request.' },
  { name: 'branch', kind: 'text', value: 'name', default: 'from the CI event or the checkout', doc: 'The git branch.' },
  { name: 'sha', kind: 'text', value: 'commit', default: 'from the CI event or the checkout', doc: 'The commit.' },
  {
    name: 'only',
    kind: 'list',
    value: 'line',
    doc: 'Take only this line and what it needs; of a destroy, only this recorded line and what depends on it. Repeatable.',
  },
  { name: 'recreate', kind: 'list', value: 'line', doc: 'Make this line anew; it rotates a once-only output. Repeatable.' },
  { name: 'reconcile', kind: 'switch', doc: 'Accept a changed delete request of a line that was applied before.' },
  {
    name: 'put-back',
    kind: 'switch',
    doc: 'Write back what others changed, also for lines that say `drift: report`. With --only, for those that it names.',
  },
  { name: 'destroy', kind: 'switch', doc: 'Remove what pilotfish made in this scope. It needs only the ledger.' },
  { name: 'approved-by', kind: 'text', value: 'name', doc: 'Who approved; needed when production is written. It is kept in the receipt.' },
  { name: 'comment', kind: 'switch', doc: 'Write plan and receipt as a comment on the pull request.' },
  {
    name: 'trace',
    kind: 'text',
    value: 'folder',
    doc: 'Write what the run did to this folder: trace.html, a page to look at, trace.json, events.jsonl, machines.ts and machines.mmd.',
  },
  {
    name: 'progress',
    kind: 'choice',
    value: 'mode',
    choices: ['plain', 'live', 'none'],
    default: 'live in a terminal, plain otherwise',
    doc: 'How progress is shown on stderr. A terminal that cannot be drawn over, and CI, get plain.',
  },
  { name: 'events', kind: 'switch', doc: 'Tell progress and errors as JSON lines on stderr, for programs: docs/events.md.' },
  json,
  noColor,
];

const planFlags: readonly Flag[] = [
  {
    name: 'run',
    kind: 'text',
    value: 'id',
    doc: 'With --trace: write the trace of an earlier run and plan nothing. `last` is the last run in this checkout; the id of any other, as its report gives it, is looked for in the ledger, which has its receipt.',
  },
];

const applyFlags: readonly Flag[] = [
  {
    name: 'expect',
    kind: 'text',
    value: 'digest',
    doc: 'Apply what a plan showed, and nothing else: its digest. What changed since is refused before the first write.',
  },
  {
    name: 'restore-ledger',
    kind: 'text',
    value: 'commit',
    doc: 'Put an older commit of the receipts branch in the place of a damaged one, then go on.',
  },
  {
    name: 'trust-ledger',
    kind: 'text',
    value: 'commit',
    doc: 'Act on the facts of the ledger that no credential of this run sealed, as that commit of the receipts branch has them. A person has looked at them.',
  },
  { name: 'closed', kind: 'switch', doc: 'With --destroy: every scope whose pull request is closed, as the code host says.' },
  {
    name: 'keep-receipts',
    kind: 'number',
    value: 'days',
    default: '90',
    doc: 'With --closed: remove the receipts branch of a scope that was destroyed longer ago.',
  },
  { name: 'lease-timeout', kind: 'duration', value: 'time', default: '15m', doc: 'How long to wait for another run of this scope.' },
  {
    name: 'wait-timeout',
    kind: 'duration',
    value: 'time',
    default: '15m',
    doc: 'How long the whole run may wait for deployments, and a destroy for what its provider takes away later.',
  },
];

/** The one table of commands and flags: the parser, the help and `docs/cli.md` are made from it. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'init',
    doc: 'Write a first release.plan.yaml.',
    text: 'Looks at the files of the repository, writes release.plan.yaml at its root with a line for each service that it finds, adds .pilotfish/ to .gitignore and says what is left to fill in. An existing plan is never rewritten: init tells what it lacks. It uses no network and no credentials.',
    flags: [
      {
        name: 'add',
        kind: 'list',
        value: 'line',
        doc: 'Add this line to the plan that is there; init says which ones it lacks. Repeatable.',
      },
      {
        name: 'adopt',
        kind: 'list',
        value: 'line',
        doc: 'The same, for what stands at the provider already: its values are kept. Repeatable.',
      },
      {
        name: 'setup',
        kind: 'switch',
        doc: 'Also take each credential of the plan, check it, store it as a CI secret and write the CI workflow, each after a yes.',
      },
      {
        name: 'send-to',
        kind: 'list',
        value: 'host',
        doc: 'With --setup: a host that only the plan names may be sent the credential that belongs there. Repeatable.',
      },
      { name: 'yes', kind: 'switch', doc: 'Accept every offer, for scripts.' },
      json,
      noColor,
    ],
    examples: ['pilotfish init', 'pilotfish init --setup', 'pilotfish init --json', 'pilotfish init --add payments'],
  },
  {
    name: 'plan',
    doc: 'Show what apply would do. Changes nothing.',
    text: 'Reads the plan file, the ledger and the live objects, and shows what apply would do. It changes nothing anywhere; what it did is kept in .pilotfish/last-run/, as of every run, for --trace with --run.',
    flags: [...runFlags.slice(0, -2), ...planFlags, json, noColor],
    examples: [
      'pilotfish plan --scope pr-12',
      'pilotfish plan --scope pr-12 --json',
      'pilotfish plan --destroy --scope pr-12',
      'pilotfish plan --trace trace --run last',
    ],
  },
  {
    name: 'apply',
    doc: 'Make the services hold what the plan says.',
    text: 'Creates, updates and waits until the services hold what the plan says, and records a receipt. With --destroy it removes what pilotfish made in the scope.',
    flags: [...runFlags.slice(0, -2), ...applyFlags, json, noColor],
    examples: [
      'pilotfish apply --scope pr-12',
      'pilotfish apply --destroy --scope pr-12',
      'pilotfish apply --destroy --closed',
      'pilotfish apply --scope pr-12 --recreate webhook',
    ],
  },
];

export const globalFlags: readonly Flag[] = [
  { name: 'help', kind: 'switch', doc: 'Show the help of pilotfish, or of one command.' },
  { name: 'version', kind: 'switch', doc: 'Show the version.' },
];

/** Exit codes, for the help and the docs. */
export const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done; also a partial or stale run'],
  ['1', 'a line failed or was refused'],
  [
    '2',
    'refused before any request: command line, plan, references, context, credentials, approval; or before any write: the digest of `--expect`',
  ],
  ['3', 'the lease of the scope is held or was lost'],
  ['130, 143', 'interrupted by SIGINT or SIGTERM; the ledger is written'],
];

export function commandNamed(name: string): CommandSpec | undefined {
  return commands.find((command) => command.name === name);
}

/** `--scope <scope>`, `--json`. */
export const showFlag = (flag: Flag): string => `--${flag.name}${flag.kind === 'switch' ? '' : ` <${flag.value ?? 'value'}>`}`;
