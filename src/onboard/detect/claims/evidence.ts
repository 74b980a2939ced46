import type { Fact } from '../facts.ts';
import type { Evidence } from '../ids.ts';
import { compare } from '../paths.ts';

/** Facts for people: each once, sorted by file. */
export function evidenceOf(facts: readonly Fact[]): readonly Evidence[] {
  const found = new Map(facts.map((fact) => [`${fact.file}\n${wordsOf(fact)}`, { file: fact.file, what: wordsOf(fact) }]));
  return [...found.values()].sort((a, b) => compare(a.file, b.file) || compare(a.what, b.what));
}

/** What a fact is, behind its file: `package stripe`, `host *.neon.tech`; nothing for the file itself. */
function wordsOf({ kind, name }: Fact): string {
  if (kind === 'file') return '';
  if (kind === 'package') return `package ${name.slice(name.indexOf(':') + 1)}`;
  if (kind === 'host') return `host ${name.startsWith('.') ? `*${name}` : name}`;
  if (kind === 'key') return `key ${name.slice(name.indexOf('#') + 2).replaceAll('/', '.')}`;
  if (kind === 'reference') return `secret ${name}`;
  return `${kind} ${name}`;
}
