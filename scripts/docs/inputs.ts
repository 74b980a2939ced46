import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { argvOf, leftOut } from '../../src/action/argv.ts';
import type { Inputs } from '../../src/action/inputs.ts';
import { everybody } from '../../src/action/who.ts';
import { uselessFlags } from '../../src/cli/modes.ts';
import { parseArgv } from '../../src/cli/parse.ts';
import { isMap } from '../../src/core/json.ts';
import { applyArgv, planArgv } from '../../src/mcp/argv.ts';
import { applyParams, destroyParams, planParams } from '../../src/mcp/params.ts';
import { root } from '../tasks.ts';

/** A run uses an input, refuses it, or says that it leaves it out. `ignored` is a fault. */
export type InputCell = 'yes' | 'no' | 'said' | 'ignored';

/** The effect of each input, for each way to start a run. */
export interface InputTable {
  readonly columns: readonly string[];
  /** The rows by the name of the input, with a cell for each column. */
  readonly rows: ReadonlyMap<string, readonly InputCell[]>;
}

interface Column {
  readonly name: string;
  readonly command: NonNullable<Inputs['command']>;
  readonly given: Partial<Inputs>;
}

const none: Inputs = {
  ...{
    command: null,
    env: 'preview',
    scope: null,
    plan: null,
    planFrom: null,
    approvedBy: null,
    waitTimeout: null,
    token: null,
    comment: null,
  },
  ...{
    trace: null,
    recreate: [],
    reconcile: false,
    'put-back': false,
    prune: false,
    only: [],
    expect: null,
    closed: false,
    run: null,
    runOn: 'each',
    expired: false,
    who: everybody,
  },
};

const columns: readonly Column[] = [
  { name: '`command: plan`', command: 'plan', given: { command: 'plan' } },
  { name: '`command: apply`', command: 'apply', given: { command: 'apply' } },
  { name: 'an open pull request', command: 'apply', given: {} },
  { name: '`command: destroy`', command: 'destroy', given: { command: 'destroy' } },
  { name: 'a closed pull request', command: 'destroy', given: {} },
  { name: '`closed: true`', command: 'destroy', given: { closed: true } },
];

/** A value with an effect, for each input except those of a column. */
const values: { readonly [input: string]: Partial<Inputs> } = {
  env: { env: 'staging' },
  scope: { scope: 'one' },
  plan: { plan: 'other.yaml' },
  'plan-from': { planFrom: 'base' },
  'approved-by': { approvedBy: 'ann' },
  'wait-timeout': { waitTimeout: '5m' },
  'github-token': { token: 'given' },
  comment: { comment: true },
  trace: { trace: 'trace' },
  recreate: { recreate: ['web'] },
  only: { only: ['web'] },
  reconcile: { reconcile: true },
  'put-back': { 'put-back': true },
  prune: { prune: true },
  expect: { expect: '0123456789abcdef' },
  expired: { expired: true },
};

const choosing = new Set(['label', 'drafts', 'authors', 'bots', 'paths', 'max-previews']);

/** The inputs of the action, judged by the command line of each of its runs. */
export function actionInputs(): InputTable {
  const manifest: unknown = parse(readFileSync(join(root, 'action/action.yml'), 'utf8'));
  const names = isMap(manifest) && isMap(manifest.inputs) ? Object.keys(manifest.inputs) : [];
  const rows = names
    .filter((name) => name !== 'command' && name !== 'closed')
    .map((name): [string, readonly InputCell[]] => [name, columns.map((column) => actionCell(name, column))]);
  return { columns: columns.map(({ name }) => name), rows: new Map(rows) };
}

function actionCell(name: string, { command, given }: Column): InputCell {
  // The code host and the ledger use the token, whatever the command line is.
  if (name === 'github-token') return 'yes';
  // These decide whether there is a run at all, for an open pull request.
  if (choosing.has(name)) return given.closed ? 'no' : 'yes';
  // A script runs after an apply alone, and `readInputs` refuses it for the other commands.
  if (name === 'run' || name === 'run-on') return command === 'apply' ? 'yes' : Object.keys(given).length === 0 ? 'said' : 'no';
  const value = values[name];
  if (!value) throw new Error(`No value is known for the input ${name}.`);
  const subject = { pull: given.closed ? null : 12, branch: null, commit: null };
  const without = argvOf({ ...none, ...given, ...(name === 'comment' && { comment: false }) }, command, subject);
  const inputs: Inputs = { ...none, ...given, ...value };
  const of = { ...subject, trusted: inputs.planFrom && 'c0ffee'.padEnd(40, '0') };
  return leftOut(inputs, command).length > 0 ? 'said' : cellOf(without, argvOf(inputs, command, of));
}

/** The params of the tools, judged in the same way. */
export function toolParams(): InputTable {
  const tools = [
    { name: '`plan`', shape: planParams, argv: planArgv, given: {} },
    { name: '`plan` with `destroy`', shape: planParams, argv: planArgv, given: { destroy: true } },
    { name: '`apply`', shape: applyParams, argv: applyArgv, given: {} },
    { name: '`destroy`', shape: destroyParams, argv: (params: object) => ['apply', '--destroy', ...applyArgv(params).slice(1)], given: {} },
  ] as const;
  const samples: { readonly [param: string]: unknown } = {
    ...{ directory: '/work', plan: 'other.yaml', environment: 'staging', scope: 'one', pr: 12, branch: 'topic', sha: '0123456' },
    ...{
      only: ['web'],
      recreate: ['web'],
      reconcile: true,
      put_back: true,
      prune: true,
      orphans: true,
      expect: '0123456789abcdef',
      lease_timeout: '5m',
      wait_timeout: '5m',
    },
  };
  const names = new Set(tools.flatMap(({ shape }) => Object.keys(shape.shape)).filter((name) => name !== 'destroy'));
  const rows = [...names].map((name): [string, readonly InputCell[]] => {
    const sample = samples[name];
    if (sample === undefined) throw new Error(`No value is known for the param ${name}.`);
    const cells = tools.map(({ shape, argv, given }): InputCell => {
      if (!shape.safeParse({ ...given, [name]: sample }).success) return 'no';
      // The command line works in this folder.
      if (name === 'directory') return 'yes';
      return cellOf(argv(given), argv({ ...given, [name]: sample }));
    });
    return [name, cells];
  });
  return { columns: tools.map(({ name }) => name), rows: new Map(rows) };
}

function cellOf(without: readonly string[], once: readonly string[]): InputCell {
  if (once.join('\n') === without.join('\n')) return 'ignored';
  try {
    const read = parseArgv(once);
    if (read.kind !== 'run') return 'ignored';
    return uselessFlags(read.command, read.flags).length > 0 ? 'no' : 'yes';
  } catch {
    return 'no';
  }
}
