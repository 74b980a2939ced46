import { pathAfter, signalOfHost } from '../addresses.ts';
import type { Asked, Fact, FactReader, SourceFile } from '../facts.ts';
import { hostOfSignal } from '../host-signals.ts';
import { endingsWithAddresses, languageOf, mayHaveAddresses, speaksForApp, useOfFile, withoutRemarks } from './address-files.ts';
import { isHint, isHomePage, isLink } from './address-hints.ts';
import { isLibrary, isOfOthers } from './not-own.ts';
import { snippetsIn } from './snippets.ts';
import { linesOf } from './source.ts';

/** Addresses of services, and snippets that only one of them has, in code, settings and scripts. A comment and a link to a page say nothing. */
export const addresses: FactReader = {
  name: 'addresses in code and settings',
  endings: endingsWithAddresses,
  takes: mayHaveAddresses,
  isCode: true,
  read: (file, asked) => {
    const hits = [...hostsIn(file, asked), ...schemesIn(file.text, asked), ...snippetsIn(file.text, asked)];
    if (hits.length === 0 || !speaksForApp(file)) return {};
    const read = withoutRemarks(file);
    const lineOf = linesOf(file.text);
    const use = useOfFile(file.path);
    const isOther = isOfOthers(file.path) || isLibrary(file);
    const found = new Map<string, Fact>();
    for (const { kind, signal, offset } of hits) {
      const key = `${kind} ${signal}`;
      // A comment became spaces.
      const known = found.get(key);
      if ((known && known.isHint !== true) || read[offset] === ' ') continue;
      const isWeak = (kind === 'host' && isOther) || (kind !== 'snippet' && isHint(file.path, file.text, offset, signal));
      if (known && isWeak) continue;
      found.set(key, { kind, name: signal, file: file.path, line: lineOf(offset), use, ...(isWeak && { isHint: true }) });
    }
    return { facts: [...found.values()] };
  },
};

export const addressReaders: readonly FactReader[] = [addresses];

interface Hit {
  readonly kind: 'host' | 'scheme' | 'snippet';
  readonly signal: string;
  readonly offset: number;
}

/** The most places of one file that are looked at. Code that a person wrote has fewer. */
const most = 20_000;
const mostHits = 500;

/** Every asked host ends with one of a few names, so one search finds where a host may end. */
function hostsIn({ path, text }: SourceFile, asked: Asked): readonly Hit[] {
  const before = languageOf(path)?.isCode === true ? inCode : inSettings;
  const isData = /\.(?:json|ya?ml|toml)$/.test(path);
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
      .replace(/[#$]?\{\{?[^{}]{0,80}\}\}?|\\\([^()]{0,80}\)|%s|\$\w{1,40}/g, 'x');
    if (/^[.@]|@/.test(host) || !isHostPlace(text, start, before)) continue;
    const signal = signalOfHost(host, asked, { isPage: true, path: pathAfter(text.slice(stop, stop + 400)) });
    if (signal === null || (signal.startsWith('.') && isPlaceholder.test(host))) continue;
    if (isLink(text, start) || (isData && isHomePage(text, start, stop))) continue;
    hits.push({ kind: 'host', signal, offset: match.index });
  }
  return hits;
}

/** The name of nobody, in the description of a field or as an example. */
const isPlaceholder = /^(?:example|sample|company|acme|foo|tenant|subdomain|x{3,}|(?:your|my)(?:[-_]\w+)*)\./;

/** The begin of a host that ends at a place. Placeholders may stand for parts of it: `${ref}.supabase.co`, `#{ref}…`, `\(ref)…`. */
function startOfHost(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < 253) {
    const sign = text[at - 1] ?? '';
    if (/[\w.*%$-]/.test(sign)) {
      at -= 1;
      continue;
    }
    const inside = text.slice(Math.max(0, at - 80), at);
    const open = sign === '}' ? inside.lastIndexOf('{') : sign === ')' ? inside.lastIndexOf('\\(') : -1;
    if (open < 0) break;
    at -= inside.length - open;
    if (/[{#$]/.test(text[at - 1] ?? '')) at -= 1;
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

const ends = new WeakMap<Asked, RegExp>();

function endOf(asked: Asked): RegExp | null {
  if (asked.hosts.length === 0) return null;
  const known = ends.get(asked);
  if (known) return known;
  const last = new Set(asked.hosts.flatMap((host) => /\.([a-z][a-z\d-]*)$/i.exec(hostOfSignal(host))?.[1]?.toLowerCase() ?? []));
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
