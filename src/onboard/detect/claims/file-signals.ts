import { type DataFiles, valuesAt } from '../data-files.ts';
import { listingOf } from '../listing.ts';
import { baseOf } from '../paths.ts';
import { type Service, type Strength, signalsOf } from '../service.ts';
import { nameOfKey } from './signal-index.ts';

/** A file or a key in it that tells of a service. */
export interface FileHit {
  readonly service: number;
  readonly strength: Strength;
  readonly kind: 'file' | 'key';
  readonly name: string;
  readonly file: string;
  /** The folder that the path of the signal begins in. */
  readonly folder: string;
}

interface Wanted {
  readonly service: number;
  readonly strength: Strength;
  /** A path from a folder. */
  readonly path: string;
  /** Absent: the file itself is the signal. */
  readonly at?: string;
  /** For a path with `*`. */
  readonly pattern: RegExp | null;
  /** The end of a name behind its `*`; '' for any other. */
  readonly ending: string;
}

/** The names, without folders, of the files whose content ids and keys are looked up in. */
export const namesOfData = (services: readonly Service[]): ReadonlySet<string> =>
  new Set(
    services.flatMap((service) => [
      ...service.ids.map(({ file }) => baseOf(file)),
      ...signalsOf(service).flatMap(([, { holds }]) => (holds ?? []).map(({ file }) => baseOf(file))),
    ]),
  );

/** Finds the files of a repository that services ask for. `folders`: those from which paths of signals begin. */
export async function findFiles(
  services: readonly Service[],
  files: readonly string[],
  { folders, data }: { readonly folders: ReadonlySet<string>; readonly data: DataFiles },
): Promise<readonly FileHit[]> {
  const wanted = new ByName(services);
  const named = [...listingOf(files).names.values()].flatMap(({ name, places }) => {
    const asking = [...wanted.of(name)];
    return asking.length === 0 ? [] : places.map((place) => ({ place, asking }));
  });
  const found: FileHit[] = [];
  for (const { place, asking } of named.sort((a, b) => a.place - b.place)) {
    const file = files[place] ?? '';
    for (const one of asking) {
      const folder = folderBefore(file, one);
      if (folder === null || !folders.has(folder)) continue;
      if (one.at !== undefined && valuesAt(await data.read(file), one.at).length === 0) continue;
      const { service, strength, at, path } = one;
      const said = at === undefined ? { kind: 'file' as const, name: path } : { kind: 'key' as const, name: nameOfKey(path, at) };
      found.push({ service, strength, ...said, file, folder });
    }
  }
  return found;
}

/** Files are looked up by their name without folders. A name with `*` is found by the first letters that stand before it. */
class ByName {
  readonly #whole = new Map<string, Wanted[]>();
  readonly #beginnings = new Map<string, Wanted[]>();
  readonly #lengths = new Set<number>();

  constructor(services: readonly Service[]) {
    for (const [service, one] of services.entries()) {
      for (const [strength, { files, holds }] of signalsOf(one)) {
        for (const path of files ?? []) this.#add({ service, strength, path, pattern: patternOf(path), ending: tailOf(path) });
        for (const { file, at } of holds ?? [])
          this.#add({ service, strength, path: file, at, pattern: patternOf(file), ending: tailOf(file) });
      }
    }
  }

  /** Most files are no signal. They all get one empty list, because a large repository has many. */
  of(name: string): readonly Wanted[] {
    let found = this.#whole.get(name) ?? none;
    for (const length of this.#lengths) {
      const more = name.length < length ? undefined : this.#beginnings.get(name.slice(0, length));
      const asking = more?.filter(({ ending }) => name.endsWith(ending)) ?? none;
      if (asking.length > 0) found = [...found, ...asking];
    }
    return found;
  }

  #add(wanted: Wanted): void {
    const name = baseOf(wanted.path);
    const star = name.indexOf('*');
    const length = Math.min(star, letters);
    const [map, key] = star < 0 ? [this.#whole, name] : [this.#beginnings, name.slice(0, length)];
    if (star >= 0) this.#lengths.add(length);
    const known = map.get(key);
    if (known) known.push(wanted);
    else map.set(key, [wanted]);
  }
}

const none: readonly Wanted[] = [];

/** So few that a file needs few look-ups, and so many that few patterns share them. */
const letters = 4;

/** Without it, each file of a repository would be asked about `.eas/workflows/*.yml`. */
const tailOf = (path: string): string => (baseOf(path).includes('*') ? path.slice(path.lastIndexOf('*') + 1) : '');

/** `*` stands for a part of one name. */
function patternOf(path: string): RegExp | null {
  if (!path.includes('*')) return null;
  const parts = path.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(?:^|/)${parts.join('[^/]*')}$`);
}

/** The folder from which the path of a signal leads to the file; `null` if it leads to another file. */
function folderBefore(file: string, { path, pattern }: Wanted): string | null {
  if (pattern === null) {
    if (file === path) return '';
    return file.endsWith(`/${path}`) ? file.slice(0, -path.length - 1) : null;
  }
  const match = pattern.exec(file);
  return match ? file.slice(0, match.index) : null;
}
