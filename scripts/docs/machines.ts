import { stateDiagram } from '../../src/report/trace/state-diagram.ts';
import { machineSources } from '../../src/run/machine-sources.ts';
import { generatedNote, page } from './markdown.ts';

/** `docs/machines/<name>.md`: each state machine as a diagram, from the configuration that runs. */
export const machinePages = (): readonly (readonly [string, string])[] =>
  machineSources.map(({ name, title, what, config }) => [
    `docs/machines/${name}.md`,
    page(`# ${title}`, generatedNote(`src/machines/${name}/${name}.machine.ts`), what, `\`\`\`mermaid\n${stateDiagram(config)}\n\`\`\``),
  ]);
