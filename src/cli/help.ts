import { type CommandName, type CommandSpec, type Flag, showFlag } from './command-spec.ts';
import { commandNamed, commands, exitCodes, globalFlags } from './flags.ts';

/** The help of pilotfish, or of one command, made from the table of flags. */
export function helpText(name: CommandName | null): string {
  const command = name === null ? undefined : commandNamed(name);
  if (!command) return general();
  const words = wordsOf(command).map(({ name: word, doc }) => [`<${word}>`, doc] as const);
  return sections([
    ['Usage', [usageOf(command)]],
    [null, wrap(command.text, 96)],
    ...(words.length > 0 ? [[words.length > 1 ? 'Arguments' : 'Argument', table(words)] as const] : []),
    ...(command.program ? [['Command', table([['-- <command>', command.program.doc]])] as const] : []),
    ['Flags', table([...command.flags, ...globalFlags.slice(0, 1)].map(flagRow))],
    ['Examples', command.examples],
  ]);
}

function general(): string {
  return sections([
    ['Usage', ['pilotfish <command> [flags]']],
    [null, ['Keeps the state that ships beside a release, as release.plan.yaml says.']],
    ['Commands', table(commands.map((command) => [command.name, command.doc]))],
    ['Flags', table(globalFlags.map(flagRow))],
    ['Exit codes', table(exitCodes)],
    [null, ['`pilotfish <command> --help` shows the flags of a command.']],
  ]);
}

/** `pilotfish show <scope> [flags]`. */
export function usageOf(command: CommandSpec): string {
  const { name, argument, program } = command;
  const words = wordsOf(command).map((word) => (word === argument && !argument.isNeeded ? ` [${word.name}]` : ` <${word.name}>`));
  return `pilotfish ${name}${words.join('')} [flags]${program ? ' [-- <command> [arguments]]' : ''}`;
}

/** The words that stand after a command, in their order. */
export const wordsOf = ({ argument, more = [] }: CommandSpec) => [...(argument ? [argument] : []), ...more];

const flagRow = (flag: Flag): readonly [string, string] => [
  showFlag(flag),
  `${flag.doc}${flag.choices ? ` One of ${flag.choices.join(', ')}.` : ''}${flag.default ? ` Default: ${flag.default}.` : ''}`,
];

function sections(parts: readonly (readonly [string | null, readonly string[]])[]): string {
  const shown = parts.map(([title, lines]) =>
    title === null ? lines.join('\n') : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
  return `${shown.join('\n\n')}\n`;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.flatMap(([left, right]) =>
    wrap(right, Math.max(40, 96 - width)).map((line, index) => `${(index === 0 ? left : '').padEnd(width)}${line}`),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
