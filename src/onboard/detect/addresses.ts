import type { Asked } from './facts.ts';
import { type HostSignal, signalsByHost } from './host-signals.ts';

/** The signals that the addresses in a value answer. Nothing else of a value is kept. */
export interface Answers {
  readonly hosts: readonly string[];
  readonly schemes: readonly string[];
}

/**
 * The scheme of an address. The part after `+` is a driver, as in SQLAlchemy (`postgresql+asyncpg`), or the way to find the server
 * (`mongodb+srv`). `jdbc:` and `ecto:` stand before the scheme.
 */
const scheme = /(?:^|[^\w.+-])(?:jdbc:)?([a-z][a-z0-9]{1,20}(?:\+[a-z0-9_]{1,20})?):\/\//gi;

/**
 * Compares the addresses in a text with what services ask for. `isHost`: the text without an address is the name of a host, as in
 * `PGHOST`.
 */
export function answersIn(text: string, asked: Pick<Asked, 'hosts' | 'schemes'>, isHost = false): Answers {
  const [hosts, schemes] = [new Set<string>(), new Set<string>()];
  const add = (signal: string | null): void => void (signal !== null && hosts.add(signal));
  let any = false;
  for (const match of text.matchAll(scheme)) {
    any = true;
    const found = (match[1] ?? '').toLowerCase();
    const bare = found.split('+', 1)[0] ?? '';
    const known = setOf(asked.schemes);
    if (known.has(found)) schemes.add(found);
    else if (known.has(bare)) schemes.add(bare);
    const { names, path } = placeAfter(text, match.index + match[0].length);
    for (const host of names) add(signalOfHost(host, asked, { isPage: /^https?$/.test(found), path }));
  }
  if (!any && isHost) add(signalOfHost(nameOf(text.trim()), asked));
  return { hosts: [...hosts], schemes: [...schemes] };
}

/** A longer part of a text is no address that a person wrote. */
const longest = 2_000;

/** The hosts and the path of an address, whose part behind the scheme begins at `start`. A cluster has several hosts. */
function placeAfter(text: string, start: number): { readonly names: readonly string[]; readonly path: string } {
  const rest = text.slice(start, start + longest).split(/["'`\s<>\\]/, 1)[0] ?? '';
  const address = rest.split('?', 1)[0] ?? '';
  // A password without encoding may hold `/` and `@`, so the host begins after the last `@`.
  const place = address.slice(address.lastIndexOf('@') + 1);
  const hosts = place.split(/[/#;)\]}|]/, 1)[0] ?? '';
  return { names: hosts.split(',').map(nameOf), path: pathAfter(place.slice(hosts.length)) };
}

const nameOf = (text: string): string => text.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** The path of an address, from the text behind its host. JSON in code may escape the slashes. */
export const pathAfter = (rest: string): string =>
  /^(?::\d+)?(\/[^\s"'`<>?#\\,;)]*)/.exec(rest.slice(0, longestPath).replaceAll('\\/', '/'))?.[1] ?? '';

const longestPath = 300;

/** Pages about a service stand under such names of its domain. An app that uses the service has no business there. */
const pages = /^(?:www|docs?|console|dashboard|status|help|support|developers?|blog|community|learn|guides?)\./;

/** The address around a host. `isPage`: it may be a page for people. */
interface Place {
  readonly isPage?: boolean;
  readonly path?: string;
}

/**
 * The signal that a host answers: its whole name, else the longest suffix with a leading dot. Of the signals of one name the longest path
 * that the address has comes first. A path tells the use of a service, so it counts under the name of a page as well.
 */
export function signalOfHost(host: string, asked: Pick<Asked, 'hosts'>, { isPage = false, path = '' }: Place = {}): string | null {
  const { names, patterns } = signalsByHost(asked.hosts);
  const isFor = ({ path: wanted }: HostSignal): boolean => wanted === null || wanted.test(path);
  const whole = names.get(host)?.find(isFor);
  if (whole) return whole.signal;
  const mayBePage = isPage && pages.test(host);
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const suffix = names.get(host.slice(dot))?.find((one) => isFor(one) && !(mayBePage && one.path === null));
    if (suffix) return suffix.signal;
  }
  const parts = host.split('.');
  if (mayBePage || parts.length > 30) return null;
  const candidates = patterns.get(parts.slice(-2).join('.')) ?? [];
  return candidates.find((one) => isFor(one) && one.isOf(parts))?.signal ?? null;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Services ask for many schemes, and many addresses are compared with them. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = sets.get(list) ?? new Set(list);
  sets.set(list, known);
  return known;
}
