import { spawn } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binary, execute, pilotfish, root } from './program.ts';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'pilotfish-program-'));
});
afterAll(async () => {
  await rm(cwd, { recursive: true, force: true });
});

const run = (...args: string[]) => pilotfish(args, { cwd });

describe('the built program', () => {
  it('is executable and begins with a shebang', async () => {
    await access(binary, constants.X_OK);
    expect((await readFile(binary, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it('prints its version, which is that of the package', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('alone prints the help', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('pilotfish <command> [flags]');
  });

  it.each([
    [['aply'], 'Did you mean "apply"?'],
    [['apply', '--scpoe', 'x'], '"--scpoe". Did you mean "--scope"?'],
    [['plan', '--scope'], '`--scope` has no value.'],
    [['plan', '--scope', ''], 'empty value'],
    [['plan', 'extra'], '"extra"'],
    [['apply', '--lease-timeout', 'soon'], '"soon"'],
    [['plan'], 'There is no release.plan.yaml'],
    [['plan', '--plan', 'nowhere.yaml'], 'nowhere.yaml'],
  ])('%j ends with exit code 2 and one sentence, no stack', async (args, words) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
  });

  it.each([
    ['aply', '--json'],
    ['apply', '--json', '--scpoe', 'x'],
    ['plan', '--json', '--scope'],
    ['plan', '--json'],
    ['apply', '--json', '--scope', 'a', '--destroy', '--recreate', 'b'],
  ])('%s %s … gives exactly one JSON document', async (...args) => {
    const { code, stdout } = await run(...args);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, ok: false, error: { fix: expect.any(String) } });
  });

  it('in a folder that was deleted says so in one sentence and exits 2', async () => {
    const gone = join(cwd, 'gone');
    const script = `mkdir "${gone}" && cd "${gone}" && rmdir "${gone}" && exec "${process.execPath}" "${binary}" plan`;
    const { code, stdout, stderr } = await execute('/bin/sh', ['-c', script], { cwd, env: { HOME: cwd } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^USAGE .*\n.*no longer exists/);
    expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
  });

  it('does not mind a reader that closes the pipe', async () => {
    const child = spawn(process.execPath, [binary, 'apply', '--help'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.destroy();
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, stderr]).toEqual([0, '']);
  });

  describe('on a Node that is too old', () => {
    /** Loaded before the program: this Node now says that it is another. */
    const pretend = (version: string) =>
      `data:text/javascript,${encodeURIComponent(`Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`)}`;
    const old = (version: string, ...args: string[]) => pilotfish(args, { cwd, node: ['--import', pretend(version)] });

    it.each(['18.20.8', '20.20.2', '22.18.0'])('%s it says so in one sentence and exits 2', async (version) => {
      const { code, stdout, stderr } = await old(version, 'plan');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe(`pilotfish needs Node 22.19 or later, and this is Node ${version}.\n`);
    });

    it('with --json it is a JSON document', async () => {
      const { code, stdout } = await old('20.0.0', 'plan', '--json');
      expect([code, JSON.parse(stdout).ok]).toEqual([2, false]);
    });

    it.each(['22.19.0', '24.0.0', '26.1.0'])('%s it runs', async (version) => {
      expect((await old(version, '--version')).code).toBe(0);
    });

    it('the entry imports nothing before it looks at the version, and uses no newer syntax', async () => {
      const entry = await readFile(binary, 'utf8');
      expect(entry).not.toMatch(/^\s*import\s*['"{*a-z]/m);
      expect(entry).not.toMatch(/\?\.|\?\?|\bawait\b|\|\|=|#\w+\s*[;=(]/);
    });
  });
});
