import { parse } from 'yaml';
import { isMap, type Json } from '../../src/core/json.ts';
import { type CommentedLine, commentedLines } from '../../src/onboard/commented.ts';
import type { ToFill } from './report.ts';

/** What a person knows who has the accounts. */
export interface Knowledge {
  /** The value of a param at a provider. `placeholder`: what stands there now. */
  valueOf(provider: string, param: string, placeholder?: string): string | undefined;
  /** What takes the place of a word such as `your-app` inside a value. */
  wordFor(placeholder: string): string | undefined;
  /** The account has what the plan names, whatever it is. */
  isOwn(provider: string, param: string): boolean;
}

/**
 * The plan with its placeholders filled in as a person does it who has only the report: at the line that it names, the value or the
 * words in it that begin with `your-` give way, and the mark behind it goes.
 */
export function fillIn(text: string, todos: readonly Pick<ToFill, 'path' | 'line'>[], knowledge: Knowledge): string {
  const plan: Json = parse(text);
  const lines = text.split('\n');
  for (const { path, line } of todos) {
    const before = lines[line - 1] ?? '';
    const [, head, value] = /^(\s*(?:- )?[\w-]+: (?:&\S+ )?)(.+?)\s+# TODO.*$/.exec(before) ?? [];
    if (head === undefined || value === undefined) throw new Error(`${path} is not a placeholder that a person could fill in: ${before}`);
    const [provider, param] = placeOf(plan, path);
    const known = knowledge.valueOf(provider, param, value) ?? withWords(value, knowledge);
    if (known === null) throw new Error(`nobody knows what to write for ${param} of ${provider}: ${before}`);
    lines[line - 1] = `${head}${known}`;
  }
  return lines.join('\n');
}

/**
 * The plan with the lines that stand in it as comments: all of them, or those of the ids. A row of one is a comment whose text is
 * indented, or begins a line or a block; a comment for people is neither. Of several values for one variable the first is taken. The blocks of providers come with the lines that need them.
 */
export function withComments(text: string, ids?: readonly string[]): string {
  const rows = text.split('\n');
  if (ids === undefined) {
    const others = otherWays(text);
    return rows.map((row, i) => (others.some(({ start, end }) => i >= start && i < end) ? row : uncommented(row))).join('\n');
  }
  const own = commentedLines(text).filter(({ id }) => ids.includes(id));
  const blocks = own.map(({ op }) => op.split('.')[0] ?? '');
  let isBlock = false;
  return rows
    .map((row, i) => {
      if (own.some(({ start, end }) => i >= start && i < end)) return uncommented(row);
      const name = /^# +([\w-]+):$/.exec(row)?.[1];
      // A head has nothing beside its name: those of all blocks, and that of one provider.
      const isHead = name === 'providers' || name === 'http';
      if (name !== undefined || !row.startsWith('#')) isBlock = !isHead && name !== undefined && blocks.includes(name);
      return isBlock || (isHead && blocks.length > 0) ? uncommented(row) : row;
    })
    .join('\n');
}

/** The lines that give another value to a variable of which a comment before gives one: of several ways a person takes one. */
function otherWays(text: string): readonly CommentedLine[] {
  const rows = text.split('\n');
  const seen = new Set<string>();
  return commentedLines(text).filter(({ start, end }) => {
    const own = rows.slice(start, end).filter((row) => /^ *# {3}(?!value:)/.test(row));
    const [what, isOther] = [own.join('\n'), own.length < end - start - 2];
    const isTwin = isOther && seen.has(what);
    seen.add(what);
    return isTwin;
  });
}

const uncommented = (row: string): string => row.replace(/^(\s*)# ((?:- id: | {2,}[\w-]+:|providers:$).*)$/, '$1$2');

/** Names of the providers that a plan has lines of. */
export function providersOf(text: string): readonly string[] {
  const plan: Json = parse(text);
  const lines = isMap(plan) && Array.isArray(plan.changes) ? plan.changes : [];
  return [...new Set(lines.map(providerOf))];
}

const placeholder = /\byour-[a-z0-9]+(?:-[a-z0-9]+)*/g;

/** `null` where it has no such word, or one that nobody knows. */
function withWords(value: string, { wordFor }: Knowledge): string | null {
  const words = value.match(placeholder) ?? [];
  if (words.length === 0 || words.some((word) => wordFor(word) === undefined)) return null;
  return value.replace(placeholder, (word) => wordFor(word) ?? word);
}

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
