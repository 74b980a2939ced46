/** The machine as a Mermaid state diagram. */
export function stateDiagram(config: unknown): string {
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

type Part = { readonly [key: string]: unknown };

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, key: string): Part => (isPart(value) && isPart(value[key]) ? value[key] : {});
