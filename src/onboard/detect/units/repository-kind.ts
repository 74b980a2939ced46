import type { Gathered } from '../gather.ts';
import type { Evidence } from '../ids.ts';
import { listingOf } from '../listing.ts';
import { folderOf } from '../paths.ts';
import type { Deployable, Unit } from '../survey.ts';
import { isPlaceholder, roleOfPath } from './roles.ts';

/** Files of tools that make new repositories of this one. */
const templateFiles =
  /^(?:cookiecutter\.json|copier\.ya?ml|\.copier-answers\.yml\.jinja|\.template\.config\/template\.json|template\.json|scaffold\.ya?ml|plopfile\.template|hooks\/post_gen_project\.(?:py|sh)|remix\.init\/index\.[cm]?[jt]s)$/;

/** What shows that the repository is copied to begin others; `null` if nothing does. */
export function templateOf({ files, manifests }: Pick<Gathered, 'files' | 'manifests'>): Evidence | null {
  const { names, folders } = listingOf(files);
  const file = files.find((one) => templateFiles.test(one));
  if (file !== undefined) return { file, what: '' };
  const mayBePlaced = [...names.keys(), ...folders.keys()].some((name) => placeholderSign.test(name));
  const placed = mayBePlaced ? files.find(isPlaced) : undefined;
  if (placed !== undefined) return { file: placed, what: 'placeholder in the name' };
  // A template inside an app makes files of the app. The manifest of the root makes the repository.
  const named = manifests.find((manifest) => folderOf(manifest.file) === '' && manifest.name !== null && isPlaceholder(manifest.name));
  return named ? { file: named.file, what: `name ${named.name}` } : null;
}

/** Every placeholder has one of these. Most repositories have none, and then no path is looked at. */
const placeholderSign = /[{<]|(?:^|\/)__/;

/** The name of a folder or file is replaced. A generator inside an app has such names deeper, or in a folder that says so. */
function isPlaced(file: string): boolean {
  // Most files have no sign of a placeholder.
  if (!/[{<]|__/.test(file)) return false;
  const parts = file.split('/');
  const at = parts.findIndex((part) => isPlaceholder(part));
  return at >= 0 && at < 2 && roleOfPath(parts.slice(0, at).join('/')) === null;
}

/** What shows that the repository is a library: a published package, and nothing that is deployed. */
export function libraryOf(units: readonly Unit[], deployables: readonly Deployable[]): Evidence | null {
  if (deployables.length > 0) return null;
  const [unit] = units.filter(({ role }) => role === 'library');
  const manifest = unit?.manifests.find(({ isPublished }) => isPublished === true) ?? unit?.manifests[0];
  return manifest
    ? { file: manifest.file, what: manifest.name === null ? 'package for others' : `package for others ${manifest.name}` }
    : null;
}

/** Manifests and builds of tools whose lists of packages say which services an app uses. */
const formats: readonly (readonly [format: string, name: RegExp])[] = [
  ['Bazel', /^(?:MODULE\.bazel|WORKSPACE(?:\.bazel)?|BUILD\.bazel)$/],
  ['Buck', /^\.buckconfig$/],
  ['Nix', /^(?:flake|default|shell)\.nix$/],
  ['sbt', /^build\.sbt$/],
  ['Mill', /^build\.(?:sc|mill)$/],
  ['Leiningen', /^project\.clj$/],
  ['Clojure CLI', /^deps\.edn$/],
  ['Haskell', /^(?:stack\.yaml|package\.yaml|.+\.cabal)$/],
  ['OCaml', /^(?:dune-project|.+\.opam)$/],
  ['Julia', /^Project\.toml$/],
  ['R', /^(?:DESCRIPTION|renv\.lock)$/],
  ['Perl', /^(?:cpanfile|Makefile\.PL)$/],
  ['Crystal', /^shard\.yml$/],
  ['Elm', /^elm\.json$/],
  ['Nim', /^.+\.nimble$/],
  ['Zig', /^build\.zig(?:\.zon)?$/],
  ['D', /^dub\.(?:json|sdl)$/],
  ['Erlang', /^rebar\.config$/],
  ['Gleam', /^gleam\.toml$/],
  ['Conan', /^conanfile\.(?:txt|py)$/],
  ['vcpkg', /^vcpkg\.json$/],
  ['CMake', /^CMakeLists\.txt$/],
  ['conda', /^environment\.ya?ml$/],
  ['Pants', /^pants\.toml$/],
  ['Earthly', /^Earthfile$/],
  ['Dagger', /^dagger\.json$/],
  ['Deno', /^deno\.jsonc?$/],
  ['Carthage', /^Cartfile$/],
  ['LuaRocks', /^.+\.rockspec$/],
  ['Racket', /^info\.rkt$/],
  ['Vlang', /^v\.mod$/],
  ['PowerShell', /^.+\.psd1$/],
];

/** Most files are of none of them, and one expression says so. */
const anyFormat = new RegExp(formats.map(([, { source }]) => source).join('|'));

/** The formats of packages that no reader takes, each with its file nearest to the root. */
export function unreadIn(
  files: readonly string[],
  isRead: (file: string) => boolean,
): readonly { readonly format: string; readonly file: string }[] {
  const found = new Map<string, number>();
  const take = (format: string, place: number): void => void found.set(format, Math.min(place, found.get(format) ?? place));
  for (const { name, places } of listingOf(files).names.values()) {
    if (!anyFormat.test(name)) continue;
    const place = places.find((one) => !isRead(files[one] ?? ''));
    if (place !== undefined) for (const [format, pattern] of formats) if (pattern.test(name)) take(format, place);
  }
  return [...found].map(([format, place]) => ({ format, file: files[place] ?? '' })).sort((a, b) => (a.format < b.format ? -1 : 1));
}
