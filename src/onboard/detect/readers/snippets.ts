import type { Asked } from '../facts.ts';

/** A place of a text that a service asks for. */
interface SnippetHit {
  readonly kind: 'snippet';
  readonly signal: string;
  readonly offset: number;
}

interface Snippet {
  readonly signal: string;
  readonly pattern: RegExp;
}

/** The snippets by the letters that one of them begins with, and one pattern that finds all of these. */
interface Snippets {
  readonly begins: RegExp;
  readonly byBegin: ReadonlyMap<string, readonly Snippet[]>;
}

const most = 2_000;

/** The texts of trackers and widgets in a file. */
export function snippetsIn(text: string, asked: Asked): readonly SnippetHit[] {
  const { snippets = [] } = asked;
  if (snippets.length === 0) return [];
  const { begins, byBegin } = snippetsOf(snippets);
  const hits: SnippetHit[] = [];
  begins.lastIndex = 0;
  let count = 0;
  for (let match = begins.exec(text); match && count < most; match = begins.exec(text)) {
    count += 1;
    for (const { signal, pattern } of byBegin.get(match[0]) ?? []) {
      pattern.lastIndex = match.index;
      const found = pattern.exec(text)?.[0];
      if (found !== undefined && !isPlaceholder.test(found)) hits.push({ kind: 'snippet', signal, offset: match.index });
    }
    begins.lastIndex = match.index + 1;
  }
  return hits;
}

/** An id of nobody. */
const isPlaceholder = /X{4}|-0{4}|1234|ABCD/;

const known = new WeakMap<readonly string[], Snippets>();

function snippetsOf(snippets: readonly string[]): Snippets {
  const made = known.get(snippets) ?? madeOf(snippets);
  known.set(snippets, made);
  return made;
}

function madeOf(signals: readonly string[]): Snippets {
  const byBegin = Map.groupBy(
    signals.map((signal): Snippet => ({ signal, pattern: patternOf(signal) })),
    ({ signal }) => beginOf(signal),
  );
  // A longer begin stands first, so that a shorter one does not hide it.
  const all = [...byBegin.keys()]
    .sort((a, b) => b.length - a.length)
    .map((begin) => `${/^[\w$]/.test(begin) ? '(?<![\\w$-])' : ''}${escaped(begin)}`);
  return { begins: new RegExp(all.join('|'), 'g'), byBegin };
}

/** The letters and signs before the first one that stands for others or that space may follow. */
const beginOf = (signal: string): string => /^.[\w$.-]*/.exec(signal)?.[0] ?? signal;

/** Parts of a snippet stand in one element of markup. */
function patternOf(signal: string): RegExp {
  const parts = signal.split(' .. ').map((part) => [...part].map(patternOfSign).join(''));
  return new RegExp(`${parts.join('[^<>]{0,400}?')}${/[\w#?*]$/.test(signal) ? '(?![\\w-])' : ''}`, 'y');
}

/** Space is free beside signs. Text within other text has a stroke before its quotes. */
function patternOfSign(sign: string): string {
  if (sign === "'") return '\\\\?["\'`]';
  if (sign === '#') return '\\d+';
  if (sign === '?') return '[A-Z\\d]';
  if (sign === '*') return '[A-Z\\d]*';
  return /[(=,:[{|]/.test(sign) ? `\\s*${escaped(sign)}\\s*` : escaped(sign);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
