import type { FactReader, SourceFile } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOf, linesOfNames } from '../source.ts';
import { jsonOf, mapOf, textOf, textsOf } from './json.ts';

/** Deno's manifest, and import maps of Deno and of browsers. */
export const denoJson: FactReader = {
  name: 'deno.json and import maps',
  takes: (path) => /^(?:deno\.jsonc?|import[-_]?map\.json)$/.test(baseOf(path)),
  endings: ['json', 'jsonc'],
  read: async (file) => {
    const { root, problem } = await jsonOf(file.text, true);
    const listing = new Listing(file, 'npm');
    const lineOf = linesOfNames(file.text, /:[ \t]*"([^"\\\n]{1,300})"/g);
    const scopes = Object.values(mapOf(root.scopes)).map(mapOf);
    for (const specifier of [mapOf(root.imports), ...scopes].flatMap((imports) => Object.values(imports))) {
      if (typeof specifier !== 'string') continue;
      const name = packageOf(specifier);
      if (name !== null) listing.package(name, 'runtime', lineOf(specifier));
      else if (/^\.{1,2}\//.test(specifier)) listing.reference(folderAt(folderOf(file.path), folderOf(specifier)));
    }
    for (const pattern of textsOf(Array.isArray(root.workspace) ? root.workspace : mapOf(root.workspace).members)) listing.member(pattern);
    for (const [name, task] of Object.entries(mapOf(root.tasks))) listing.script(name, textOf(task) ?? textOf(mapOf(task).command));
    return listing.reading({ name: textOf(root.name), ...(problem !== undefined && { problem }) });
  },
};

/**
 * The npm package of a specifier: `npm:stripe@^17`, `jsr:@supabase/supabase-js@2`, `https://esm.sh/stripe@14?target=deno`. Packages of JSR
 * mostly have the name that they have in npm.
 */
export function packageOf(specifier: string): string | null {
  const [, name] =
    /^(?:npm:\/?|jsr:\/?|https:\/\/(?:esm\.sh\/(?:v\d+\/)?(?:jsr\/)?|cdn\.jsdelivr\.net\/npm\/|unpkg\.com\/|cdn\.skypack\.dev\/|ga\.jspm\.io\/npm:))((?:@[\w.~-]{1,100}\/)?[\w.~-]{1,200})(?:[@/?#]|$)/.exec(
      specifier,
    ) ?? [];
  return name ?? null;
}

const specifiers = /["']((?:npm:|jsr:|https:\/\/(?:esm\.sh|cdn\.jsdelivr\.net\/npm|unpkg\.com|cdn\.skypack\.dev)\/)[^"'\s]{1,300})["']/g;

/** Packages that code names by an address or with `npm:`, as in functions of Deno and pages without a build. */
export const specifiersInCode: FactReader = {
  name: 'packages that code imports by address',
  endings: [
    'js',
    'cjs',
    'mjs',
    'jsx',
    'ts',
    'cts',
    'mts',
    'tsx',
    'html',
    'htm',
    'vue',
    'svelte',
    'astro',
    'erb',
    'heex',
    'php',
    'twig',
    'jinja',
    'jinja2',
  ],
  takes: (path) => /\.(?:[cm]?[jt]sx?|html?|vue|svelte|astro|erb|heex|php|twig|jinja2?)$/.test(baseOf(path)),
  isCode: true,
  read: (file) => {
    // Most code has none of these.
    if (!/npm:|jsr:|esm\.sh|jsdelivr|unpkg|skypack/.test(file.text)) return {};
    return { facts: factsIn(file) };
  },
};

function factsIn(file: SourceFile) {
  const listing = new Listing(file, 'npm');
  const lineOf = linesOf(file.text);
  for (const match of file.text.matchAll(specifiers)) listing.package(packageOf(match[1] ?? '') ?? '', 'runtime', lineOf(match.index));
  return listing.reading().facts ?? [];
}

/** Import maps of Rails: `pin "@sentry/browser", to: "…"`. */
export const railsImportMap: FactReader = {
  name: 'import maps of Rails',
  takes: (path) => /(?:^|\/)config\/importmap\.rb$/.test(path),
  endings: ['rb'],
  read: (file) => {
    const listing = new Listing(file, 'npm');
    const lineOf = linesOf(file.text);
    for (const match of file.text.matchAll(/^[ \t]*pin[ \t(]+["']((?:@[\w.-]+\/)?[\w.-]+)["']/gm)) {
      listing.package(match[1] ?? '', 'runtime', lineOf(match.index));
    }
    return { facts: listing.reading().facts ?? [] };
  },
};
