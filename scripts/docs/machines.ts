import { coordinatorMachine } from '../../src/machines/coordinator/coordinator.machine.ts';
import { lineMachine } from '../../src/machines/line/line.machine.ts';
import { parentMachine } from '../../src/machines/parent/parent.machine.ts';
import { readinessMachine } from '../../src/machines/readiness/readiness.machine.ts';
import { generatedNote, page } from './markdown.ts';

/** A machine as its page needs it. */
interface Charted {
  readonly name: string;
  readonly title: string;
  readonly what: string;
  readonly source: string;
  readonly config: unknown;
}

const charted: readonly Charted[] = [
  {
    name: 'line',
    title: 'The line',
    what: 'One line of the plan, from the first look to its record.',
    source: 'src/machines/line/line.machine.ts',
    config: lineMachine.config,
  },
  {
    name: 'parent',
    title: 'The parent',
    what: 'One object that several list items share.',
    source: 'src/machines/parent/parent.machine.ts',
    config: parentMachine.config,
  },
  {
    name: 'readiness',
    title: 'Readiness',
    what: 'Waiting for a deployment, or for an object that becomes ready by itself.',
    source: 'src/machines/readiness/readiness.machine.ts',
    config: readinessMachine.config,
  },
  {
    name: 'coordinator',
    title: 'The coordinator',
    what: 'The run: starts lines when their producers are available, drains on an interrupt.',
    source: 'src/machines/coordinator/coordinator.machine.ts',
    config: coordinatorMachine.config,
  },
];

/** `docs/machines/<name>.md`: each state machine as a diagram, from the configuration that runs. */
export const machinePages = (): readonly (readonly [string, string])[] =>
  charted.map(({ name, title, what, source, config }) => [
    `docs/machines/${name}.md`,
    page(`# ${title}`, generatedNote(source), what, `\`\`\`mermaid\n${stateDiagram(config)}\n\`\`\``),
  ]);

type Part = { readonly [key: string]: unknown };

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, key: string): Part => (isPart(value) && isPart(value[key]) ? value[key] : {});

function stateDiagram(config: unknown): string {
  const states = partOf(config, 'states');
  const initial = isPart(config) ? String(config.initial) : '';
  const lines = ['stateDiagram-v2', `  [*] --> ${initial}`];
  for (const [name, state] of Object.entries(states)) {
    const invoke = partOf(state, 'invoke');
    const source = typeof invoke.src === 'string' ? invoke.src : '';
    if (source !== '' && source !== name) lines.push(`  ${name}: ${name} (${source})`);
    const arrows = new Set<string>();
    for (const [event, to] of Object.entries(partOf(state, 'on'))) for (const arrow of arrowsOf(to, event)) arrows.add(arrow);
    for (const arrow of [
      ...arrowsOf(invoke.onDone, 'done'),
      ...arrowsOf(invoke.onError, 'error'),
      ...arrowsOf(isPart(state) ? state.always : undefined, ''),
    ])
      arrows.add(arrow);
    for (const arrow of arrows) lines.push(`  ${name} --> ${arrow}`);
    if (isPart(state) && state.type === 'final') lines.push(`  ${name} --> [*]`);
  }
  return lines.join('\n');
}

/** `target: event [guard]` of each transition; one without a target stays where it is and is not drawn. */
function arrowsOf(transition: unknown, event: string): string[] {
  if (typeof transition === 'string') return [event === '' ? transition : `${transition}: ${event}`];
  if (Array.isArray(transition)) return transition.flatMap((one) => arrowsOf(one, event));
  if (!isPart(transition) || typeof transition.target !== 'string') return [];
  const text = [event, guardOf(transition.guard)].filter((part) => part !== '').join(' ');
  return [text === '' ? transition.target : `${transition.target}: ${text}`];
}

function guardOf(guard: unknown): string {
  if (typeof guard === 'string') return `[${guard}]`;
  if (!isPart(guard)) return '';
  const want = isPart(guard.params) && Array.isArray(guard.params.want) ? ` ${guard.params.want.join(' or ')}` : '';
  return `[${String(guard.type)}${want}]`;
}
