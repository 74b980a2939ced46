/** The form of a flag's value. A `list` may be given more than once. */
export type FlagKind = 'switch' | 'text' | 'list' | 'number' | 'duration' | 'choice';

/** What a shell may offer for a value: files, or words that this machine knows without a network. */
export type Completes =
  | 'branches'
  | 'codes'
  | 'environments'
  | 'files'
  | 'folders'
  | 'lines'
  | 'missing-lines'
  | 'operations'
  | 'pulls'
  | 'runs'
  | 'scopes';

/** The shells that `pilotfish completion` writes a script for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export interface Flag {
  /** The name as typed, without the leading dashes: `lease-timeout`, `no-color`. */
  readonly name: string;
  readonly kind: FlagKind;
  /** The word between `<` and `>` in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /** The default in words, for people. */
  readonly default?: string;
  readonly doc: string;
}

export type CommandName = 'init' | 'plan' | 'apply' | 'run' | 'sandbox' | 'list' | 'show' | 'live' | 'explain' | 'completion';

export interface CommandSpec {
  readonly name: CommandName;
  readonly doc: string;
  /** A few sentences for the help page of the command. */
  readonly text: string;
  /** The one word after the command; a command without it takes none. */
  readonly argument?: CommandArgument;
  /** The command starts a program, whose words stand after `--` as they are. A command without it takes no `--`. */
  readonly program?: { readonly doc: string };
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
}

/** The one word after a command. */
export interface CommandArgument extends Pick<Flag, 'choices' | 'completes'> {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly doc: string;
}

const json: Flag = { name: 'json', kind: 'switch', doc: 'Print exactly one JSON document on stdout, errors included.' };
const noColor: Flag = { name: 'no-color', kind: 'switch', doc: 'Print without colours. NO_COLOR and FORCE_COLOR work too.' };

const planFlag: Flag = {
  name: 'plan',
  kind: 'text',
  value: 'file',
  completes: 'files',
  default: 'release.plan.yaml, from here up to the repository root',
  doc: 'The plan file.',
};
const envFlag: Flag = {
  name: 'env',
  kind: 'text',
  value: 'name',
  completes: 'environments',
  default: 'preview',
  doc: 'The environment. The plan must list it.',
};

/** The flags that name a plan, a scope, and what the plan may be trusted with. */
const whereFlags: readonly Flag[] = [
  planFlag,
  {
    name: 'plan-from',
    kind: 'text',
    value: 'commit',
    doc: 'Trust only the hosts, credentials, commands and plugins of the plan at this commit. A destroy runs no command that only another plan names.',
  },
  envFlag,
  { name: 'scope', kind: 'text', value: 'scope', completes: 'scopes', default: 'pr-<number>', doc: 'The scope: the name of this preview.' },
  { name: 'pr', kind: 'number', value: 'number', completes: 'pulls', default: 'from the CI event', doc: 'The pull request.' },
  {
    name: 'branch',
    kind: 'text',
    value: 'name',
    completes: 'branches',
    default: 'from the CI event or the checkout',
    doc: 'The git branch.',
  },
  { name: 'sha', kind: 'text', value: 'commit', default: 'from the CI event or the checkout', doc: 'The commit.' },
];

