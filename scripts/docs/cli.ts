import { type CommandSpec, type Flag, showFlag } from '../../src/cli/command-spec.ts';
import { commands, exitCodes, globalFlags } from '../../src/cli/flags.ts';
import { usageOf } from '../../src/cli/help.ts';
import { allFlags, type Cell, cellOf, modes } from '../../src/cli/modes.ts';
import { actionInputs, type InputTable, toolParams } from './inputs.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/cli.md`: commands, flags and exit codes, from the table that the parser uses. */
export function cliPage(): string {
  return page(
    '# Command line',
    generatedNote('src/cli/flags.ts'),
    markdownTable(
      ['Command', 'What it does'],
      commands.map((command) => [`[\`pilotfish ${command.name}\`](#pilotfish-${command.name})`, command.doc]),
    ),
    ...commands.map(section),
    '## Everywhere',
    flagTable(globalFlags),
    'Write a time as seconds (`90`) or with a unit (`500ms`, `90s`, `10m`, `1h`), at most 24 hours. pilotfish refuses a flag with an empty or blank value, with a control character, or with too many characters: an unset variable in `--scope "$SCOPE"` would otherwise run with another scope.',
    '## Flags by mode',
    ...modeTable(),
    '## Inputs and params',
    'The inputs of [the action](ci.md#inputs) and the params of [the tools](agents.md) stand for flags. Each has an effect (`yes`), or the run is refused with exit code 2 (`no`). The destroy of a closed pull request removes everything, so it leaves out the inputs that narrow or repeat an apply, and the job says so (`said`).',
    inputTable('Input', actionInputs()),
    inputTable('Param', toolParams()),
    '## Output',
    'The report goes to stdout, everything else to stderr. With `--json` stdout holds exactly one JSON document, also for a mistyped command line. Its `ok` is true if and only if the exit code is 0. Secrets, sensitive outputs and values that do not exist yet are shown as words, never as values.',
    'In a terminal that can redraw, progress is a picture: one row per line with its state, its seconds and the reason of its wait. If the lines do not fit the window, failures and work come first, and the others are counted. A report that does not fit counts the unchanged lines and ends with the failures. A report in a file or a pipe is complete. `--events` gives programs the same as [JSON lines](events.md).',
    'The first SIGINT or SIGTERM lets the run end in order: the run sends no new write, and writes the ledger. A second signal ends the process at once.',
    '## Exit codes',
    markdownTable(['Code', 'Meaning'], exitCodes),
  );
}

/** The table of every flag in every mode: the flag has an effect there, or the mode refuses it. */
function modeTable(): readonly string[] {
  const cells = allFlags.map((flag) => modes.map((mode) => cellOf(flag.name, mode)));
  const notes = new Map<string, string>();
  const shown = allFlags.map((flag, i) => [
    `\`--${flag.name}\``,
    ...(cells[i] ?? []).map((cell) => (cell.is === 'honoured' ? 'yes' : `no${noteOf(notes, cell)}`)),
  ]);
  return [
    'A flag has an effect in a mode (`yes`), or the command refuses it with exit code 2 before it does anything (`no`, with the reason below). No flag is accepted and ignored: [a test](../test/faults/01-flags-in-modes.test.ts) runs each `yes` with and without the flag, and each `no`.',
    markdownTable(['Flag', ...modes.map((mode) => `\`${mode}\``)], shown),
    [...notes].map(([why, sign]) => `${sign}. ${why}`).join('\n'),
  ];
}

const inputTable = (head: string, { columns, rows }: InputTable): string =>
  markdownTable(
    [head, ...columns],
    [...rows].map(([name, cells]) => [`\`${name}\``, ...cells]),
  );

function noteOf(notes: Map<string, string>, { isUnknown, why, instead }: Extract<Cell, { readonly is: 'refused' }>): string {
  if (isUnknown) return '';
  const text = `${why[0] === '`' ? why : (why[0] ?? '').toUpperCase() + why.slice(1)}. ${instead}`;
  const sign = notes.get(text) ?? String(notes.size + 1);
  notes.set(text, sign);
  return ` (${sign})`;
}

const section = (command: CommandSpec): string =>
  [
    `## pilotfish ${command.name}`,
    ...(command.argument ? [`\`${usageOf(command)}\``] : []),
    command.text,
    `\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``,
    flagTable(command.flags),
  ].join('\n\n');

const flagTable = (flags: readonly Flag[]): string =>
  markdownTable(
    ['Flag', 'Meaning', 'Default'],
    flags.map((flag) => [
      `\`${showFlag(flag)}\``,
      `${flag.doc}${flag.choices ? ` One of ${flag.choices.map((choice) => `\`${choice}\``).join(', ')}.` : ''}`,
      flag.default ?? '',
    ]),
  );
