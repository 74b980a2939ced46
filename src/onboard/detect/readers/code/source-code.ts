import type { SourceFile, Use } from '../../facts.ts';
import { withoutAddress } from '../../paths.ts';

/** How a language writes comments, and texts that are documentation. */
export type Comments = 'slashes' | 'php' | 'hash' | 'python' | 'ruby' | 'elixir';

/** A file of code without its comments. Offsets and lines are those of the file. */
export interface Code {
  readonly path: string;
  /** Comments and documentation are spaces. */
  readonly text: string;
  readonly use: Use;
  /** Tells whether an offset lies inside a quoted text, which only tells of code. */
  readonly isQuoted: (at: number) => boolean;
  readonly lineAt: (at: number) => number;
}

/**
 * A quoted text ends with its line at the latest, so an apostrophe in markup hides little. The pattern for each language takes the
 * beginning of what spans lines (a block comment, a text in three quotes) as a token of its own; `closings` has its end.
 */
const tokens: { readonly [style in Comments]: RegExp } = {
  slashes: /\/\/|\/\*|<!--|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g,
  php: /\/\/|\/\*|#(?!\[)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g,
  hash: /#|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g,
  python: /#|"""|'''|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g,
  ruby: /#(?!\{)|^=begin\b|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/gm,
  elixir: /#(?!\{)|"""|"(?:[^"\\\n]|\\.)*"?/g,
};

const closings: { readonly [opening: string]: string } = { '/*': '*/', '<!--': '-->', '"""': '"""', "'''": "'''", '=begin': '\n=end' };

/** A sign of a comment stands behind a space, a bracket or the end of a statement, and not in an address or a pattern of paths. */
const mayBegin = /[\s;{}(),[\]>=:&|]/;

/** Takes the comments out of a file, in one pass. */
export function codeOf({ path, text }: SourceFile, comments: Comments): Code {
  const pattern = new RegExp(tokens[comments]);
  const kept: string[] = [];
  const quoted: number[] = [];
  const unclosed = new Set<string>();
  let done = 0;
  const blank = (from: number, to: number): void => {
    kept.push(text.slice(done, from), text.slice(from, to).replace(/[^\n]/g, ' '));
    done = to;
    pattern.lastIndex = to;
  };
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [token] = match;
    const at = match.index;
    const closing = closings[token];
    if (token === '//' || token === '#') {
      const before = text[at - 1] ?? '\n';
      if (token === '//' ? mayBegin.test(before) && before !== ':' : /[\s;,(){}[\]]/.test(before)) blank(at, lineEnd(text, at));
    } else if (closing !== undefined) {
      if (unclosed.has(token) || !begins(text, at, token)) continue;
      const end = text.indexOf(closing, pattern.lastIndex);
      // Without an end here no later one has an end either, and each search would go to the end of the file.
      if (end < 0) unclosed.add(token);
      else if (isDocumentation(text, at, token)) blank(at, end + closing.length);
      else {
        quoted.push(at, end);
        pattern.lastIndex = end + closing.length;
      }
    } else if (token.length > 1 && token.endsWith(token[0] ?? '')) {
      quoted.push(at, pattern.lastIndex - 1);
    }
  }
  const clean = kept.join('') + text.slice(done);
  return { path, text: clean, use: useOf(path), isQuoted: (at) => isInside(quoted, at), lineAt: linesOf(text) };
}

/** A slash and a star in a pattern of paths begin no comment. */
const begins = (text: string, at: number, token: string): boolean =>
  token !== '/*' || (mayBegin.test(text[at - 1] ?? '\n') && text[at - 1] !== '}');

/** A text in three quotes is documentation where it stands alone, or behind an attribute such as `@doc`. Others are values. */
function isDocumentation(text: string, at: number, token: string): boolean {
  if (token !== '"""' && token !== "'''") return true;
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\s*(?:[rRuUbB]{0,2}|@(?:module|type)?doc\s+(?:~[sS])?)$/.test(before);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** `ranges`: begins and ends in turn, in order. An offset at the begin itself is outside. */
function isInside(ranges: readonly number[], at: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** Gives the line of an offset, from 1. The places of line breaks are found once, when they are first needed. */
function linesOf(text: string): (at: number) => number {
  let breaks: number[] | null = null;
  return (at) => {
    if (breaks === null) {
      breaks = [];
      for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) breaks.push(next);
    }
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|e2e|cypress|playwright|testing|stories|mocks|fixtures)\/|[._-](?:test|tests|spec|stories|story|e2e|bench)\.\w+$|(?:^|\/)(?:test_[\w-]+|conftest)\.py$|_test\.\w+$|(?:Tests?|IT|Spec)\.(?:java|kt|cs|php|swift|scala|groovy)$|(?:^|\/)(?:jest|vitest|playwright|cypress|karma)[.-][\w.-]*$/;

/** The use of a file of code, by its path. */
export function useOf(file: string): Use {
  const path = withoutAddress(file);
  if (testPath.test(path)) return 'develop';
  if (/^\.(?:github|circleci|gitlab|buildkite)\//.test(path)) return 'ci';
  if (/(?:^|\/)(?:scripts?|tools?|tooling|bin|bench|benchmarks?|dev)\//.test(path) && !/(?:^|\/)src\//.test(path)) return 'develop';
  return /(?:^|\/)(?:terraform|infra|infrastructure|cdk|pulumi|k8s|helm|charts)\//.test(path) ? 'infrastructure' : 'runtime';
}

/** A file that a tool made holds no names that a person chose, and its long lines cost much. */
export const isMade = ({ path, text }: SourceFile): boolean =>
  /\.min\.\w+$|\.d\.[cm]?ts$|(?:^|\/)(?:\.yarn|\.next|\.nuxt|\.svelte-kit|\.output|_generated|generated|gen)\//.test(path) ||
  (text.length > 20_000 && text.slice(0, 20_000).split('\n').length < 20);
