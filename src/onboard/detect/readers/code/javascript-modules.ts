import type { Asked, Fact } from '../../facts.ts';
import type { Code } from './source-code.ts';

const specifier = /\b(?:from|import|require)\s*\(?\s*["']([@a-z][\w./@-]{1,120})["']/g;

/** The modules of packages that signals name by themselves: `firebase/auth`. */
export function modulesOf(code: Code, asked: Asked): readonly Fact[] {
  if (!anyOf(asked)?.test(code.text)) return [];
  const { modules } = asked;
  const found = new Map<string, Fact>();
  for (const match of code.text.matchAll(specifier)) {
    const name = match[1] ?? '';
    const signal = modules.find((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))));
    if (signal === undefined || found.has(signal) || code.isQuoted(match.index)) continue;
    found.set(signal, { kind: 'module', name: signal, file: code.path, line: code.lineAt(match.index), use: code.use });
  }
  return [...found.values()];
}

const known = new WeakMap<Asked, RegExp | null>();

/** Finds whether a text has the name of any of the modules: one search for all of them. */
function anyOf(asked: Asked): RegExp | null {
  const found = known.get(asked);
  if (found !== undefined) return found;
  const names = asked.modules
    .filter((one) => one.includes('/'))
    .map((one) => one.replace(/\/?\*$/, '').replace(/[\\^$.+?()[\]{}|/]/g, '\\$&'));
  const made = names.length === 0 ? null : new RegExp(names.join('|'));
  known.set(asked, made);
  return made;
}
