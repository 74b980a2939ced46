import { signalOfHost } from '../addresses.ts';
import type { Asked, Fact, FactReader, SourceFile } from '../facts.ts';
import { baseOf, type CommentStyle, linesOf, useOfCode, useOfSettings, withoutComments } from './source.ts';

const code =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|rake|php|go|rs|java|kts?|scala|clj|cs|fs|exs?|dart|swift|ex|gleam|html?|erb|eex|heex|leex|twig|jinja2?|haml|slim|liquid)$/;
const settings =
  /\.(?:ya?ml|toml|jsonc?|properties|conf|ini|cfg|config|xml|tf|tofu|bicep|sh|bash|ps1|fish|env)$|^(?:dockerfile|containerfile|procfile|makefile|justfile|_headers|_redirects)[\w.-]*$/;
/** Names of files whose addresses say where packages, people and pages are, or that no person wrote. */
const without =
  /^(?:(?:package|composer|bower|manifest|tsconfig[\w.-]*|[\w.-]*lock|angular|project|readme|changelog|license)\.(?:json|ya?ml|toml|xml)|(?:pom\.xml|cargo\.toml|pyproject\.toml|pubspec\.yaml|mix\.exs|deno\.jsonc?|build\.gradle\.kts|settings\.gradle\.kts|setup\.(?:py|cfg)|mkdocs\.ya?ml|package\.swift|funding\.ya?ml))$|[.-](?:min|bundle)\.js$|\.(?:schema\.json|d\.[cm]?ts)$/;
/** Folders of texts for people, and the skeleton of Laravel, which has the addresses of all drivers. */
const aside =
  /\/(?:locales?|i18n|lang|translations|docs?|content|posts|blog|issue_template)\/|\/config\/(?:ai|broadcasting|cache|database|filesystems|logging|mail|queue|scout|services|session)\.php$/i;

/** Addresses of services in code, settings and scripts. A comment says nothing of the app, and neither does a link to a page. */
export const addresses: FactReader = {
  name: 'addresses in code and settings',
  endings: [
    'js',
    'jsx',
    'mjs',
    'cjs',
    'ts',
    'tsx',
    'mts',
    'cts',
    'vue',
    'svelte',
    'astro',
    'py',
    'rb',
    'rake',
    'php',
    'go',
    'rs',
    'java',
    'kt',
    'kts',
    'scala',
    'clj',
    'cs',
    'fs',
    'ex',
    'exs',
    'dart',
    'swift',
    'gleam',
    'html',
    'htm',
    'erb',
    'eex',
    'heex',
    'leex',
    'twig',
    'jinja',
    'jinja2',
    'haml',
    'slim',
    'liquid',
    'yaml',
    'yml',
    'toml',
    'json',
    'jsonc',
    'properties',
    'conf',
    'ini',
    'cfg',
    'config',
    'xml',
    'tf',
    'tofu',
    'bicep',
    'sh',
    'bash',
    'ps1',
    'fish',
    'env',
    'dockerfile',
    'containerfile',
    'procfile',
    'makefile',
    'justfile',
    '_headers',
    '_redirects',
  ],
  takes: (path) => {
    const name = baseOf(path).toLowerCase();
    return !name.startsWith('.env') && (code.test(name) || settings.test(name)) && !without.test(name) && !aside.test(`/${path}`);
  },
  isCode: true,
  read: (file, asked) => {
    if (isDescription(file)) return {};
    const hits = [...hostsIn(file.text, asked, code.test(file.path) ? inCode : inSettings), ...schemesIn(file.text, asked)];
    if (hits.length === 0) return {};
    const read = readable(file);
    const lineOf = linesOf(file.text);
    const use = code.test(file.path) ? useOfCode(file.path) : useOfPlace(file.path);
    const found = new Map<string, Fact>();
    for (const { kind, signal, offset } of hits) {
      const key = `${kind} ${signal}`;
      // A comment became spaces.
      const known = found.get(key);
      if ((known && known.isHint !== true) || read[offset] === ' ') continue;
      const isWeak = isHint(file.text, offset);
      if (known && isWeak) continue;
      found.set(key, { kind, name: signal, file: file.path, line: lineOf(offset), use, ...(isWeak && { isHint: true }) });
    }
    return { facts: [...found.values()] };
  },
};

