import { describe, expect, it } from 'vitest';
import { Failure, Failures } from '../core/errors.ts';
import { parseArgv } from './parse.ts';

const flagsOf = (...argv: string[]) => {
  const invocation = parseArgv(argv);
  return invocation.kind === 'run' ? Object.fromEntries(invocation.flags) : invocation;
};

const mistakes = (...argv: string[]): readonly Failure[] => {
  try {
    parseArgv(argv);
  } catch (thrown) {
    if (thrown instanceof Failures) return thrown.failures;
    if (thrown instanceof Failure) return [thrown];
    throw thrown;
  }
  return [];
};
const details = (...argv: string[]) => mistakes(...argv).map((failure) => failure.detail);

describe('values of flags', () => {
  it.each(['007', '1e3', '0x10', '-0', 'true', '1.10', '00', 'a=b', ' x '])('%j stays as it was typed', (scope) => {
    expect(flagsOf('plan', `--scope=${scope}`)).toEqual({ scope });
    if (!scope.startsWith('-')) expect(flagsOf('plan', '--scope', scope)).toEqual({ scope });
  });

  it('a repeated flag keeps all its values in order, and a single value is a list too', () => {
    expect(flagsOf('plan', '--only', '1', '--only', 'b')).toEqual({ only: ['1', 'b'] });
    expect(flagsOf('plan', '--recreate', 'a')).toEqual({ recreate: ['a'] });
  });

  it.each([
    ['90', 90_000],
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
    ['500ms', 500],
    ['0', 0],
  ])('the time %s is %d ms', (text, ms) => {
    expect(flagsOf('apply', '--lease-timeout', text)).toEqual({ 'lease-timeout': ms });
  });

  it.each(['soon', '1.5m', '25h', '-1', '10 m', ''])('the time %j is refused', (text) => {
    expect(details('apply', `--wait-timeout=${text}`)).toHaveLength(1);
  });

  it('a pull request is a whole number above zero', () => {
    expect(flagsOf('plan', '--pr', '12')).toEqual({ pr: 12 });
    for (const text of ['0', '012', '1e3', 'pr-12', '1.0']) expect(details('plan', '--pr', text)[0]).toContain(`"${text}"`);
  });

  it('a choice must be one of its values, and the error names the nearest', () => {
    expect(flagsOf('plan', '--progress', 'live')).toEqual({ progress: 'live' });
    expect(details('plan', '--progress', 'pain')).toEqual(['`--progress` is "pain". Did you mean "plain"?']);
  });

  it('switches are present or not, --no-color among them', () => {
    expect(flagsOf('apply', '--json', '--destroy', '--no-color')).toEqual({ json: true, destroy: true, 'no-color': true });
    expect(flagsOf('apply')).toEqual({});
  });
});

describe('mistakes', () => {
  it('an unknown command names the nearest one', () => {
    expect(details('aply')).toEqual(['There is no command "aply". Did you mean "apply"?']);
  });

  it('an unknown flag is named as it was typed, with the nearest one', () => {
    expect(details('apply', '--scpoe', 'x')).toEqual(['pilotfish apply has no flag "--scpoe". Did you mean "--scope"?']);
    expect(details('apply', '--lease-time-out', 'x')).toEqual([
      'pilotfish apply has no flag "--lease-time-out". Did you mean "--lease-timeout"?',
    ]);
    expect(details('apply', '--leaseTimeout', '5')[0]).toContain('"--leaseTimeout"');
    expect(details('plan', '--no-json')[0]).toContain('"--no-json"');
    expect(details('plan', '-x')[0]).toContain('"-x"');
    expect(details('plan', '--__proto__=1')[0]).toContain('"--__proto__"');
  });

  it('a flag of another command says whose it is', () => {
    expect(details('apply', '-no-color.')).toEqual(['pilotfish apply has no flag "-no-color.".']);
    expect(details('apply', '--json.a=1', '--scope', 'x')).toEqual([expect.stringContaining('no flag "--json.a"')]);
    expect(details('plan', '--expect', 'abc')).toEqual(['pilotfish plan has no flag "--expect". It belongs to pilotfish apply.']);
  });

  it('a missing value, an empty value and a value given twice are refused', () => {
    expect(details('plan', '--scope')).toEqual(['`--scope` has no value.']);
    expect(details('plan', '--scope', '--json')).toEqual(['`--scope` has no value.']);
    expect(details('plan', '--scope', '')).toEqual(['`--scope` has an empty value.']);
    expect(details('plan', '--only', 'a', '--only=')).toEqual(['`--only` has an empty value.']);
    expect(details('plan', '--scope', 'a', '--scope', 'b')).toEqual(['`--scope` occurs 2 times: a, b.']);
  });

  it('a switch takes no value, and takes no argument for one', () => {
    expect(details('apply', '--destroy=false')).toEqual(['"--destroy" takes no value.']);
    expect(details('apply', '--destroy', 'false')).toEqual(['pilotfish apply takes no argument, and was given "false".']);
  });

  it('extra arguments are named, after -- too', () => {
    expect(details('plan', 'one', '--', 'two', '--json')).toEqual([
      'pilotfish plan takes no argument, and was given "one", "two", "--json".',
    ]);
  });

  it('all mistakes are reported together', () => {
    expect(mistakes('apply', '--scpoe', '--pr', 'x', '--progress', 'y').map((failure) => failure.code)).toEqual([
      'USAGE',
      'USAGE',
      'USAGE',
    ]);
  });

  it('a flag in front of the command asks for a command', () => {
    expect(details('--json', 'plan')).toEqual(['"--json" stands where a command belongs.']);
  });
});

describe('help and version', () => {
  it('no argument at all asks for help', () => {
    expect(parseArgv([])).toEqual({ kind: 'help', command: null });
  });

  it('help of a command wins over its mistakes', () => {
    expect(parseArgv(['plan', '--help', '--scpoe'])).toEqual({ kind: 'help', command: 'plan' });
    expect(parseArgv(['-h'])).toEqual({ kind: 'help', command: null });
  });

  it('--version asks for the version', () => {
    expect(parseArgv(['--version'])).toEqual({ kind: 'version' });
    expect(parseArgv(['-v', '--json'])).toEqual({ kind: 'version' });
  });

  it('an argument after -- asks for nothing', () => {
    expect(details('plan', '--', '--help')).toHaveLength(1);
  });
});
