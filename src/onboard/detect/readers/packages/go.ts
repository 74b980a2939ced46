import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, withoutComments } from '../source.ts';

/** A signal names a module without its major version: `github.com/stripe/stripe-go`. */
const bareModule = (path: string): string => path.replace(/\/v\d+$/, '').replace(/^(gopkg\.in\/.+)\.v\d+$/, '$1');

/** Lines of `go.mod` and `go.work`, each with the word of its block before it. */
function* directives(text: string): Generator<{ readonly words: readonly string[]; readonly rest: string; readonly line: number }> {
  let block: string | null = null;
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.slice(0, 2000);
    const comment = line.indexOf('//');
    const words = (comment < 0 ? line : line.slice(0, comment)).trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) continue;
    if (words[0] === ')') block = null;
    else if (words[1] === '(' || words[0]?.endsWith('(')) block = words[0]?.replace('(', '') ?? null;
    else yield { words: block === null ? words : [block, ...words], rest: comment < 0 ? '' : line.slice(comment), line: i + 1 };
  }
}

export const goMod: FactReader = {
  name: 'go.mod',
  takes: (path) => baseOf(path) === 'go.mod',
  endings: ['mod'],
  read: (file) => {
    const listing = new Listing(file, 'go');
    let name: string | null = null;
    const tools = new Set<string>();
    const required: { readonly path: string; readonly line: number }[] = [];
    for (const { words, rest, line } of directives(file.text)) {
      const [verb, path = ''] = words;
      if (verb === 'module') name = path.replaceAll('"', '');
      if (verb === 'tool') tools.add(path);
      if (verb === 'require' && !/\/\/\s*indirect/.test(rest)) required.push({ path, line });
      const target = words[words.indexOf('=>') + 1] ?? '';
      if (verb === 'replace' && /^\.{1,2}(?:\/|$)/.test(target)) listing.reference(folderAt(folderOf(file.path), target));
    }
    const started = [...tools];
    for (const { path, line } of required.slice(0, 5000)) {
      const isTool = started.slice(0, 100).some((tool) => tool === path || tool.startsWith(`${path}/`));
      listing.package(bareModule(path), isTool ? 'develop' : 'runtime', line);
    }
    return listing.reading({ name });
  },
};

export const goWork: FactReader = {
  name: 'go.work',
  takes: (path) => baseOf(path) === 'go.work',
  endings: ['work'],
  read: (file) => {
    const listing = new Listing(file, 'go');
    for (const { words } of directives(withoutComments(file.text, 'slashes'))) {
      if (words[0] === 'use') listing.member((words[1] ?? '').replaceAll('"', ''));
    }
    return listing.reading();
  },
};
