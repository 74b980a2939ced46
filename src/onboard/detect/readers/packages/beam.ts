import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOf, linesOfNames, withoutComments } from '../source.ts';
import { mapOf, textOf, tomlOf } from './json.ts';

/** A dependency of Mix: `{:stripity_stripe, "~> 3.2", only: :prod}`. Other tuples have neither a version nor these options behind the name. */
const dependency =
  /\{\s*:([a-z]\w*)\s*,\s*(?=["~>]|(?:path|git|github|hex|in_umbrella|only|optional|override|runtime|organization|repo|env|sparse|compile|app|manager|targets|branch|tag|ref):)([^{}]{0,2000})\}/g;

/** A project of Mix. An umbrella has its projects in the folder that `apps_path` names. */
export const mixExs: FactReader = {
  name: 'mix.exs',
  takes: (path) => baseOf(path) === 'mix.exs',
  endings: ['exs'],
  read: (file) => {
    const text = withoutComments(file.text, 'hash');
    const listing = new Listing(file, 'hex');
    const lineOf = linesOf(text);
    for (const match of text.matchAll(dependency)) {
      const [, name = '', options = ''] = match;
      if (/\bin_umbrella:\s*true/.test(options)) listing.reference(name);
      else listing.package(/\bhex:\s*:(\w+)/.exec(options)?.[1] ?? name, useOf(options), lineOf(match.index));
      const [, place] = /\bpath:\s*"([^"]{1,300})"/.exec(options) ?? [];
      if (place !== undefined) listing.reference(folderAt(folderOf(file.path), place));
    }
    const [, apps] = /\bapps_path:\s*"([^"]{1,300})"/.exec(text) ?? [];
    if (apps !== undefined) listing.member(`${apps}/*`);
    return listing.reading({
      name: /\bapp:\s*:(\w+)/.exec(text)?.[1] ?? null,
      isPublished: /\blicenses:\s*\[/.test(text) ? true : null,
      hasProgram: /\bescript:\s/.test(text),
    });
  },
};

/** `only: [:dev, :test]` and `runtime: false` are for the work on the app. */
function useOf(options: string): 'runtime' | 'develop' {
  const [, only] = /\bonly:\s*(:\w+|\[[^\]]*\])/.exec(options) ?? [];
  if (only !== undefined && !/:prod\b/.test(only)) return 'develop';
  return /\bruntime:\s*(?:false|Mix\.env)/.test(options) ? 'develop' : 'runtime';
}

export const rebarConfig: FactReader = {
  name: 'rebar.config',
  takes: (path) => baseOf(path) === 'rebar.config',
  endings: ['config'],
  read: (file) => {
    const text = file.text.replace(/%[^\n]*/g, (comment) => ' '.repeat(comment.length));
    const listing = new Listing(file, 'hex');
    const lineOf = linesOf(text);
    const profiles = text.search(/\{\s*profiles\b/);
    for (const match of text.matchAll(/\{\s*([a-z]\w*)\s*,\s*(?:"[^"\n]{0,100}"|\{\s*(?:git|hex|pkg)\b)/g)) {
      listing.package(match[1] ?? '', profiles >= 0 && match.index > profiles ? 'develop' : 'runtime', lineOf(match.index));
    }
    return listing.reading();
  },
};

export const gleamToml: FactReader = {
  name: 'gleam.toml',
  takes: (path) => baseOf(path) === 'gleam.toml',
  endings: ['toml'],
  read: async (file) => {
    const { root, problem } = await tomlOf(file.text);
    const listing = new Listing(file, 'hex');
    const lineOf = linesOfNames(file.text, /^[ \t]*([\w-]+)[ \t]*=/gm);
    for (const [table, use] of [
      [root.dependencies, 'runtime'],
      [root['dev-dependencies'] ?? root.dev_dependencies, 'develop'],
    ] as const) {
      for (const [name, how] of Object.entries(mapOf(table))) {
        listing.package(name, use, lineOf(name));
        const place = textOf(mapOf(how).path);
        if (place !== null) listing.reference(folderAt(folderOf(file.path), place));
      }
    }
    return listing.reading({ name: textOf(root.name), ...(problem !== undefined && { problem }) });
  },
};
