import { cac } from 'cac';
import { Failure, Failures } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/nearest.ts';
import { type CommandName, type CommandSpec, type Flag, showFlag } from './command-spec.ts';
import { commandNamed, commands, globalFlags } from './flags.ts';
import { wordsOf } from './help.ts';
import { type FlagValue, readFlag } from './value.ts';

/** The request of a command line. */
export type Invocation =
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'run';
      readonly command: CommandName;
      readonly flags: Flags;
      readonly argument: string | null;
      /** The words after the argument, of a command that takes more. */
      readonly more: readonly string[];
      /** The words after `--`, for a command that starts a program; `null` without `--`. */
      readonly program: readonly string[] | null;
    };

export type Flags = ReadonlyMap<string, FlagValue>;

/** Reads `argv` (without node and script). Throws all mistakes together as `USAGE`, with the words as they were typed. */
export function parseArgv(argv: readonly string[]): Invocation {
  const typed = beforeRest(argv);
  const word = typed[0]?.startsWith('-') === false ? typed[0] : null;
  const command = word === null ? null : commandNamed(word);
  if (word !== null && !command) throw unknownCommand(word);
  if (typed.includes('--help') || typed.includes('-h')) return { kind: 'help', command: command?.name ?? null };
  if (typed.includes('--version') || typed.includes('-v')) return { kind: 'version' };
  if (!command) {
    if (typed.length === 0) return { kind: 'help', command: null };
    throw usage(
      `${quoted(typed[0] ?? '')} stands where a command belongs.`,
      `Begin with a command: ${commands.map((c) => `pilotfish ${c.name}`).join(', ')}.`,
    );
  }
  const unknown = unknownFlags(typed.slice(1), command);
  // cac reads the dots and letters of an unknown flag as names and values of other flags, and may throw because of them.
  const shown = command.program ? typed : argv;
  const readable = shown.filter((token, i) => i >= typed.length || !isUnknown(token, command));
  const read = readWithCac(readable, command, unknown.length > 0);
  const [first, ...others] = [...unknown, ...read.problems];
  if (first) throw others.length === 0 ? first : new Failures([first, ...others]);
  const program = command.program && typed.length < argv.length ? argv.slice(typed.length + 1) : null;
  if (program?.length === 0) {
    throw usage(
      'Nothing stands after `--`.',
      `Write the command to start: \`pilotfish ${command.name} -- npm test\`, or leave \`--\` out.`,
    );
  }
  return { kind: 'run', command: command.name, flags: read.flags, argument: read.argument, more: read.more, program };
}

const beforeRest = (argv: readonly string[]): readonly string[] => {
  const rest = argv.indexOf('--');
  return rest < 0 ? argv : argv.slice(0, rest);
};

const quoted = (text: string): string => `"${text}"`;
const usage = (detail: string, fix: string): Failure => new Failure('USAGE', { detail, fix });

function unknownCommand(word: string): Failure {
  const names = commands.map((command) => command.name);
  const listed = `The commands are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`;
  return usage(`There is no command ${quoted(word)}.${didYouMean(word, names)}`, listed);
}

const isFlag = (token: string): boolean => token.startsWith('-') && token !== '-';

function isUnknown(token: string, command: CommandSpec): boolean {
  const name = token.split('=', 1)[0] ?? token;
  return isFlag(token) && !command.flags.some((flag) => `--${flag.name}` === name);
}

/** Finds unknown flags before cac does, because cac would name them in camel case and not as typed. */
function unknownFlags(typed: readonly string[], command: CommandSpec): Failure[] {
  const known = [...command.flags, ...globalFlags].map((flag) => flag.name);
  const fix = `Run \`pilotfish ${command.name} --help\` for its flags.`;
  const problems: Failure[] = [];
  for (const token of typed) {
    if (!isFlag(token)) continue;
    const equals = token.indexOf('=');
    const name = equals < 0 ? token : token.slice(0, equals);
    if (!name.startsWith('--')) {
      problems.push(usage(`pilotfish ${command.name} has no flag ${quoted(name)}.`, fix));
      continue;
    }
    const bare = name.slice(2);
    const flag = command.flags.find((f) => f.name === bare);
    if (!flag) {
      const meant = didYouMean(bare, known).replace('"', '"--');
      const owners = commands.filter((other) => other.flags.some((f) => f.name === bare)).map((other) => `pilotfish ${other.name}`);
      const elsewhere = owners.length > 0 ? ` It belongs to ${owners.join(' and ')}.` : meant;
      problems.push(usage(`pilotfish ${command.name} has no flag ${quoted(name)}.${elsewhere}`, fix));
    } else if (flag.kind === 'switch' && equals >= 0) {
      problems.push(usage(`${quoted(name)} takes no value.`, `Write ${name} alone, or leave it out.`));
    }
  }
  return problems;
}

