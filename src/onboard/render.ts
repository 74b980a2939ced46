import { stringify } from 'yaml';
import { isMap, type Json } from '../core/json.ts';
import type { Draft, DraftedBlock, DraftedLine, DraftedValue, DraftProvider } from './draft.ts';

export interface RenderOptions {
  /** The path of the editor schema from the plan's folder; `null` if there is none. */
  readonly schema: string | null;
}

/** Writes a drafted plan for people. A comment above each line says why it is there, and placeholders are marked `# TODO`. */
export function renderPlan({ blocks, lines }: Pick<Draft, 'blocks' | 'lines'>, { schema }: RenderOptions): string {
  const anchors = new Anchors([...blocks.filter(({ isAside }) => !isAside).flatMap(({ keys }) => keys), ...valuesOf(lines)]);
  const head = [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
    '# What every preview of this repository needs beside its build. `pilotfish plan` shows what would be done,',
    '# `pilotfish apply` does it, `pilotfish apply --destroy` removes it again.',
    'version: 1',
    // Each line names its object after the scope of a preview, and production has objects of its own.
    'environments: [preview]',
  ].join('\n');
  const changes =
    lines.length === 0 ? 'changes: []' : `changes:\n${lines.map((line) => renderLine(line, { indent: '  ', anchors })).join('\n\n')}`;
  return `${[head, ...renderBlocks(blocks, anchors), changes].join('\n\n')}\n`;
}

interface RenderLineOptions {
  readonly indent: string;
  readonly anchors?: Anchors | null;
  /** The environment that the line is for; `null` if that is said for the whole plan. */
  readonly environment?: string | null;
}

/**
 * Writes one line with its comment, without empty lines around it. Without `anchors`, a repeated placeholder is written in full each time.
 */
export function renderLine(line: DraftedLine, { indent, anchors = null, environment = null }: RenderLineOptions): string {
  const keys: readonly (readonly [string, string])[] = [
    ['id', flow(line.id)],
    ...headOf(line.provider, line.op),
    ...line.params.map(([name, value]) => [name, shown(value, line.aside === null ? anchors : null)] as const),
    ...(line.dependsOn.length === 0 ? [] : [['depends_on', flow([...line.dependsOn])] as const]),
    ...(environment === null ? [] : [['environments', flow([environment])] as const]),
  ];
  const body = keys.map(([key, value], i) => `${i === 0 ? '- ' : '  '}${key}: ${value}`);
  // The caller puts an empty line after each line. It ends a comment, so that a TODO in the comment never counts for the line below.
  const rows =
    line.aside === null
      ? [`# ${line.comment}`, ...body]
      : [`# ${line.comment} ${withoutMarks(line.aside)}`, ...body.map((text) => `# ${text}`)];
  return rows.map((text) => indent + text).join('\n');
}

/** Writes the blocks under `providers`. A block that only comments need is a comment. */
function renderBlocks(blocks: readonly DraftedBlock[], anchors: Anchors): readonly string[] {
  if (blocks.length === 0) return [];
  const rows = (isRecipe: boolean, isAside: boolean, indent: string): string[] =>
    blocks
      .filter((block) => block.provider.isRecipe === isRecipe && block.isAside === isAside)
      .flatMap((block) => blockRows(block, isAside ? null : anchors).map((row) => `${isAside ? '# ' : ''}${indent}${row}`));
  const own = [...rows(false, false, '  '), ...rows(false, true, '  ')];
  const recipes = [...rows(true, false, '    '), ...rows(true, true, '    ')];
  const isLive = (isRecipe: boolean) => blocks.some((block) => block.provider.isRecipe === isRecipe && !block.isAside);
  const http = recipes.length === 0 ? [] : [isLive(true) ? '  http:' : '#   http:', ...recipes];
  return [[isLive(true) || isLive(false) ? 'providers:' : '# providers:', ...own, ...http].join('\n')];
}

/** A provider's block, its name first. */
export const blockRows = ({ provider, keys }: DraftedBlock, anchors: Anchors | null = null): readonly string[] => [
  `${provider.adapter.name}:`,
  ...keys.map(([key, value]) => `  ${key}: ${shown(value, anchors)}`),
];

const headOf = ({ adapter, isRecipe }: DraftProvider, op: string): readonly (readonly [string, string])[] =>
  isRecipe
    ? [['recipe', `${adapter.name}.${op}`]]
    : [
        ['adapter', adapter.name],
        ['op', op],
      ];

/** Writes a value with its hint on one line. A repeated placeholder is filled in at its first place. */
function shown({ value, todo, check }: DraftedValue, anchors: Anchors | null): string {
  const anchor = todo === undefined ? null : (anchors?.of(value) ?? null);
  if (anchor?.isDone) return `*${anchor.name}`;
  const hint = todo === undefined ? (check === undefined ? '' : ` # CHECK: ${oneLine(check)}`) : ` # TODO: ${oneLine(todo)}`;
  const name = anchor ? `&${anchor.name} ` : '';
  return `${name}${flow(value)}${hint}`;
}

/** A reason quotes names of the repository, and none of them may end the comment or mark a value. */
const withoutMarks = (text: string): string => oneLine(text).replaceAll('#', '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Writes a value on one row, as people write it. */
function flow(value: Json, isInside = false): string {
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, true)).join(', ')}]`;
  if (!isMap(value))
    return stringify(value, { lineWidth: 0, defaultStringType: 'PLAIN', ...(isInside && { collectionStyle: 'flow' }) }).trimEnd();
  const entries = Object.entries(value).map(([key, inner]) => `${flow(key, true)}: ${flow(inner, true)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const valuesOf = (lines: readonly DraftedLine[]): readonly (readonly [string, DraftedValue])[] =>
  lines.filter(({ aside }) => aside === null).flatMap(({ params }) => params);

/** Placeholders that occur several times. The first place has an anchor, and the others refer to it. */
export class Anchors {
  readonly #names = new Map<string, { readonly name: string; isDone: boolean }>();

  constructor(values: readonly (readonly [name: string, value: DraftedValue])[]) {
    const seen = new Set<string>();
    for (const [, { value, todo }] of values) {
      if (todo === undefined || typeof value !== 'string') continue;
      if (seen.has(value) && !this.#names.has(value)) this.#names.set(value, { name: nameOf(value), isDone: false });
      seen.add(value);
    }
  }

  /** The anchor of a placeholder, and whether it was named before. */
  of(value: Json): { readonly name: string; readonly isDone: boolean } | null {
    const known = typeof value === 'string' ? this.#names.get(value) : undefined;
    if (!known) return null;
    const answer = { ...known };
    known.isDone = true;
    return answer;
  }
}

const nameOf = (value: string): string =>
  value
    .replace(/\$\{[^}]*\}/g, '')
    .replace(/^(?:https:\/\/)?your-/, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
