import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../src/cli/flags.ts';
import { root } from './program.ts';

const page = join(root, 'man/pilotfish.1');
const env = { ...process.env, LANG: 'C.UTF-8', MANWIDTH: '100', MANPAGER: 'cat', TERM: 'dumb' };
const hasMandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']).error === undefined;
const hasMan = spawnSync('man', ['--version']).error === undefined;

it.skipIf(!hasMandoc)(`the manual page has no mistake${hasMandoc ? '' : ' (skipped: needs mandoc)'}`, () => {
  const told = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' }).stdout.trim().split('\n');
  // A date would change with each build of the same sources.
  expect(told.filter((line) => !/WARNING: missing date/.test(line))).toEqual([]);
});

it.skipIf(!hasMan)(`\`man\` shows every command and flag as it is typed${hasMan ? '' : ' (skipped: needs man)'}`, () => {
  const { status, stdout } = spawnSync('man', ['-l', page], { encoding: 'utf8', env });
  expect(status).toBe(0);
  // `man` marks bold letters by writing them twice.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how it marks them
  const text = stdout.replace(/.\u0008/g, '').replace(/\u001b\[[0-9;]*m/g, '');
  for (const { name, flags } of commands) {
    expect(text).toContain(`pilotfish ${name}`);
    for (const flag of flags) expect(text).toContain(`--${flag.name}`);
  }
});