interface Read {
  readonly flags: Flags;
  readonly argument: string | null;
  readonly more: readonly string[];
  readonly problems: readonly Failure[];
}

function readWithCac(argv: readonly string[], command: CommandSpec, onlyValues: boolean): Read {
  const cli = cac('pilotfish');
  const spec = cli.command(command.argument ? `${command.name} [...words]` : command.name);
  for (const flag of command.flags) spec.option(showFlag(flag), flag.doc);
  const problems: Failure[] = [];
  // cac expects node and script in front.
  const parsed = cli.parse(['node', 'pilotfish', ...protect(argv)], { run: false });
  const words = [...parsed.args.map((arg) => unprotect(String(arg))), ...restOf(parsed.options['--'])];
  if (!onlyValues) problems.push(...wordFailures(words, command));
  const flags = new Map<string, FlagValue>();
  for (const flag of command.flags) {
    const value = readFlag(flag, textsOf(parsed.options[camelCase(flag.name)], flag));
    if (value instanceof Failure) problems.push(value);
    else if (value !== null) flags.set(flag.name, value);
  }
  return { flags, argument: (command.argument && words[0]) ?? null, more: command.more ? words.slice(1) : [], problems };
}

/** The mistakes in the words that belong to no flag. */
function wordFailures(words: readonly string[], command: CommandSpec): readonly Failure[] {
  const { name, argument, program } = command;
  const all = wordsOf(command);
  const extra = words.slice(all.length);
  const missing = argument?.isNeeded ? all[words.length] : undefined;
  if (missing) {
    const usual = all.map((word) => `<${word.name}>`).join(' ');
    const what = missing === argument ? `a ${missing.name}` : `<${missing.name}>`;
    return [usage(`pilotfish ${name} needs ${what}. ${missing.doc}`, `Write \`pilotfish ${name} ${usual}\`.`)];
  }
  if (extra.length === 0) return [];
  const what = extra.map(quoted).join(', ');
  if (program) {
    const told = `pilotfish ${name} -- ${extra.join(' ')}`;
    return [usage(`pilotfish ${name} takes the command to start after \`--\`, and was given ${what} before it.`, `Write \`${told}\`.`)];
  }
  const takes = all.length > 1 ? `${all.length} words` : argument ? `one ${argument.name}` : 'no argument';
  // `pilotfish plan show`, or the other way around: the word is a command of its own.
  const other = nearest(
    extra[0] ?? '',
    commands.filter((one) => one.name !== name).map((one) => one.name),
  );
  const meant = other === null ? '' : ` \`pilotfish ${other}\` is a command of its own.`;
  return [
    usage(
      `pilotfish ${name} takes ${takes}, and was ${argument ? 'also ' : ''}given ${what}.${meant}`,
      `Remove ${what}, or put the flag that it belongs to before it.`,
    ),
  ];
}

const restOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** cac names `lease-timeout` `leaseTimeout`, and sets `color` to false for `no-color`. */
const camelCase = (name: string): string => name.replace(/^no-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every value of a flag; `null` for a missing value. */
function textsOf(value: unknown, flag: Flag): readonly (string | null)[] {
  if (flag.kind === 'switch') return (flag.name.startsWith('no-') ? value === false : Boolean(value)) ? [''] : [];
  if (value === undefined) return [];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.map((one) => (typeof one === 'string' ? unprotect(one) : null));
}

const mark = '\u0001';

/**
 * Marks every value of the command line, so that cac keeps it as text: without the mark it reads `--scope 007` as 7,
 * `1e3` as 1000 and an empty value as 0, and a scope silently becomes another scope (cac 7.1.0, also with `type: [String]`).
 * Flags, the command word and everything after `--` are left alone.
 */
export function protect(argv: readonly string[]): string[] {
  const rest = argv.indexOf('--');
  const end = rest < 0 ? argv.length : rest;
  return argv.map((token, index) => {
    if (index >= end || index === 0) return token;
    const equals = token.indexOf('=');
    if (token.startsWith('--') && equals > 0) return `${token.slice(0, equals + 1)}${mark}${token.slice(equals + 1)}`;
    return token.startsWith('-') && token !== '-' ? token : `${mark}${token}`;
  });
}

/** Removes the mark from a value. */
export const unprotect = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text);
