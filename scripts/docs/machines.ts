import { machineSources } from '../../src/machines/sources.ts';
import { machineWords } from '../../src/machines/words.ts';
import { stateDiagram } from '../../src/report/trace/machine-source.ts';
import { type Arrow, arrowsOf, descriptionOf, entryOf, initialState, isFinal, namesOf, stateNames } from './machine-config.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/machines/<name>.md`: each state machine as a diagram and as tables, from the configuration that runs. */
export const machinePages = (): readonly (readonly [string, string])[] =>
  machineSources.map(({ name, title, what, config }) => {
    const words = machineWords[name];
    if (!words) throw new Error(`The machine ${name} has no words in src/machines/words.ts.`);
    const source = `src/machines/${name}/${name}.machine.ts and src/machines/words.ts`;
    return [
      `docs/machines/${name}.md`,
      page(
        `# ${title}`,
        generatedNote(source),
        what,
        `\`\`\`mermaid\n${picture(config)}\n\`\`\``,
        'An error that leads to a state which is drawn anyway is left out of the picture; the table has it.',
        '## States',
        statesText(config),
        ...named('Events', 'Event', 'What it tells', words.events, namesOf(config).events),
        ...named('Guards', 'Guard', 'It holds when', words.guards, namesOf(config).guards),
        ...named('Actions', 'Action', 'What it does', words.actions, namesOf(config).actions),
      ),
    ];
  });

/** Draws the machine without its error arrows, because an arrow for each error would hide the usual way. */
function picture(config: unknown): string {
  const lines = stateDiagram(config).split('\n');
  const arrow = (line: string) => /^ {2}(\w+) --> (\w+)(?:: (.*))?$/.exec(line);
  const isError = (line: string): boolean => /^error\b/.test(arrow(line)?.[3] ?? '');
  const reached = new Set(lines.filter((line) => !isError(line)).map((line) => arrow(line)?.[2]));
  return lines.filter((line) => !isError(line) || !reached.has(arrow(line)?.[2])).join('\n');
}

function statesText(config: unknown): string {
  const rows = stateNames(config).map((state) => [
    `\`${state}\`${state === initialState(config) ? ' (first)' : isFinal(config, state) ? ' (end)' : ''}`,
    descriptionOf(config, state),
    [...entered(config, state), ...arrowsOf(config, state).map(shown)].join('; '),
  ]);
  return markdownTable(['State', 'What happens there', 'Where it goes'], rows);
}

const entered = (config: unknown, state: string): readonly string[] => entryOf(config, state).map((action) => `first \`${action}\``);

/** ``error, `isMoved`: to `observing` `` */
function shown({ event, guard, to, actions }: Arrow): string {
  const condition = [event === '' ? 'at once' : `\`${event}\``, ...(guard === '' ? [] : [`\`${guard}\``])].join(', ');
  const does = actions.map((action) => `\`${action}\``).join(', ');
  if (to === null) return `${condition}: ${does}, and it stays`;
  return `${condition}: to \`${to}\`${does === '' ? '' : `, with ${does}`}`;
}

function named(
  title: string,
  head: string,
  meaning: string,
  words: { readonly [name: string]: string },
  names: readonly string[],
): readonly string[] {
  if (names.length === 0) return [];
  return [
    `## ${title}`,
    markdownTable(
      [head, meaning],
      names.map((name) => [`\`${name}\``, words[name] ?? '']),
    ),
  ];
}
