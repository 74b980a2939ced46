import { factText } from '../../../src/ledger/model/file-text.ts';
import type { Random } from '../random.ts';

export type Files = Map<string, string>;

/** What a forger can draw from: the branches of other scopes, older states of this one, and names that are worth something. */
export interface Loot {
  readonly others: readonly ReadonlyMap<string, string>[];
  readonly older: readonly ReadonlyMap<string, string>[];
  /** Ids of objects that are not this scope's, addresses of thieves, names of variables. */
  readonly words: readonly [string, ...string[]];
}

/** One change of a receipts branch, in words. */
type Forgery = (files: Files, random: Random, loot: Loot) => string;

/** Changes the files in place, a few times, and says how. */
export function forge(files: Files, random: Random, loot: Loot): string {
  const ways: string[] = [];
  for (let n = 1 + random.int(3); n > 0; n -= 1) ways.push(random.pick(forgeries)(files, random, loot));
  return ways.join('; ');
}

const factPaths = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files.keys()].filter((path) => /^(?:records|intents|left|deletes)\//.test(path)).sort();

const forgeries: readonly [Forgery, ...Forgery[]] = [
  (files, random) => {
    const path = random.any([...files.keys()].sort()) ?? '';
    const text = files.get(path) ?? '';
    const at = random.int(text.length);
    files.set(path, `${text.slice(0, at)}${String.fromCharCode(33 + random.int(94))}${text.slice(at + 1)}`);
    return `a character of ${path}`;
  },
  member,
  member,
  (files, random) => {
    const path = random.any([...files.keys()].sort()) ?? '';
    files.delete(path);
    return `without ${path}`;
  },
  (files, random) => {
    const folder = random.pick(['records/', 'seals', 'intents/', 'history', '']);
    for (const path of [...files.keys()]) if (path.startsWith(folder)) files.delete(path);
    return `without all ${folder}`;
  },
  (files, random, { others }) => {
    const from = random.any(others) ?? new Map<string, string>();
    const part = random.pick([/^records/, /^(?:records|seals)/, /^(?:records|intents|seals|history|receipt)/]);
    for (const [path, text] of from) if (part.test(path)) files.set(path, text);
    return `with ${part.source} of another scope`;
  },
  (files, random, { older }) => {
    const from = random.any(older) ?? new Map<string, string>();
    const part = random.pick([/^records/, /^seals/, /^intents/, /^(?:records|seals|intents)/, /^/]);
    if (part.source === '^') for (const path of [...files.keys()]) files.delete(path);
    for (const [path, text] of from) if (part.test(path)) files.set(path, text);
    return `with ${part.source} of an older commit`;
  },
  (files, random) => {
    const path = random.any(factPaths(files));
    if (path === undefined) return 'nothing';
    const identity = Array.from({ length: 64 }, () => random.int(16).toString(16)).join('');
    const fact = factOf(files, path);
    const folder = path.slice(0, path.indexOf('/'));
    files.set(`${folder}/${identity.slice(0, 2)}/${identity}.json`, factText({ ...fact, identity }));
    return `a copy of ${path}`;
  },
];

function factOf(files: ReadonlyMap<string, string>, path: string): { [name: string]: unknown } {
  try {
    const { sum: _sum, ...fact } = JSON.parse(files.get(path) ?? '{}') as { [name: string]: unknown };
    return fact;
  } catch {
    return {};
  }
}

/** Changes one member of a fact, wherever it stands, and gives the file a right checksum. */
function member(files: Files, random: Random, { words }: Loot): string {
  const path = random.any(factPaths(files));
  if (path === undefined) return 'nothing';
  const fact = factOf(files, path);
  const places: { readonly holder: { [name: string]: unknown }; readonly name: string; readonly at: string }[] = [];
  const walk = (holder: { [name: string]: unknown }, at: string): void => {
    for (const [name, value] of Object.entries(holder)) {
      places.push({ holder, name, at: `${at}/${name}` });
      if (typeof value === 'object' && value !== null) walk(value as { [name: string]: unknown }, `${at}/${name}`);
    }
  };
  walk(fact, '');
  const place = random.any(places);
  if (!place) return 'nothing';
  const { holder, name, at } = place;
  const value = holder[name];
  const next = random.pick<() => unknown>([
    () => random.pick(words as [string, ...string[]]),
    () => (typeof value === 'string' ? `${value.slice(0, -1)}${random.int(10)}` : typeof value === 'number' ? value + 1 : !value),
    () => null,
    () => undefined,
    () => (Array.isArray(value) ? [...value, ...value, random.pick(words as [string, ...string[]])] : [value]),
  ])();
  holder[name] = next;
  files.set(path, factText(fact));
  return `${at} of ${path}: ${JSON.stringify(next)}`;
}
