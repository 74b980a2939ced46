import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseArgv } from './parse.ts';
import { applyCommand, toRequest } from './request.ts';

const requestOf = (argv: readonly string[]) => {
  const invocation = parseArgv(argv);
  if (invocation.kind !== 'run') throw new Error('no run');
  return toRequest(invocation.flags, { cwd: '/', env: {} });
};

describe('the command of the next step', () => {
  it.each([
    [[]],
    [['--scope', 'pr-12', '--only', 'a', '--only', 'b']],
    [['--destroy', '--env', 'production', '--approved-by', "Ann O'Hara; rm -rf $HOME `x`"]],
    [
      [
        '--plan',
        'my plans/p.yaml',
        '--pr',
        '7',
        '--branch',
        'feat/ü',
        '--sha',
        'abc',
        '--recreate',
        'x',
        '--reconcile',
        '--put-back',
        '--scope=-x',
      ],
    ],
  ])('gives the same flags again through a shell: %j', (flags) => {
    const request = requestOf(['plan', ...flags]);
    const command = applyCommand(request).replace('pilotfish', 'set --');
    const argv = execFileSync('sh', ['-c', `${command}; for word in "$@"; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1);
    expect(requestOf(argv)).toEqual(request);
  });
});
