import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readInputs } from '../../src/action/inputs.ts';
import { commands } from '../../src/cli/flags.ts';
import { parseArgv } from '../../src/cli/parse.ts';
import { toRequest } from '../../src/cli/request.ts';
import { Failure, Failures } from '../../src/core/errors.ts';
import { checkVariables } from '../../src/core/variables.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { approverIn } from '../../src/mcp/approval-form.ts';
import { applyParams, destroyParams, planParams } from '../../src/mcp/params.ts';
import { longestText } from '../../src/plan/given-text.ts';
import { lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';

const blanks = [' ', '\t', '\n', '  \r\n', '\u00a0', '\u200b', '\u2060\ufeff', '\u3164', '\u2800', '\u3000'];
const controls = ['a\u0000b', 'a\nb', '\u001b[2Jann', 'a\u0085b', '\ud800', 'a\u2028b', 'ann\r'];
const bad: readonly string[] = [...blanks, ...controls];

function codes(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (thrown) {
    if (thrown instanceof Failures) return thrown.failures.map(({ code }) => code);
    if (thrown instanceof Failure) return [thrown.code];
    throw thrown;
  }
}

describe('the command line', () => {
  const texts = commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => (flag.kind === 'text' || flag.kind === 'list' ? [[name, flag.name] as const] : [])),
  );

  it('knows how long each of its texts may be', () => {
    expect([...new Set(texts.map(([, flag]) => flag))].sort()).toEqual(Object.keys(longestText).sort());
  });

  it.each(texts)('%s --%s refuses a blank text, a control character and one that is too long', (command, flag) => {
    const longest = longestText[flag as keyof typeof longestText];
    const begin = [command, ...(commands.find(({ name }) => name === command)?.argument?.isNeeded ? ['pr-12'] : [])];
    for (const text of [...bad, 'x'.repeat(longest + 1)])
      expect(
        codes(() => parseArgv([...begin, `--${flag}=${text}`])),
        JSON.stringify(text),
      ).toEqual(['USAGE']);
    expect(codes(() => parseArgv([...begin, `--${flag}=${'a'.repeat(longest)}`]))).toEqual([]);
  });

  it.each([
    ['--approved-by', 'ann\u202egro.emca'],
    ['--approved-by', 'ghp_abcdefghijklmnop'],
  ])('%s refuses %j, which the receipt would keep for good, and does not repeat it', (flag, text) => {
    expect(codes(() => parseArgv(['apply', flag, text]))).toEqual(['USAGE']);
    try {
      parseArgv(['apply', flag, text]);
    } catch (thrown) {
      expect(String((thrown as Failure).detail)).not.toContain(text);
    }
  });
});

describe('a run', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop(planOf(lines.dns));
  });
  afterEach(async () => {
    shop.verify();
    await shop.close();
  });

  const fields: readonly ((text: string) => Partial<RunRequest>)[] = [
    (approvedBy) => ({ approvedBy }),
    (approvedBy) => ({ approvedBy, environment: 'production', scope: null }),
    (approvedBy) => ({ approvedBy, environment: 'production', scope: null, destroy: true }),
    (environment) => ({ environment }),
    (environment) => ({ environment, destroy: true }),
    (scope) => ({ scope }),
    (branch) => ({ branch }),
    (sha) => ({ sha, destroy: true }),
    (only) => ({ only: [only] }),
    (only) => ({ only: [only], destroy: true }),
    (line) => ({ recreate: [line] }),
    (expect) => ({ expect }),
    (restoreLedger) => ({ restoreLedger }),
    (plan) => ({ plan, destroy: true }),
  ];

  it('refuses such a text in every field that it takes one in, before any request, and writes nothing', async () => {
    const seen = shop.watch();
    for (const field of fields) {
      for (const text of ['', ' ', '\u200b', 'a\u0007b']) {
        const run = shop.apply(field(text));
        await expect(run, JSON.stringify(field(text))).rejects.toMatchObject({ code: 'USAGE' });
      }
    }
    expect([seen.all(), shop.remote.commits]).toEqual([[], []]);
  });

  it('keeps the name of who approved as it is read, without the blanks around it', async () => {
    const typed = parseArgv(['apply', '--approved-by', '  Ann Lee ']);
    if (typed.kind !== 'run') throw new Error('no run');
    const { approvedBy } = toRequest(typed.flags, { cwd: shop.folder, env: {} });
    await shop.apply({ approvedBy });
    expect((await shop.ledger()).receipt?.approvedBy).toBe('Ann Lee');
  });
});

describe('the action', () => {
  const kept = { ...process.env };
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('INPUT_')) delete process.env[name];
    Object.assign(process.env, kept);
  });
  const given = (name: string, text: string): void => {
    process.env[`INPUT_${name.toUpperCase()}`] = text;
  };

  const names =
    'command env scope plan approved-by wait-timeout github-token comment trace recreate reconcile put-back only expect closed label drafts authors bots paths max-previews'.split(
      ' ',
    );

  it.each(names)('refuses a blank `%s`, which would be one that was left out', (name) => {
    for (const text of [' ', '\n', '\u200b']) {
      given(name, text);
      expect(codes(readInputs), JSON.stringify(text)).toEqual(['USAGE']);
    }
    given(name, '');
    expect(codes(readInputs)).toEqual([]);
  });

  it.each(['only', 'recreate'])('refuses a `%s` of separators alone, which would take every line', (name) => {
    given(name, ' ,\n, ');
    expect(codes(readInputs)).toEqual(['USAGE']);
    given(name, 'dns,\n');
    expect(codes(readInputs)).toEqual([]);
  });
});

describe('a variable of ours', () => {
  const names = [
    'PILOTFISH_CACHE_DIR',
    'PILOTFISH_COMMAND_DEADLINE_MS',
    'PILOTFISH_LEASE_MS',
    'PILOTFISH_LOCK_REMOTE',
    'PILOTFISH_PLUGINS',
    'PILOTFISH_RECEIPTS',
    'PILOTFISH_REQUEST_DEADLINE_MS',
  ];
  it.each(names)('%s is refused where it is blank, and unset where it is empty', (name) => {
    for (const text of blanks)
      expect(
        codes(() => checkVariables({ [name]: text })),
        JSON.stringify(text),
      ).toEqual(['USAGE']);
    expect(codes(() => checkVariables({ [name]: '' }))).toEqual([]);
  });

  it('that is blank ends a run before its first request', async () => {
    const shop = await openShop(planOf(lines.dns));
    const seen = shop.watch();
    for (const name of names) await expect(shop.apply({ env: { [name]: ' ' } }), name).rejects.toMatchObject({ code: 'USAGE' });
    expect(seen.all()).toEqual([]);
    await shop.close();
  });
});

describe('the tool server', () => {
  it.each(bad)('takes %j neither as an approver nor as a param', (text) => {
    expect(approverIn({ name: text, approve: true })).toBe(text === 'ann\r' ? 'ann' : null);
    for (const [params, name] of [
      [planParams, 'scope'],
      [applyParams, 'environment'],
      [destroyParams, 'scope'],
      [planParams, 'directory'],
      [applyParams, 'expect'],
    ] as const)
      expect(params.safeParse({ [name]: text }).success, name).toBe(false);
    for (const params of [planParams, applyParams, destroyParams]) expect(params.safeParse({ only: [text] }).success).toBe(false);
  });
});
