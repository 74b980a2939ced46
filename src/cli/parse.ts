import { Failure, Failures } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { type CommandName, type CommandSpec, commandNamed, commands, globalFlags } from './flags.ts';
import { type FlagValue, readFlag } from './value.ts';

/** What the command line asks for. */
export type Invocation =
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: CommandName; readonly flags: Flags };

export type Flags = ReadonlyMap<string, FlagValue>;

/** Reads `argv` (without node and script). All mistakes are reported together, as `USAGE`, in the words that were typed. */
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
  const given = readTokens(argv.slice(1), command);
  const problems = [...given.unknown];
  if (problems.length === 0 && given.extra.length > 0) problems.push(tooMany(given.extra, command));
  const flags = new Map<string, FlagValue>();
  for (const flag of command.flags) {
    const value = readFlag(flag, given.texts.get(flag.name) ?? []);
    if (value instanceof Failure) problems.push(value);
    else if (value !== null) flags.set(flag.name, value);
  }
  const [first, ...others] = problems;
  if (first) throw others.length === 0 ? first : new Failures([first, ...others]);
  return { kind: 'run', command: command.name, flags };
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

/** What was given after the command: a flag's values, `null` for one that is missing, and what belongs to no flag. */
interface Given {
  readonly texts: ReadonlyMap<string, readonly (string | null)[]>;
  readonly extra: readonly string[];
  /** A mistake for each flag that the command does not have, or that has a value and takes none. */
  readonly unknown: readonly Failure[];
}

/**
 * A value is the word after its flag, unless that begins with a dash, and stays the text that was typed. cac made a number of
 * `--scope 007`; `parseArgs` of `node:util` takes the next flag for a value, and tells of it only in words of its own.
 */
function readTokens(argv: readonly string[], command: CommandSpec): Given {
  const texts = new Map<string, (string | null)[]>();
  const unknown: Failure[] = [];
  const words = beforeRest(argv);
  const extra = argv.slice(words.length + 1);
  const before: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const [name = word, value = null] = word.split(/=(.*)/s, 2);
    const flag = command.flags.find((one) => `--${one.name}` === name);
    if (!isFlag(word)) before.push(word);
    else if (!flag) unknown.push(unknownFlag(name, command));
    else if (flag.kind === 'switch') {
      texts.set(flag.name, ['']);
      if (value !== null) unknown.push(usage(`${quoted(name)} takes no value.`, `Write ${name} alone, or leave it out.`));
    } else {
      const next = words[i + 1];
      const takesNext = value === null && next !== undefined && !isFlag(next);
      if (takesNext) i += 1;
      texts.set(flag.name, [...(texts.get(flag.name) ?? []), takesNext ? next : value]);
    }
  }
  return { texts, extra: [...before, ...extra], unknown };
}

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-';

function unknownFlag(name: string, command: CommandSpec): Failure {
  const bare = name.slice(2);
  const owners = commands.filter((other) => other.flags.some((flag) => flag.name === bare)).map((other) => `pilotfish ${other.name}`);
  const known = [...command.flags, ...globalFlags].map((flag) => flag.name);
  const meant = name.startsWith('--') ? didYouMean(bare, known).replace('"', '"--') : '';
  const elsewhere = name.startsWith('--') && owners.length > 0 ? ` It belongs to ${owners.join(' and ')}.` : meant;
  return usage(
    `pilotfish ${command.name} has no flag ${quoted(name)}.${elsewhere}`,
    `Run \`pilotfish ${command.name} --help\` for its flags.`,
  );
}

function tooMany(extra: readonly string[], command: CommandSpec): Failure {
  const what = extra.map(quoted).join(', ');
  return usage(
    `pilotfish ${command.name} takes no argument, and was given ${what}.`,
    `Remove ${what}, or put the flag that it belongs to before it.`,
  );
}
