import { type CommandSpec, type Flag, shells } from './command-spec.ts';
import {
  applyFlags,
  envFlag,
  json,
  leaseTimeoutFlag,
  noColor,
  planFlag,
  planFlags,
  runFlags,
  sharedByLive,
  whereFlags,
} from './shared-flags.ts';

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
    flags: [
      { name: 'port', kind: 'number', value: 'number', default: 'a free one, and the same again', doc: 'The port on the loopback.' },
      {
        name: 'state',
        kind: 'text',
        value: 'folder',
        completes: 'folders',
        default: '.pilotfish/sandbox',
        doc: 'The folder that keeps its state.',
      },
    ],
    examples: ['pilotfish sandbox --port 4400', 'pilotfish sandbox -- pilotfish plan --scope pr-12', 'pilotfish sandbox -- bash'],
  },
  {
    name: 'ledger',
    doc: 'Move the ledger of this repository to another place.',
    text: 'Copies the ledger of every scope from one place to another, reads each copy back and marks what it copied, then names the new place on the git remote. Runs are refused while it goes on. What is there stays readable. It waits for a run that holds a scope. After a kill the same command goes on where it stopped. A password stands in PILOTFISH_RECEIPTS and never on the command line.',
    argument: { name: 'action', isNeeded: true, choices: ['copy'], doc: '`copy`.' },
    more: [
      {
        name: 'from',
        doc: 'Where the ledger is: `git-branch`, `local`, `plugin:<name>`, `postgres://<host>/<database>` or `s3://<bucket>/<prefix>`.',
      },
      { name: 'to', doc: 'Where it shall be, in the same form.' },
    ],
    flags: [
      { name: 'dry-run', kind: 'switch', doc: 'Only tell what would be copied, and what stands in the way.' },
      leaseTimeoutFlag,
      json,
      noColor,
    ],
    examples: [
      'pilotfish ledger copy git-branch postgres://db.example.com/pilotfish --dry-run',
      'pilotfish ledger copy git-branch postgres://db.example.com/pilotfish',
    ],
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
    name: 'mcp',
    doc: 'Serve agents: the tool server, over standard input and output.',
    text: "An agent's program starts it in the repository and speaks the Model Context Protocol on its standard input and output. It takes credentials from its environment, and ends with the client or at Ctrl-C. `pilotfish-mcp` is the same.",
    flags: [],
    examples: ['pilotfish mcp'],
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
