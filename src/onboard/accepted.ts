import type { Failure } from '../core/errors.ts';
import { readParams } from '../ops/params.ts';
import { planFromText } from '../plan/load.ts';
import type { Context } from '../plan/types.ts';
import { type Draft, type DraftedLine, type DraftedValue, placeholder } from './draft.ts';
import { renderLine } from './render.ts';

/** A pull request that has everything. */
const context: Context = {
  environment: 'preview',
  scope: 'pr-1',
  git: { sha: '0'.repeat(40), branch: 'main' },
  pr: { number: 1 },
};

/**
 * The draft with a placeholder in place of each value that `plan` would refuse, such as a text that looks like a secret or an id of
 * another form. Each line is read as the plan reader and its operation read it.
 */
export function accepted<T extends Draft>(draft: T): T {
  // A line is read by itself only where something is refused: most drafts are accepted whole, and each reading costs time.
  return refusedAmong(draft.lines).length === 0 ? draft : { ...draft, lines: draft.lines.map(acceptedLine) };
}

function acceptedLine(line: DraftedLine): DraftedLine {
  const refused = refusedIn(line);
  if (refused.size === 0) return line;
  return { ...line, params: line.params.map(([name, value]) => [name, refused.has(name) ? replaced(line, name, value) : value]) };
}

const head = ['version: 1', 'environments: [preview]', 'changes:'];

/** The lines as rows of a plan. A mark would be the only mistake that is told. */
const rowsOf = (line: DraftedLine): string[] =>
  renderLine(
    { ...line, aside: null, dependsOn: [], params: line.params.map(([name, { value }]) => [name, { value }] as const) },
    { indent: '  ' },
  ).split('\n');

/** The mistakes of a plan that has these lines alone, as the plan reader and each operation find them. */
function refusedAmong(lines: readonly DraftedLine[], rows = lines.flatMap(rowsOf)): readonly Failure[] {
  if (lines.length === 0) return [];
  const { plan, problems } = planFromText([...head, ...rows, ''].join('\n'), { path: '/plan', display: 'plan', context });
  const ops = new Map(lines.map(({ id, op, provider }) => [id, provider.adapter.ops[op]]));
  return [
    ...problems.filter(({ code }) => !code.startsWith('REF_')),
    ...plan.lines.flatMap((read) => {
      const op = ops.get(read.id);
      return op ? readParams(op, read).failures : [];
    }),
  ];
}

/** The params with a mistake, each of which has a row of its own. */
function refusedIn(line: DraftedLine): ReadonlySet<string> {
  const rendered = rowsOf(line);
  const names = new Set<string>();
  for (const { place } of refusedAmong([line], rendered)) {
    const row = place === undefined ? '' : (rendered[place.line - head.length - 1] ?? '');
    const name = /^\s*(?:- )?([\w-]+):/.exec(row)?.[1];
    if (name !== undefined && line.params.some(([one]) => one === name)) names.add(name);
  }
  return names;
}

function replaced({ provider, op, params }: DraftedLine, name: string, { value, todo }: DraftedValue): DraftedValue {
  // A placeholder has no form yet, and nobody is asked to fill in a reference.
  if (todo !== undefined || (typeof value === 'object' && value !== null)) return { value, ...(todo !== undefined && { todo }) };
  const spec = provider.adapter.ops[op]?.params[name];
  const key = params.find(([, one]) => typeof one.value === 'string' && /^[A-Z][A-Z0-9_]*$/.test(one.value))?.[1].value;
  if (spec === undefined || name === 'value' || spec.secret === true) {
    return {
      value: { secret: `env://${typeof key === 'string' ? key : 'YOUR_SECRET'}` },
      todo: 'the variable that holds this value; a plan holds no secret.',
    };
  }
  return placeholder(provider.adapter.name, name, spec, []);
}
