import type { TodoDoc } from '../../engine/init-document.ts';
import type { ProviderBlock, StoredRequest } from '../../http/types.ts';
import type { ResolvedOp } from '../../ops/resolve-op.ts';
import type { CheckBy, Expectation, Setup } from '../../ops/setup.ts';
import { expandPath, namesOf } from '../../remote/template.ts';

/** The read that proves a credential, and how much its answer proves. */
export interface ApiCheck {
  readonly request: StoredRequest;
  /**
   * `line` reads the object that holds a line of the plan. `general` fits every plan. `poor` is general too, because the read for the line
   * waits for a placeholder.
   */
  readonly kind: 'line' | 'general' | 'poor';
  readonly expects: readonly Expectation[];
  /** A sentence about good credentials that the provider refuses here; `null` if a refusal proves a bad credential. */
  readonly refuses: string | null;
  /** The rights that an accepted read does not prove. */
  readonly unproven: string;
}

/** Stands in for `${ctx.*}` outside a run. A text that holds a part of it names an object of one scope, which may not exist. */
const nobody = 'pilotfish-setup-4090001';
export const someContext = { scope: nobody, git: { sha: '4090001'.padStart(40, '0'), branch: nobody }, pr: { number: 4_090_001 } };
const isOfScope = (text: string): boolean => text.includes('4090001');

const order = ['line', 'general', 'poor'];

/**
 * Chooses the check of a line: a read of the object that holds the line if its params are known, otherwise the read that fits every line.
 */
export function checkOf(setup: Setup, block: ProviderBlock | null, resolved: ResolvedOp, todos: readonly TodoDoc[]): ApiCheck | null {
  const unproven = setup.unproven ?? 'the right to write';
  const withSettings = (request: StoredRequest): StoredRequest => {
    const settings = Object.entries(setup.check_query ?? {}).flatMap(([name, setting]) => {
      const value = block?.settings?.[setting];
      return value === undefined ? [] : [[name, value] as const];
    });
    return settings.length === 0 ? request : { ...request, query: { ...request.query, ...Object.fromEntries(settings) } };
  };
  let isPoor = false;
  for (const by of setup.check_by ?? []) {
    if (by.ops && !by.ops.includes(resolved.opName)) continue;
    const filled = fill(by, resolved, todos);
    if (filled === 'placeholder') isPoor = true;
    else if (filled) return { request: withSettings(filled), kind: 'line', expects: [], refuses: null, unproven };
  }
  if (setup.check === null) return null;
  const { check_expects: expects = [], check_refuses: refuses = null } = setup;
  return { request: withSettings(setup.check), kind: isPoor ? 'poor' : 'general', expects, refuses, unproven };
}

/** Chooses the better of two checks of one API, because only one read is sent. */
export const better = (a: ApiCheck | null, b: ApiCheck | null): ApiCheck | null =>
  a && (!b || order.indexOf(a.kind) <= order.indexOf(b.kind)) ? a : b;

/** Fills the request of a check. Returns `null` if a param that it needs comes from another line, belongs to one scope, or is left out. */
function fill({ method, path, query = {}, headers = {} }: CheckBy, { line, op }: ResolvedOp, todos: readonly TodoDoc[]) {
  const textFor = (name: string): string | null => {
    const text = line.textOf([name]);
    if (text !== null) return isOfScope(text) ? null : text;
    const fallback = op.params[name]?.default;
    return line.params[name] === undefined && fallback !== undefined ? String(fallback) : null;
  };
  const known = (template: string): Record<string, string> | null => {
    const entries = namesOf(template).map((name) => [name, textFor(name)] as const);
    return entries.every((entry): entry is readonly [string, string] => entry[1] !== null) ? Object.fromEntries(entries) : null;
  };
  const isPlaceholder = (name: string): boolean => {
    const { line: row } = line.placeOf([name]);
    return line.params[name] !== undefined && todos.some((todo) => todo.line === row);
  };
  const names = [path, ...Object.values(query), ...Object.values(headers)].flatMap(namesOf);
  if (names.some(isPlaceholder)) return 'placeholder';
  const params = known(path);
  if (!params || names.some((name) => op.params[name]?.required && textFor(name) === null)) return null;
  const filled = (texts: { readonly [name: string]: string }): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([key, template]) => {
        const values = known(template);
        return values ? [[key, template.replace(/\{\+?(\w+)\}/g, (_, name: string) => values[name] ?? '')]] : [];
      }),
    );
  const request: StoredRequest = { method, path: expandPath(path, params) };
  return {
    ...request,
    ...(Object.keys(query).length > 0 && { query: filled(query) }),
    ...(Object.keys(headers).length > 0 && { headers: filled(headers) }),
  };
}
