import type { MachineSource } from './machine-source.ts';
import { initialOf, statesOf, transitionsOf } from './transitions.ts';

/** The machine as a Mermaid state diagram. */
export const stateDiagram = (config: unknown): string => ['stateDiagram-v2', ...diagramLines(config, '')].join('\n');

/** `machines.mmd`: all of them as one Mermaid diagram, a box each. */
export function machinesDiagram(machines: readonly MachineSource[]): string {
  // The names of states count for a whole diagram, and two machines have states of the same name.
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