/** The flags that `plan` and `apply` share: the plan, the environment, the part of it, and the form of the report. */
const runFlags: readonly Flag[] = [
  ...whereFlags,
  {
    name: 'only',
    kind: 'list',
    value: 'line',
    completes: 'lines',
    doc: 'Take only this line and the lines that it needs. A destroy takes only this recorded line and the lines that depend on it. Repeatable.',
  },
  {
    name: 'recreate',
    kind: 'list',
    value: 'line',
    completes: 'lines',
    doc: 'Make this line anew. This rotates an output that is shown only once. Repeatable.',
  },
  { name: 'reconcile', kind: 'switch', doc: 'Accept a changed delete request of a line that was applied before.' },
  {
    name: 'put-back',
    kind: 'switch',
    doc: 'Write back what others changed, also for lines that say `drift: report`. With --only, for the lines that it names.',
  },
  {
    name: 'prune',
    kind: 'switch',
    doc: 'Also remove what has left the plan: recorded objects that no line of the plan has any more. They go last, once every line stands.',
  },
  { name: 'destroy', kind: 'switch', doc: 'Remove what pilotfish made in this scope. It needs only the ledger.' },
  { name: 'orphans', kind: 'switch', doc: 'With --destroy: remove only what has left the plan. This needs the plan.' },
  {
    name: 'approved-by',
    kind: 'text',
    value: 'name',
    doc: 'The person who approved. A run that writes production needs this flag, and the receipt keeps the name.',
  },
  { name: 'comment', kind: 'switch', doc: 'Write plan and receipt as a comment on the pull request.' },
  {
    name: 'trace',
    kind: 'text',
    value: 'folder',
    completes: 'folders',
    doc: 'Write a trace of the run to this folder: trace.html, a page for people, and trace.json, otlp.json, events.jsonl, machines.ts and machines.mmd.',
  },
  {
    name: 'progress',
    kind: 'choice',
    value: 'mode',
    choices: ['plain', 'live', 'none'],
    default: 'live in a terminal, plain otherwise',
    doc: 'The form of progress on stderr. CI, and a terminal that cannot redraw, get plain.',
  },
  { name: 'events', kind: 'switch', doc: 'Write progress and errors as JSON lines to stderr, for programs: docs/events.md.' },
  json,
  noColor,
];

/** The flags of a sweep. */
const closed: Flag = {
  name: 'closed',
  kind: 'switch',
  doc: 'With --destroy: take every scope whose pull request is closed at the code host.',
};
const expired: Flag = {
  name: 'expired',
  kind: 'switch',
  doc: 'With --closed: also take every scope whose time is over, as `lifetime` of the plan says.',
};

const planFlags: readonly Flag[] = [
  closed,
  expired,
  {
    name: 'run',
    kind: 'text',
    value: 'id',
    completes: 'runs',
    doc: 'With --trace: write the trace of an earlier run and plan nothing. `last` is the last run in this checkout. The ledger has the receipts of other runs: give the id from the report of the run.',
  },
];

const applyFlags: readonly Flag[] = [
  {
    name: 'expect',
    kind: 'text',
    value: 'digest',
    doc: 'The digest of a plan. Apply exactly what that plan showed. If anything has changed since, the run is refused before its first write.',
  },
  {
    name: 'restore-ledger',
    kind: 'text',
    value: 'commit',
    doc: 'Replace a damaged commit of the receipts branch by this older one, then go on.',
  },
  {
    name: 'trust-ledger',
    kind: 'text',
    value: 'commit',
    doc: 'Act on the facts that this commit of the receipts branch has and no credential of this run sealed. A person must look at them first.',
  },
  {
    name: 'yes',
    kind: 'switch',
    doc: 'With --destroy or --prune: remove without asking. A terminal asks for a `yes` otherwise; CI, a pipe, --json and --events are never asked.',
  },
  closed,
  expired,
  {
    name: 'keep-receipts',
    kind: 'number',
    value: 'days',
    default: '90',
    doc: 'With --closed: remove the receipts branch of a scope that was destroyed longer ago than this.',
  },
  { name: 'lease-timeout', kind: 'duration', value: 'time', default: '15m', doc: 'The longest wait for another run of this scope.' },
  {
    name: 'wait-timeout',
    kind: 'duration',
    value: 'time',
    default: '15m',
    doc: 'The longest wait of the whole run for deployments, and of a destroy for objects that a provider deletes later. With 0 the run waits for no deployment and ends as partial.',
  },
];

/** Flags of runs that a proof has, too. */
const sharedByLive: readonly Flag[] = runFlags.filter(({ name }) => ['branch', 'sha'].includes(name));

