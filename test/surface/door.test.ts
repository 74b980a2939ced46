import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/flags.ts';
import { readFlag } from '../../src/cli/value.ts';
import { commandLine, type Door, door, enterBy } from '../../src/core/door.ts';
import { type ErrorCode, errorTable, wordsOf } from '../../src/core/error-table.ts';
import { Failure, Failures } from '../../src/core/errors.ts';
import { applyAgain, destroyClosed, planAgain, recreateFix } from '../../src/engine/command-again.ts';
import { params, toolServer } from '../../src/mcp/door.ts';
import { applyParams, planParams } from '../../src/mcp/params.ts';
import { resolveContext } from '../../src/plan/context.ts';
import { locatePlan } from '../../src/plan/locate.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyles } from '../../src/report/styles.ts';
import { plan } from '../report/documents.ts';

const root = join(import.meta.dirname, '../..');
const flags = commands.flatMap((command) => command.flags);
const flagNames = [...new Set(flags.map(({ name }) => name))];

/** The rooms of the command line itself, the one place that knows the forms of its flags, and the page in a ledger for people. */
const ofCommandLine = /^src\/(?:cli|action|onboard|live)\/|^src\/core\/door\.ts$|^src\/ledger\/stores\/git\/git-root-files\.ts$/;

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !ofCommandLine.test(path));
}

afterEach(() => enterBy(commandLine));

describe('a text for an agent', () => {
  it('names no flag: no text of the program does, but for those of the command line itself', () => {
    const named = new RegExp(`--(?:${flagNames.join('|')})\\b`);
    const found = sources(join(root, 'src')).flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .map((text) => text.replace(/^\s*(?:\*|\/\/|\/\*\*).*$/, '').replace(/\s\/\/ .*$/, ''))
        .flatMap((text, at) => (named.test(text) && isSaid(text) ? [`${path}:${at + 1} ${text.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it.each(Object.keys(errorTable) as ErrorCode[])('of %s names no flag', (code) => {
    const { summary, when, fix } = wordsOf(code, toolServer);
    expect(`${summary} ${when} ${fix}`).not.toContain('--');
  });

  it('speaks of the inputs of the tools', async () => {
    enterBy(toolServer);
    const target = { environment: 'staging', scope: 'pr-12', planFile: 'a.yaml' };
    expect(applyAgain(target, ['recreate', 'db'], ['recreate', 'hook'])).toBe(
      '`apply` with `recreate: ["db","hook"]`, `plan: "a.yaml"`, `environment: "staging"` and `scope: "pr-12"`',
    );
    expect(applyAgain(target, ['destroy'], ['only', 'db'])).toMatch(/^`destroy` with `only: \["db"\]`/);
    expect(planAgain(target, ['destroy'])).toMatch(/^`plan` with `destroy: true`/);
    expect(recreateFix({ ...target, environment: 'preview', planFile: null }, ['db'])).toBe(
      'Run `apply` with `recreate: ["db"]` and `scope: "pr-12"`.',
    );
    expect(applyAgain(target, ['trust-ledger', '0123abc'])).toMatch(
      /^`pilotfish apply` as a person at the command line with a commit of the ledger/,
    );
    const texts = [
      destroyClosed(target),
      ...(await Promise.all(['nope.yaml', ''].map((path) => locatePlan(root, path).catch(describeFailure)))),
      contextFailures(),
      describeFailure(readFlag({ name: 'lease-timeout', kind: 'duration', doc: '' }, ['99h'])),
      planText(plan({ ok: true, putBack: door.command({ command: 'apply', inputs: [['put-back']] }) }), plainStyles, {
        apply: door.command({ command: 'apply', inputs: [['pr', '12']] }),
        prune: door.command({ command: 'apply', inputs: [['prune'], ['pr', '12']] }),
        isDestroy: false,
      }),
    ];
    for (const text of texts) expect(String(text)).not.toMatch(/--[a-z]/);
    expect(String(texts.at(-1))).toContain('Next: apply with pr: 12 and expect: "');
  });

  it('has a param, or the words for a person, for every input', () => {
    const all: readonly (keyof typeof params)[] = Object.keys(params) as never;
    const known = new Set([...Object.keys(applyParams.shape), ...Object.keys(planParams.shape)]);
    expect(all.map((input) => params[input]).filter((name) => !known.has(name))).toEqual([]);
    for (const { name } of flags) expect(toolServer.named(name), name).not.toContain('--');
  });
});

it('a flag has the same word for its value in an error and in the help', () => {
  const shown = (at: Door, name: string): string => at.passed(name).replaceAll('`', '');
  const inputs = flags.filter(
    ({ name, value }) => value !== undefined && name in { ...params, 'approved-by': 1, 'restore-ledger': 1, 'trust-ledger': 1 },
  );
  for (const { name, value } of inputs) expect(shown(commandLine, name)).toBe(`--${name} <${value}>`);
});

/** A text, and not a word of a command that the program itself runs. */
const isSaid = (text: string): boolean =>
  /['"`].*--/.test(text) && !/^\s*'--[\w-]+',$|\[.*'--[\w-]+'|\bgit(?:\(|\b.*\[)|\bargv\b/.test(text);

const describeFailure = (thrown: unknown): string => (thrown instanceof Failure ? `${thrown.detail} ${thrown.fix}` : String(thrown));

function contextFailures(): string {
  try {
    resolveContext({
      flags: { scope: '\u0000', pr: -1, branch: '', sha: ' ', environment: 'production' },
      event: () => ({ pr: null, sha: null, branch: null }),
      git: null,
    });
    return '';
  } catch (thrown) {
    return thrown instanceof Failures ? thrown.failures.map(describeFailure).join('\n') : String(thrown);
  }
}
