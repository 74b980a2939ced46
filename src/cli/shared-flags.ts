import type { Flag } from './command-spec.ts';

export const json: Flag = { name: 'json', kind: 'switch', doc: 'Print exactly one JSON document on stdout, errors included.' };
export const noColor: Flag = { name: 'no-color', kind: 'switch', doc: 'Print without colours. NO_COLOR and FORCE_COLOR work too.' };

export const planFlag: Flag = {
  name: 'plan',
  kind: 'text',
  value: 'file',
  completes: 'files',
  default: 'release.plan.yaml, from here up to the repository root',
  doc: 'The plan file.',
};
export const envFlag: Flag = {
  name: 'env',
  kind: 'text',
  value: 'name',
  completes: 'environments',
  default: 'preview',
  doc: 'The environment. The plan must list it.',
};

/** The flags that name a plan, a scope, and what the plan may be trusted with. */
export const whereFlags: readonly Flag[] = [
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
export const runFlags: readonly Flag[] = [
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

export const planFlags: readonly Flag[] = [
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

export const leaseTimeoutFlag: Flag = {
  name: 'lease-timeout',
  kind: 'duration',
  value: 'time',
  default: '15m',
  doc: 'The longest wait for another run of this scope.',
};

export const applyFlags: readonly Flag[] = [
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
    default: '1',
    doc: 'With --closed: pack the receipts of a scope that was destroyed longer ago than this into the history of its environment.',
  },
  leaseTimeoutFlag,
  {
    name: 'wait-timeout',
    kind: 'duration',
    value: 'time',
    default: '15m',
    doc: 'The longest wait of the whole run for deployments, and of a destroy for objects that a provider deletes later. With 0 the run waits for no deployment and ends as partial.',
  },
];

/** Flags of runs that a proof has, too. */
export const sharedByLive: readonly Flag[] = runFlags.filter(({ name }) => ['branch', 'sha'].includes(name));