/** The one table of commands and flags. The parser, the help and `docs/cli.md` come from it. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'init',
    doc: 'Write a first release.plan.yaml.',
    text: 'Looks at the files of the repository, writes release.plan.yaml at its root with the lines that its previews need, adds .pilotfish/ to .gitignore and lists the values to fill in. init never rewrites an existing plan: it lists the missing lines. It uses no network and no credentials.',
    flags: [
      {
        name: 'add',
        kind: 'list',
        value: 'line',
        completes: 'missing-lines',
        doc: 'Add this line to the existing plan. init lists the missing lines. Repeatable.',
      },
      {
        name: 'adopt',
        kind: 'list',
        value: 'line',
        completes: 'missing-lines',
        doc: 'Add this line for an object that the provider already has, and keep the values of the object. Repeatable.',
      },
      {
        name: 'setup',
        kind: 'switch',
        doc: 'Also take each credential of the plan, check it, store it as a CI secret and write the CI workflow. Each step asks first.',
      },
      {
        name: 'send-to',
        kind: 'list',
        value: 'host',
        doc: 'With --setup: send credentials to this host, although only the plan names it. Repeatable.',
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
    text: 'Reads the plan file, the ledger and the live objects, and shows what apply would do. It changes nothing at any provider. Like every run it keeps its events in .pilotfish/last-run/, for --trace with --run.',
    flags: [...runFlags.slice(0, -2), ...planFlags, json, noColor],
    examples: [
      'pilotfish plan --scope pr-12',
      'pilotfish plan --scope pr-12 --json',
      'pilotfish plan --destroy --scope pr-12',
      'pilotfish plan --destroy --closed --expired',
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
      'pilotfish apply --prune --scope pr-12',
      'pilotfish apply --destroy --scope pr-12',
      'pilotfish apply --destroy --closed --expired',
      'pilotfish apply --scope pr-12 --recreate webhook',
    ],
  },
  {
    name: 'run',
    doc: 'Run a command with the values of a preview.',
    text: 'Reads the outputs of a scope, sensitive ones too, and starts one command with them in its environment and nowhere else. `exports` of the plan names the variables; without it they are those that the plan gives to its host. It sends reads only. It refuses when the scope is not applied, while another run changes these lines, and when an output existed only once. Exit code, signals and terminal are those of the command. In CI its output is masked. Without a command it lists the variables, and no value.',
    program: { doc: 'The command and its arguments. No shell reads them.' },
    flags: [
      ...whereFlags,
      {
        name: 'if-from',
        kind: 'list',
        value: 'line',
        completes: 'lines',
        doc: 'Start the command only if one of the variables comes from this line. Otherwise say so and end with 0. Repeatable.',
      },
      json,
      noColor,
    ],
    examples: [
      'pilotfish run --scope pr-12 -- npx prisma migrate deploy',
      'pilotfish run --scope pr-12 -- npm run seed',
      'pilotfish run --scope pr-12',
    ],
  },
  {
    name: 'sandbox',
    doc: 'Try everything against simulated providers, without an account.',
    text: 'Starts the package pilotfish-sandbox where it is installed: every provider, simulated on this machine, with a git remote and a page that shows what happens. With a command it sets what leads the command there, and ends with the command. Without one it prints what to set. A package that the checkout itself brings along is not started.',
    program: { doc: 'The command to run in the sandbox. No shell reads its words.' },
    flags: [],
    examples: ['pilotfish sandbox', 'pilotfish sandbox -- pilotfish plan --scope pr-12', 'pilotfish sandbox -- bash'],
  },
  {
    name: 'list',
    doc: 'List the scopes that stand: pull request, objects, age, last run.',
    text: 'Reads the ledgers of the environment and lists every scope, the oldest first: its pull request and the state of that now, its lines and objects, its age and last run, and what a run left unfinished. It asks the code host for the open pull requests where a token is set, asks no provider and changes nothing.',
    flags: [
      { ...planFlag, doc: 'The plan file: only scopes of its `name:` are listed. Without a plan, those of all plans.' },
      { ...envFlag, doc: 'The environment.' },
      {
        name: 'html',
        kind: 'text',
        value: 'file',
        completes: 'files',
        doc: 'Also write the list as a page to this file. The page asks no server for anything.',
      },
      json,
      noColor,
    ],
    examples: ['pilotfish list', 'pilotfish list --env preview --json', 'pilotfish list --html previews.html'],
  },
  {
    name: 'show',
    doc: 'Show what one scope has: objects, outputs, last runs.',
    text: 'Reads the ledger of one scope and shows its objects with their outputs, its last runs, what a run left unfinished, and the lines that the plan no longer has. It shows no sensitive output, asks no provider and changes nothing.',
    argument: { name: 'scope', isNeeded: true, completes: 'scopes', doc: 'The scope, as `pilotfish list` shows it.' },
    flags: [planFlag, { ...envFlag, doc: 'The environment.' }, json, noColor],
    examples: ['pilotfish show pr-12', 'pilotfish show pr-12 --json'],
  },
  {
    name: 'live',
    doc: 'Prove one operation against the real service.',
    text: 'Makes an object with a name of its own in the account of the credential, applies again, edits it beside the ledger as a person would, plans, puts it back and destroys it. Then it makes a second one whose answer is lost on purpose, and destroys that. It compares what stands with what stood before, and writes a report that holds no secret. It tells beforehand what it makes, asks before it begins, changes nothing that it did not make, and removes what it made, also after Ctrl-C. The next start removes what a killed one left.',
    argument: {
      name: 'operation',
      isNeeded: true,
      completes: 'operations',
      doc: 'The operation: `neon.branch`, `stripe.webhook_endpoint`, `http.resource`.',
    },
    flags: [
      {
        name: 'with',
        kind: 'list',
        value: 'param',
        doc: 'A param of the line as `<name>=<value>`, the value as YAML. `${ctx.scope}` in it is the name of the object. Repeatable.',
      },
      {
        name: 'line',
        kind: 'text',
        value: 'file',
        doc: 'A YAML file with the params of the line, or a plan with `providers` and one line.',
      },
      {
        name: 'folder',
        kind: 'text',
        value: 'folder',
        default: '.pilotfish/live/<operation>',
        doc: 'The folder of the ledger, as long as objects stand.',
      },
      { name: 'report', kind: 'text', value: 'file', default: '.pilotfish/live/<operation>.json', doc: 'The file for the report.' },
      { name: 'server', kind: 'text', value: 'words', doc: "The server in words, where it is not the provider's own service." },
      { name: 'leave', kind: 'switch', doc: 'Also prove an operation that cannot remove its object, and leave the object.' },
      ...sharedByLive,
      { name: 'yes', kind: 'switch', doc: 'Begin without asking. CI must pass it.' },
      json,
      noColor,
    ],
    examples: [
      'pilotfish live neon.branch --with project_id=quiet-river-12345678',
      'pilotfish live unleash.flag_strategy --with feature=new-checkout --with environment=development',
      'pilotfish live http.resource --line widget.yaml --yes',
    ],
  },
  {
    name: 'explain',
    doc: 'Explain an error code.',
    text: 'Says when an error occurs and what to do about it. Without a code it lists all codes.',
    argument: { name: 'code', isNeeded: false, completes: 'codes', doc: 'The code of an error, such as LEASE_HELD.' },
    flags: [json, noColor],
    examples: ['pilotfish explain LEASE_HELD', 'pilotfish explain --json'],
  },
  {
    name: 'completion',
    doc: 'Print the completion script of a shell.',
    text: 'Prints a script by which the shell completes commands, flags, lines of the plan, scopes, environments, error codes and files. Its first line says how to install it. It asks no network: the scopes are those that this machine has seen. It offers only words that need no quotes in a shell. The script for PowerShell is not tested.',
    argument: { name: 'shell', isNeeded: true, choices: shells, doc: `The shell: ${shells.join(', ')}.` },
    flags: [json],
    examples: ['pilotfish completion bash', 'pilotfish completion fish > ~/.config/fish/completions/pilotfish.fish'],
  },
];

export const globalFlags: readonly Flag[] = [
  { name: 'help', kind: 'switch', doc: 'Show the help of pilotfish, or of one command.' },
  { name: 'version', kind: 'switch', doc: 'Show the version.' },
];

/** The exit codes, for the help and the docs. */
export const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done; also a partial or stale run'],
  ['1', 'a line failed or was refused'],
  [
    '2',
    'refused before any request: command line, plan, references, context, credentials, approval; or before any write: the digest of `--expect`',
  ],
  ['3', 'the lease of the scope is held or was lost'],
  ['126, 127', '`run`: the command may not be executed, or was not found; otherwise the exit code is that of the command'],
  ['130, 143', 'interrupted by SIGINT or SIGTERM; the ledger is written'],
];

export function commandNamed(name: string): CommandSpec | undefined {
  return commands.find((command) => command.name === name);
}

/** `--scope <scope>`, `--json`. */
export const showFlag = (flag: Flag): string => `--${flag.name}${flag.kind === 'switch' ? '' : ` <${flag.value ?? 'value'}>`}`;
