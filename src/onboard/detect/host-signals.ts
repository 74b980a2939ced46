/** A signal of an address: the name of a host, its end with a leading dot, and perhaps the begin of a path. */
export interface HostSignal {
  /** As the service spells it: `www.googletagmanager.com/gtm.js`. */
  readonly signal: string;
  readonly path: RegExp | null;
}

interface HostPattern extends HostSignal {
  /** Tells whether the parts of a host are those of the pattern. */
  readonly isOf: (parts: readonly string[]) => boolean;
}

/** The signals of addresses by what is looked up. Those of one name stand in the order in which they are tried: longer paths first. */
interface HostSignals {
  /** By the whole name or the end with its dot. */
  readonly names: ReadonlyMap<string, readonly HostSignal[]>;
  /** Signals with a `*`, by the last two parts of the name. */
  readonly patterns: ReadonlyMap<string, readonly HostPattern[]>;
}

const sorted = new WeakMap<readonly string[], HostSignals>();

/** Services ask for many hosts, and many addresses are compared with them, so they are sorted once. */
export function signalsByHost(signals: readonly string[]): HostSignals {
  const known = sorted.get(signals);
  if (known) return known;
  const names = new Map<string, HostSignal[]>();
  const patterns = new Map<string, HostPattern[]>();
  for (const signal of signals.toSorted((a, b) => b.length - a.length)) {
    const host = hostOfSignal(signal);
    const one: HostSignal = { signal, path: host === signal ? null : pathPattern(signal.slice(host.length)) };
    if (host.includes('*')) add(patterns, host.split('.').slice(-2).join('.'), { ...one, isOf: partsPattern(host) });
    else add(names, host, one);
  }
  const made = { names, patterns };
  sorted.set(signals, made);
  return made;
}

export const hostOfSignal = (signal: string): string => signal.split('/', 1)[0] ?? '';

/** The path begins so. `*` stands for one part of it. */
function pathPattern(path: string): RegExp {
  const begin = path.split('*').map(escaped).join('[^/]+');
  return new RegExp(`^${begin}${path.endsWith('/') ? '' : '(?![\\w-])'}`, 'i');
}

/** `*` stands for one part of a name, or for the begin or the end of one: `*-aiplatform.googleapis.com`. */
function partsPattern(host: string): (parts: readonly string[]) => boolean {
  const isSuffix = host.startsWith('.');
  const wanted = host
    .replace(/^\./, '')
    .split('.')
    .map((part) => (part === '*' || !part.includes('*') ? part : new RegExp(`^${part.split('*').map(escaped).join('.+')}$`)));
  return (parts) => {
    const offset = parts.length - wanted.length;
    if (isSuffix ? offset < 1 : offset !== 0) return false;
    return wanted.every((want, i) => {
      const part = parts[offset + i] ?? '';
      return typeof want === 'string' ? want === '*' || want === part : want.test(part);
    });
  };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function add<One>(map: Map<string, One[]>, key: string, one: One): void {
  const known = map.get(key);
  if (known) known.push(one);
  else map.set(key, [one]);
}
