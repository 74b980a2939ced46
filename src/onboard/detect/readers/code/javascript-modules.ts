import type { Asked, Fact } from '../../facts.ts';
import type { Code } from './source-code.ts';

const specifier = /\b(?:from|import|require)\s*\(?\s*["']([@a-z][\w./@-]{1,120})["']/g;

/** The modules of packages that signals name by themselves: `firebase/auth`. */
export function modulesOf(code: Code, { modules }: Asked): readonly Fact[] {
  if (!modules.some((one) => one.includes('/') && code.text.includes(one.replace(/\/?\*$/, '')))) return [];
  const found = new Map<string, Fact>();
  for (const match of code.text.matchAll(specifier)) {
    const name = match[1] ?? '';
    const signal = modules.find((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))));
    if (signal === undefined || found.has(signal) || code.isQuoted(match.index)) continue;
    found.set(signal, { kind: 'module', name: signal, file: code.path, line: code.lineAt(match.index), use: code.use });
  }
  return [...found.values()];
}
