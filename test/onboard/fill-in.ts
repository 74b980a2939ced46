import { parse } from 'yaml';
import { isMap, type Json } from '../../src/core/json.ts';
import type { ToFill } from './report.ts';

/** Says what belongs in a placeholder; throws where nobody knows. */
export type Knows = (provider: string, param: string) => string;

/**
 * The plan with its placeholders filled in as a person does it who has only the report: at the line that it names, what begins with
 * `your-` gives way to the value, and the mark behind it goes.
 */
export function fillIn(text: string, todos: readonly Pick<ToFill, 'path' | 'line'>[], knows: Knows): string {
  const plan: Json = parse(text);
  const lines = text.split('\n');
  for (const { path, line } of todos) {
    const before = lines[line - 1] ?? '';
    const [provider, param] = placeOf(plan, path);
    const after = before.replace(/\s+# TODO.*$/, '').replace(placeholder, knows(provider, param));
    if (after === before || placeholder.test(after)) throw new Error(`${path} is not a placeholder that a person could fill in: ${before}`);
    lines[line - 1] = after;
  }
  return lines.join('\n');
}

/** Names of the providers that a plan has lines or blocks of. */
export function providersOf(text: string): readonly string[] {
  const plan: Json = parse(text);
  const lines = isMap(plan) && Array.isArray(plan.changes) ? plan.changes : [];
  return [...new Set(lines.map(providerOf))];
}

/** An anchor's name has the same words. */
const placeholder = /(?<![&*\w.-])(?:https?:\/\/)?your-[a-z0-9-]+(?:\.your-[a-z0-9-]+)*/;

/** The provider and the param that a path of the report speaks of: of `changes[0].project_id`, or of `providers.http.okta.base_url`. */
function placeOf(plan: Json, path: string): readonly [provider: string, param: string] {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const param = keys.findLast((key) => !/^\d+$/.test(key)) ?? '';
  if (keys[0] === 'providers') return [keys.at(-2) ?? '', param];
  const line = keys[0] === 'changes' && isMap(plan) && Array.isArray(plan.changes) ? plan.changes[Number(keys[1])] : undefined;
  if (line === undefined) throw new Error(`the plan has nothing at ${path}`);
  return [providerOf(line), param];
}

function providerOf(line: Json): string {
  if (!isMap(line)) throw new Error('a line of the plan is no map');
  const { adapter, recipe } = line;
  if (typeof recipe === 'string') return recipe.split('.')[0] ?? '';
  if (typeof adapter === 'string') return adapter;
  throw new Error('a line of the plan names neither an adapter nor a recipe');
}
