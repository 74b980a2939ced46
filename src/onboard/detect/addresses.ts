import type { Asked } from './facts.ts';

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
    for (const host of hostsAfter(text, match.index + match[0].length)) add(signalOfHost(host, asked, /^https?$/.test(found)));
  }
  if (!any && isHost) add(signalOfHost(nameOf(text.trim()), asked));
  return { hosts: [...hosts], schemes: [...schemes] };
}

/** A longer part of a text is no address that a person wrote. */
const longest = 2_000;

/** The hosts of an address, whose part behind the scheme begins at `start`. A cluster has several. */
function hostsAfter(text: string, start: number): readonly string[] {
  const rest = text.slice(start, start + longest).split(/["'`\s<>\\]/, 1)[0] ?? '';
  const address = rest.split('?', 1)[0] ?? '';
  // A password without encoding may hold `/` and `@`, so the host begins after the last `@`.
  const place = address.slice(address.lastIndexOf('@') + 1).split(/[/#;)\]}|]/, 1)[0] ?? '';
  return place.split(',').map(nameOf);
}

const nameOf = (text: string): string => text.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** Pages about a service stand under such names of its domain. An app that uses the service has no business there. */
const pages = /^(?:www|docs?|console|dashboard|status|help|support|developers?|blog|community|learn|guides?)\./;

/** The signal that a host answers: its whole name, else the longest suffix with a leading dot. */
export function signalOfHost(host: string, asked: Pick<Asked, 'hosts'>, isPage = false): string | null {
  const known = setOf(asked.hosts);
  if (known.has(host)) return host;
  if (isPage && pages.test(host)) return null;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const suffix = host.slice(dot);
    if (known.has(suffix)) return suffix;
  }
  return patternOf(host, asked.hosts);
}

/** The signal with a `*` that a host answers: `sqs.*.amazonaws.com`. */
function patternOf(host: string, signals: readonly string[]): string | null {
  const parts = host.split('.');
  if (parts.length > 30) return null;
  const candidates = patternsOf(signals).get(parts.slice(-2).join('.')) ?? [];
  return (
    candidates.find(({ wanted, isSuffix }) => {
      const offset = parts.length - wanted.length;
      if (isSuffix ? offset < 1 : offset !== 0) return false;
      return wanted.every((want, i) => want === '*' || want === parts[offset + i]);
    })?.signal ?? null
  );
}

interface HostPattern {
  readonly signal: string;
  readonly wanted: readonly string[];
  readonly isSuffix: boolean;
}

const patterns = new WeakMap<readonly string[], ReadonlyMap<string, readonly HostPattern[]>>();

/** The signals with a `*` by their last two parts. */
function patternsOf(signals: readonly string[]): ReadonlyMap<string, readonly HostPattern[]> {
  const known =
    patterns.get(signals) ??
    Map.groupBy(
      signals
        .filter((signal) => signal.includes('*'))
        .map((signal): HostPattern => ({ signal, wanted: signal.replace(/^\./, '').split('.'), isSuffix: signal.startsWith('.') })),
      ({ wanted }) => wanted.slice(-2).join('.'),
    );
  patterns.set(signals, known);
  return known;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Services ask for many hosts, and many addresses are compared with them. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = sets.get(list) ?? new Set(list);
  sets.set(list, known);
  return known;
}
