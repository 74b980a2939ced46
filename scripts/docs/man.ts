import type { CommandSpec, Flag } from '../../src/cli/command-spec.ts';
import { commands, exitCodes, globalFlags } from '../../src/cli/flags.ts';
import { usageOf, wordsOf } from '../../src/cli/help.ts';

/** `man/pilotfish.1`: the manual page, in the macros of man(7), from the table that the parser uses. */
export function manPage(): string {
  return `${[
    '.\\" Made by `node scripts/docs.ts` from src/cli/flags.ts. Do not edit.',
    '.TH PILOTFISH 1 "" "pilotfish" "User Commands"',
    '.SH NAME',
    roff('pilotfish - keeps the state that ships beside a release, as release.plan.yaml says'),
    '.SH SYNOPSIS',
    ...commands.flatMap((command, i) => [...(i === 0 ? [] : ['.br']), `.B ${roff(usageOf(command))}`]),
    '.SH DESCRIPTION',
    roff('A pull request gets a preview deployment. The services around the preview do not follow by themselves.'),
    roff('pilotfish reads release.plan.yaml and makes these services hold the state that ships beside the release.'),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH GLOBAL FLAGS',
    ...globalFlags.flatMap(flagLines),
    '.SH FILES',
    ...item('release.plan.yaml', 'The plan.'),
    ...item('.pilotfish/', 'The last run of this checkout, and a local ledger. Git ignores it.'),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(([code, meaning]) => item(code, meaning)),
    '.SH EXAMPLES',
    ...commands
      .flatMap(({ examples }) => examples.slice(0, 1))
      .flatMap((example, i) => [...(i === 0 ? [] : ['.PP']), '.nf', roff(example), '.fi']),
    '.SH SEE ALSO',
    '.BR git (1)',
  ].join('\n')}\n`;
}

const commandLines = (command: CommandSpec): readonly string[] => [
  `.SS ${roff(`pilotfish ${command.name}`)}`,
  roff(command.text),
  ...wordsOf(command).flatMap(({ name, doc }) => item(`<${name}>`, doc)),
  ...command.flags.flatMap(flagLines),
];

function flagLines({ name, kind, value = 'value', choices, doc, default: otherwise }: Flag): readonly string[] {
  const more = `${choices ? ` One of ${choices.join(', ')}.` : ''}${otherwise ? ` Default: ${otherwise}.` : ''}`;
  const shown = kind === 'switch' ? '' : ` \\fI${roff(value)}\\fR`;
  return ['.TP', `\\fB${roff(`--${name}`)}\\fR${shown}`, roff(`${doc}${more}`)];
}

const item = (name: string, text: string): readonly string[] => ['.TP', `\\fB${roff(name)}\\fR`, roff(text)];

/** Text of ours as roff: a dash is a dash, words in backquotes are bold, and no line begins a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^(?=[.'])/, '\\&');
