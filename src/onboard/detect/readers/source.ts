import type { Use } from '../facts.ts';
import { withoutAddress } from '../paths.ts';

/** The folder of a path; `''` is the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder that a relative path names from another one; `null` outside the repository. Windows' separators count. */
export function folderAt(from: string, relative: string): string | null {
  if (relative.length > longestPath || /^(?:[a-z]:|[\\/]|\w+:\/\/)/i.test(relative)) return null;
  const parts = from === '' ? [] : from.split('/');
  for (const part of relative.split(/[\\/]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

const longestPath = 1000;

/** Gives the line of an offset, from 1. The places of line breaks are found once, when they are first needed. */
export function linesOf(text: string): (offset: number) => number {
  let breaks: number[] | null = null;
  return (offset) => {
    if (breaks === null) {
      breaks = [];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks.push(at);
    }
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** The first line of each name that a pattern finds in its first group. One pass, so that many names cost no more than one. */
export function linesOfNames(text: string, pattern: RegExp): (name: string) => number {
  let lines: Map<string, number> | null = null;
  return (name) => {
    if (lines === null) {
      lines = new Map();
      const lineOf = linesOf(text);
      for (const match of text.matchAll(pattern)) {
        const found = match[1] ?? '';
        if (!lines.has(found)) lines.set(found, lineOf(match.index + match[0].indexOf(found)));
      }
    }
    return lines.get(name) ?? 0;
  };
}

/** The first matches of a pattern. A file with more is no file that a person wrote. */
export function* matchesOf(text: string, pattern: RegExp, most = 5000): Generator<RegExpExecArray> {
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    yield match;
    count += 1;
    if (count >= most) return;
  }
}

/** `"name":` of JSON. */
export const jsonNames = /"([^"\\\n]{1,300})"[ \t]*:/g;

export type CommentStyle = 'slashes' | 'hash' | 'dashes' | 'semicolon';

/**
 * Strings come first, so that a sign of a comment inside one begins none. An escape outside a string is a token too: otherwise each quote of
 * a long row of `\"` would begin a search to the end of its line.
 */
const tokens: { readonly [style in CommentStyle]: RegExp } = {
  slashes: /\\[\s\S]|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'|`[^`\\]*(?:\\[\s\S][^`\\]*)*`|\/\/[^\n]*|\/\*/g,
  hash: /\\[\s\S]|"""|'''|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'|(?<![^\s;,(){}[\]])#[^\n]*/g,
  dashes: /\\[\s\S]|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|--[^\n]*/g,
  semicolon: /\\[\s\S]|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|;[^\n]*/g,
};
/** Ends of what spans lines. */
const ends: { readonly [begin: string]: string } = { '/*': '*/', '"""': '"""', "'''": "'''" };

/** Replaces comments by spaces. Offsets and lines stay. Texts in three quotes stay too. */
export function withoutComments(text: string, style: CommentStyle): string {
  const kept: string[] = [];
  const pattern = new RegExp(tokens[style]);
  let done = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [token] = match;
    const end = ends[token];
    if (end === undefined) {
      if (!/^(?:\/\/|#|--|;)/.test(token)) continue;
      kept.push(text.slice(done, match.index), ' '.repeat(token.length));
      done = pattern.lastIndex;
      continue;
    }
    const closed = text.indexOf(end, pattern.lastIndex);
    // What has no end is no comment. Its next begin would have no end either, and each search goes to the end of the text.
    if (closed < 0) break;
    pattern.lastIndex = closed + end.length;
    if (token !== '/*') continue;
    kept.push(text.slice(done, match.index), text.slice(match.index, pattern.lastIndex).replace(/[^\n]/g, ' '));
    done = pattern.lastIndex;
  }
  return kept.join('') + text.slice(done);
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|playwright|testing|stories)\/|[._-](?:test|spec|stories|story|e2e)\.\w+$|(?:^|\/)test_[\w-]+\.py$|_test\.\w+$|Tests?\.(?:java|kt|cs|php|swift)$|(?:^|\/)conftest\.py$/i;
const localPath = /(?:^|[./_-])(?:local|dev|development|test|testing|ci)(?=[./_-]|$)[^/]*$/i;

/** The machine of a developer, in a container. */
const machine = /(?:^|\/)\.devcontainer\//;

/** Tells whether a path belongs to tests. */
export const isTestPath = (path: string): boolean => testPath.test(withoutAddress(path));

/** The use of a file of settings by its path: `application-test.yml` and `config/environments/development.rb` are not what runs. */
export function useOfSettings(path: string): Use {
  if (isTestPath(path)) return 'develop';
  return machine.test(path) || localPath.test(baseOf(path)) ? 'local' : 'runtime';
}

/** The use of a file of code by its path. */
export function useOfCode(path: string): Use {
  if (isTestPath(path)) return 'develop';
  if (machine.test(path)) return 'local';
  if (/^\.(?:github|circleci|gitlab|buildkite)\//.test(path)) return 'ci';
  return /(?:^|\/)(?:terraform|infra|infrastructure|cdk|pulumi|k8s|helm|charts|deploy)\//i.test(path) ? 'infrastructure' : 'runtime';
}