/** A document of OpenAPI describes an API to others, with addresses as examples. */
const isDescription = ({ path, text }: SourceFile): boolean =>
  /\.(?:ya?ml|json)$/.test(path) && /^[\s{]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text.slice(0, 2000));

/** What compares an address, allows it or shows it as an example, up to the address on its line. */
const weakBefore =
  /(?:(?:startsWith|endsWith|includes|indexOf|startswith|endswith|start_with\?|HasPrefix|Contains)\(|[=!]==?|\bin)\s*["'`][^"'`]{0,200}$|\b(?:connect|img|script|default|frame|style|font|media|form|worker)-src\b[^;\n]{0,1000}$|\b(?:allowed\w*|remotePatterns|cors\w*|origins?|whitelist|allow_?list)["']?\s*[:=]\s*[[{(][^\])\n]{0,500}$|^\s*["']?examples?["']?\s*:[^\n]*$/i;
/** Scopes of a sign-in, and what tells who signed in. */
const weakAfter = /^[\w.-]{0,60}\/(?:auth\/|(?:[\w.-]{1,30}\/){0,3}(?:userinfo|tokeninfo)\b)/;

function isHint(text: string, offset: number): boolean {
  const start = Math.max(text.lastIndexOf('\n', offset) + 1, offset - 1000);
  return weakBefore.test(text.slice(start, offset)) || weakAfter.test(text.slice(offset, offset + 200));
}

export const addressReaders: readonly FactReader[] = [addresses];

function useOfPlace(path: string): Fact['use'] {
  if (/(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/.test(path)) return /prod/.test(baseOf(path)) ? 'runtime' : 'local';
  if (/\.(?:tf|tofu|bicep)$/.test(path)) return 'infrastructure';
  return useOfCode(path) === 'runtime' ? useOfSettings(path) : useOfCode(path);
}

interface Hit {
  readonly kind: 'host' | 'scheme';
  readonly signal: string;
  readonly offset: number;
}

/** The most places of one file that are looked at. Code that a person wrote has fewer. */
const most = 20_000;
const mostHits = 500;

/** Every asked host ends with one of a few names, so one search finds where a host may end. */
function hostsIn(text: string, asked: Asked, before: RegExp): readonly Hit[] {
  const end = endOf(asked);
  if (end === null) return [];
  const hits: Hit[] = [];
  end.lastIndex = 0;
  let count = 0;
  for (let match = end.exec(text); match && count < most && hits.length < mostHits; match = end.exec(text)) {
    count += 1;
    const stop = match.index + match[0].length;
    const start = startOfHost(text, match.index);
    const host = text
      .slice(start, stop)
      .toLowerCase()
      .replace(/\$?\{\{?[^{}]{0,80}\}\}?|%s|\$\w{1,40}/g, 'x');
    if (/^[.@]|@/.test(host) || !isHostPlace(text, start, before)) continue;
    const signal = signalOfHost(host, asked, true);
    if (signal === null || (signal.startsWith('.') && isPlaceholder.test(host))) continue;
    if (!isLink(text, start)) hits.push({ kind: 'host', signal, offset: match.index });
  }
  return hits;
}

/** The name of nobody, in the description of a field or as an example. */
const isPlaceholder = /^(?:example|sample|company|acme|foo|tenant|subdomain|x{3,}|(?:your|my)(?:[-_]\w+)*)\./;

/** The begin of a host that ends at a place. Placeholders may stand for parts of it: `https://${ref}.supabase.co`. */
function startOfHost(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < 253) {
    const sign = text[at - 1] ?? '';
    if (/[\w.*%$-]/.test(sign)) at -= 1;
    else if (sign === '}') {
      const open = text.lastIndexOf('{', at - 1);
      if (open < 0 || at - open > 80) break;
      at = text[open - 1] === '{' ? open - 1 : open;
    } else break;
  }
  return at;
}

/** The sign before a host. In code a host begins a text or stands in an address; anywhere else it is a chain of members. */
const inCode = /["'`/@]/;
const inSettings = /["'`/@=:\s,([|>;]/;

const isHostPlace = (text: string, start: number, before: RegExp): boolean =>
  start === 0 ? before === inSettings : before.test(text[start - 1] ?? '') && !isMail(text, start);

/** `name@host` without a scheme is an address of a person. */
const isMail = (text: string, start: number): boolean =>
  text[start - 1] === '@' && !/:\/\/[^\s"'`]*@$/.test(text.slice(Math.max(0, start - 300), start));

/** A link for people: `<a href="https://…">`. */
const isLink = (text: string, start: number): boolean =>
  /\bhref["']?\s*[=:]\s*\{?\s*["'`](?:https?:)?\/\/[^\s"'`]*$|\]\(https?:\/\/[^\s)]*$/i.test(text.slice(Math.max(0, start - 200), start));

const ends = new WeakMap<Asked, RegExp>();

function endOf(asked: Asked): RegExp | null {
  if (asked.hosts.length === 0) return null;
  const known = ends.get(asked);
  if (known) return known;
  const last = new Set(asked.hosts.flatMap((host) => /\.([a-z][a-z\d-]*)$/i.exec(host)?.[1]?.toLowerCase() ?? []));
  const made = new RegExp(`\\.(?:${[...last].join('|')})(?![\\w-]|\\.\\w)`, 'gi');
  ends.set(asked, made);
  return made;
}

function schemesIn(text: string, asked: Asked): readonly Hit[] {
  const hits: Hit[] = [];
  let count = 0;
  for (let at = text.indexOf('://'); at >= 0 && count < most && hits.length < mostHits; at = text.indexOf('://', at + 3)) {
    count += 1;
    const [, scheme = ''] = /(?:^|[^\w.+-])(?:jdbc:|ecto:)?([a-z][\w+]{1,30})$/i.exec(text.slice(Math.max(0, at - 40), at)) ?? [];
    const found = scheme.toLowerCase();
    const bare = found.split('+', 1)[0] ?? '';
    const signal = asked.schemes.includes(found) ? found : asked.schemes.includes(bare) ? bare : null;
    if (signal !== null && !/^https?$/.test(found)) hits.push({ kind: 'scheme', signal, offset: at });
  }
  return hits;
}

/** The text with spaces for its comments, texts that document, and pages. */
function readable({ path, text }: SourceFile): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  let read = withoutComments(text, styleOf(path));
  if (/\.(?:html?|vue|svelte|astro|xml|config|erb|eex|heex|leex|twig|liquid)$/.test(path)) read = withoutBlocks(read, '<!--', '-->', blank);
  if (/\.(?:py|exs?)$/.test(path)) read = withoutTexts(read, blank);
  return read;
}

function styleOf(path: string): CommentStyle {
  if (
    /\.(?:py|rb|rake|exs?|ya?ml|toml|properties|conf|ini|cfg|sh|bash|ps1|fish|env|haml|slim)$|(?:Dockerfile|Containerfile|Procfile|Makefile|justfile|_headers|_redirects)[\w.-]*$/.test(
      path,
    )
  )
    return 'hash';
  return path.endsWith('.clj') ? 'semicolon' : 'slashes';
}

function withoutBlocks(text: string, begin: string, end: string, blank: (part: string) => string): string {
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
function withoutTexts(text: string, blank: (part: string) => string): string {
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
