import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import { locatePlan } from './locate.ts';
import { decodePlan, readPlanFile } from './read-file.ts';

let root = '';
const at = (...parts: string[]): string => join(root, ...parts);
const put = (text: string | Uint8Array, ...parts: string[]): string => {
  writeFileSync(at(...parts), text);
  return at(...parts);
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'locate-')));
  mkdirSync(at('repo', 'apps', 'web'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw thrown ?? new Error('nothing was thrown');
  return thrown;
};

describe('pilotfish looks for the plan', () => {
  it('from here upwards, the nearest first', async () => {
    mkdirSync(at('repo', '.git'));
    const upper = put('x', 'repo', 'release.plan.yaml');
    expect(await locatePlan(at('repo', 'apps', 'web'), null)).toBe(upper);
    const lower = put('x', 'repo', 'apps', 'release.plan.yaml');
    expect(await locatePlan(at('repo', 'apps', 'web'), null)).toBe(lower);
  });

  it.each(['folder', 'file'])('not beyond the repository root, whose .git is a %s', async (kind) => {
    if (kind === 'folder') mkdirSync(at('repo', '.git'));
    else put('gitdir: elsewhere', 'repo', '.git');
    put('x', 'release.plan.yaml');
    const failure = await failureOf(locatePlan(at('repo', 'apps'), null));
    expect(failure.code).toBe('PLAN_PARSE');
    expect(failure.detail).toContain(at('repo', 'apps'));
    expect(failure.detail).toContain(`up to ${at('repo')}`);
    expect(failure.fix).toContain('pilotfish init');
  });

  it('and names a file of nearly that name', async () => {
    mkdirSync(at('repo', '.git'));
    put('x', 'repo', 'release.plan.yml');
    expect((await failureOf(locatePlan(at('repo'), null))).fix).toContain('--plan release.plan.yml');
  });

  it('where --plan says, from the working directory', async () => {
    const path = put('x', 'repo', 'other.yaml');
    expect(await locatePlan(at('repo', 'apps'), '../other.yaml')).toBe(path);
    expect(await locatePlan(at('repo'), path)).toBe(path);
    expect((await failureOf(locatePlan(at('repo'), 'nope.yaml'))).detail).toContain(at('repo', 'nope.yaml'));
    expect((await failureOf(locatePlan(at('repo'), ''))).code).toBe('USAGE');
  });
});

describe('a file that is no plan has a sentence of its own', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'is empty'],
    ['blank', ' \n\r\n', 'is empty'],
    ['only a byte order mark', '\uFEFF', 'is empty'],
    ['binary', new Uint8Array([0x7f, 0x45, 0, 1]), 'zero byte at offset 2'],
    ['not UTF-8', new Uint8Array([0x61, 0xc3, 0x28]), 'not valid UTF-8'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0]), 'UTF-16'],
    ['over 5 MB', 'a'.repeat(5_000_001), 'larger than 5 MB'],
  ])('%s', async (_what, content, sentence) => {
    const failure = await failureOf(readPlanFile(put(content, 'p.yaml'), 'p.yaml'));
    expect(failure.code).toBe('PLAN_PARSE');
    expect(failure.detail).toContain(sentence);
  });

  it('a directory', async () => expect((await failureOf(readPlanFile(at('repo'), 'repo'))).detail).toContain('is a directory'));

  it('a missing file', async () => expect((await failureOf(readPlanFile(at('nope'), 'nope'))).detail).toContain('no file nope'));

  // The superuser may read everything.
  it.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    const path = put('x', 'p.yaml');
    chmodSync(path, 0o000);
    expect((await failureOf(readPlanFile(path, 'p.yaml'))).detail).toContain('may not be read');
  });

  it('a byte order mark and CRLF are no mistake', () => {
    expect(decodePlan(new TextEncoder().encode('\uFEFFa: 1\r\n'), 'p')).toBe('a: 1\r\n');
  });
});
