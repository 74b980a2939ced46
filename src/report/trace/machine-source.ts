import { initialOf, statesOf, transitionsOf } from './transitions.ts';

/** The configuration of a state machine as xstate keeps it: names of states, events, guards, actions and actors, without functions. */
export interface MachineSource {
  readonly name: string;
  readonly title: string;
  readonly what: string;
  readonly config: unknown;
}

/**
 * `machines.ts`: source text that Stately Studio imports. Loading it gives the same states and transitions. Guards, actions and actors are
 * only names there; their code is in the program.
 */
export function machinesText(machines: readonly MachineSource[]): string {
  const parts = machines.map(({ name, what, config }) => {
    // JSON leaves out functions and keeps their names.
    return `/** ${what} */\nexport const ${name}Machine = createMachine(${JSON.stringify(config, null, 2)});\n`;
  });
  return `import { createMachine } from 'xstate';\n\n${parts.join('\n')}`;
}

/** The machine as a Mermaid state diagram. */
export const stateDiagram = (config: unknown): string => ['stateDiagram-v2', ...diagramLines(config, '')].join('\n');

/** `machines.mmd`: all machines as one Mermaid diagram, each in a box. */
export function machinesDiagram(machines: readonly MachineSource[]): string {
  // Mermaid shares the names of states across the whole diagram, and two machines have states of the same name.
  const boxes = machines.map(({ name, title, config }) => {
    const inside = diagramLines(config, `${name}_`).map((line) => `  ${line}\n`);
    return `  state "${title}" as ${name} {\n${inside.join('')}  }\n`;
  });
  return `stateDiagram-v2\n${boxes.join('')}`;
}

function diagramLines(config: unknown, prefix: string): readonly string[] {
  const arrows = Map.groupBy(transitionsOf(config), ({ from }) => from);
  const lines = [`  [*] --> ${prefix}${initialOf(config)}`];
  for (const { name, work, isFinal } of statesOf(config)) {
    const shown = work !== '' && work !== name ? `${name} (${work})` : name;
    if (prefix + name !== shown) lines.push(`  ${prefix}${name}: ${shown}`);
    const texts = (arrows.get(name) ?? []).map(({ to, event, guard }) => {
      const text = [event, guard].filter((part) => part !== '').join(' ');
      return `${prefix}${to}${text === '' ? '' : `: ${text}`}`;
    });
    for (const text of new Set(texts)) lines.push(`  ${prefix}${name} --> ${text}`);
    if (isFinal) lines.push(`  ${prefix}${name} --> [*]`);
  }
  return lines;
}
