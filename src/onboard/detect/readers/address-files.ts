import type { Fact, SourceFile } from '../facts.ts';
import { baseOf, type CommentStyle, useOfCode, useOfSettings, withoutComments } from './source.ts';

/** How a file is read: the sign of its comments, and whether it is markup, which has other comments as well. */
interface Language {
  readonly style: CommentStyle;
  readonly isMarkup?: true;
  /** Code, in which a host stands in quotes or behind a scheme. Settings have bare hosts too. */
  readonly isCode: boolean;
}

const words = (text: string): readonly string[] => text.split(' ');

const slashes = words(
  'js jsx mjs cjs ts tsx mts cts php go rs java kt kts scala sc groovy cs fs vb dart swift inc module install theme profile',
);
const markup = words(
  'vue svelte astro html htm xhtml erb eex heex leex ecr ego ejs twig jinja jinja2 j2 njk liquid hbs handlebars mustache tmpl gohtml gotmpl templ tpl tera jsp jspf jspx cshtml vbhtml razor aspx ascx ftl ftlh vm jte phtml latte mjml pug jade edge marko',
);
const hash = words('py rb rake gleam ex exs cr coffee haml slim');
const semicolon = words('clj cljs cljc');
const dashes = words('lua elm hs');
const settings = {
  slashes: words('json jsonc config xml tf tofu bicep'),
  hash: words(
    'yaml yml toml properties conf ini cfg sh bash ps1 fish env neon dockerfile containerfile procfile makefile justfile _headers _redirects',
  ),
  semicolon: ['edn'],
};

const all = (endings: readonly string[], language: Language): readonly (readonly [string, Language])[] =>
  endings.map((ending) => [ending, language]);

const languages: ReadonlyMap<string, Language> = new Map([
  ...all(slashes, { style: 'slashes', isCode: true }),
  ...all(markup, { style: 'slashes', isMarkup: true, isCode: true }),
  ...all(hash, { style: 'hash', isCode: true }),
  ...all(semicolon, { style: 'semicolon', isCode: true }),
  ...all(dashes, { style: 'dashes', isCode: true }),
  ...all(settings.slashes, { style: 'slashes', isCode: false }),
  ...all(settings.hash, { style: 'hash', isCode: false }),
  ...all(settings.semicolon, { style: 'semicolon', isCode: false }),
]);

export const endingsWithAddresses: readonly string[] = [...languages.keys()];

/** A whole name without a dot, such as that of a Dockerfile, may have an ending of its own. */
const wholeNames = /^(dockerfile|containerfile|procfile|makefile|justfile|_headers|_redirects)[\w.-]*$/;

/** How a file is read, by its path; `null` for one that has no addresses of services. */
export function languageOf(path: string): Language | null {
  const name = baseOf(path).toLowerCase();
  return languages.get(name.slice(name.lastIndexOf('.') + 1)) ?? languages.get(wholeNames.exec(name)?.[1] ?? '') ?? null;
}

/** Names of files whose addresses say where packages, people and pages are, or that no person wrote. */
const without =
  /^(?:(?:package|composer|bower|tsconfig[\w.-]*|[\w.-]*lock|angular|project|readme|changelog|license)\.(?:json|ya?ml|toml|xml)|(?:manifest\.(?:json|xml)|pom\.xml|cargo\.toml|pyproject\.toml|pubspec\.yaml|mix\.exs|deno\.jsonc?|build\.gradle\.kts|settings\.gradle\.kts|setup\.(?:py|cfg)|mkdocs\.ya?ml|package\.swift|funding\.ya?ml))$|[.-](?:min|bundle)\.js$|\.(?:schema\.json|d\.[cm]?ts)$/;
/** Folders of texts for people, and the skeleton of Laravel, which has the addresses of all drivers. */
const aside =
  /\/(?:locales?|i18n|lang|translations|docs?|guides|tutorials|content|posts|blog|issue_template)\/|\/config\/(?:ai|broadcasting|cache|database|filesystems|logging|mail|queue|scout|services|session)\.php$/i;

/** Templates and code of a part of an app that shows such texts: `templates/blog/post.html`. */
const ofViews = /(\/(?:templates|views|layouts|partials|controllers|services|api))\/(?:content|posts|blog)(?=\/)/g;

/** Tells from the path whether a file may have addresses of services. */
export function mayHaveAddresses(path: string): boolean {
  const name = baseOf(path).toLowerCase();
  return !name.startsWith('.env') && languageOf(path) !== null && !without.test(name) && !aside.test(`/${path}`.replace(ofViews, '$1'));
}

/** Endings that other formats have as well. PHP begins with its tag. */
const ofDrupal = /\.(?:inc|module|install|theme|profile)$/;

/** Tells whether the text is of the language that its ending stands for. A document of OpenAPI describes an API to others. */
export function speaksForApp({ path, text }: SourceFile): boolean {
  if (ofDrupal.test(path)) return text.slice(0, 200).includes('<?php');
  return !(/\.(?:ya?ml|json)$/.test(path) && /^[\s{]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text.slice(0, 2000)));
}

/** What the place of a file says of the app that runs. */
export function useOfFile(path: string): Fact['use'] {
  const use = useOfCode(path);
  if (languageOf(path)?.isCode === true) return use;
  if (/(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/.test(path)) return /prod/.test(baseOf(path)) ? 'runtime' : 'local';
  if (/\.(?:tf|tofu|bicep)$/.test(path)) return 'infrastructure';
  return use === 'runtime' ? useOfSettings(path) : use;
}

/** The text with spaces for its comments and for texts that document. */
export function withoutRemarks({ path, text }: SourceFile): string {
  const { style = 'slashes', isMarkup = false } = languageOf(path) ?? {};
  let read = withoutComments(text, style);
  if (isMarkup || /\.(?:xml|config|php|module|inc)$/.test(path)) for (const pair of remarks) read = withoutBlocks(read, pair);
  if (/\.(?:py|exs?)$/.test(path)) read = withoutTexts(read);
  return read;
}

/** Begins and ends of remarks in markup and templates: HTML, ERB and JSP, Handlebars and Blade, Go, Jinja and Twig, Razor, FreeMarker. */
const remarks: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<%#', '%>'],
  ['<%--', '%>'],
  ['<%!--', '%>'],
  ['{{!', '}}'],
  ['{{--', '--}}'],
  ['{{/*', '*/}}'],
  ['{#-', '#}'],
  ['{# ', '#}'],
  ['{% comment %}', '{% endcomment %}'],
  ['@*', '*@'],
  ['<#--', '-->'],
];

const blank = (part: string): string => part.replace(/[^\n]/g, ' ');

function withoutBlocks(text: string, [begin, end]: readonly [begin: string, end: string]): string {
  const kept: string[] = [];
  let done = 0;
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, done)) {
    const close = text.indexOf(end, at + begin.length);
    if (close < 0) break;
    kept.push(text.slice(done, at), blank(text.slice(at, close + end.length)));
    done = close + end.length;
  }
  return kept.join('') + text.slice(done);
}

/** Texts in three quotes that stand alone or behind `@doc`. */
function withoutTexts(text: string): string {
  const kept: string[] = [];
  const pattern = /^[ \t]*(?:@(?:module|type)?doc[ \t]+(?:~[sS])?)?[rRuUbB]?("""|''')/gm;
  let done = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const close = text.indexOf(match[1] ?? '"""', pattern.lastIndex);
    if (close < 0) break;
    kept.push(text.slice(done, match.index), blank(text.slice(match.index, close + 3)));
    done = close + 3;
    pattern.lastIndex = done;
  }
  return kept.join('') + text.slice(done);
}
