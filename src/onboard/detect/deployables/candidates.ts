import { listingOf } from '../listing.ts';
import { folderOf, pathFrom } from '../paths.ts';
import type { Unit } from '../survey.ts';
import { isAside, placeOf, roleOfPath } from '../units/roles.ts';
import { type Framework, frameworkOf } from './frameworks.ts';

/** A folder that may be deployed, with what shows it. */
export interface Candidate {
  readonly folder: string;
  readonly unit: Unit | null;
  readonly framework: Framework | null;
  /** Names of files in the folder itself. */
  readonly own: ReadonlySet<string>;
  /** Its own files and packages show an app. */
  readonly isApp: boolean;
  /** Code that can be started: Go and Rust show it by the names of files, and other languages do not. */
  readonly hasProgram: boolean;
}

/** The units as folders that may be deployed. */
export function candidatesOf(units: readonly Unit[], files: readonly string[]): readonly Candidate[] {
  const folders = new Map(units.map((unit) => [unit.folder, { unit, own: new Set<string>(), near: [] as string[] }]));
  for (const [folder, names] of listingOf(files).folders) {
    const here = folders.get(folder);
    if (here) for (const name of names) here.own.add(name);
    // `bin/rails` is the only file below a folder that shows a framework.
    if (pathFrom(folderOf(folder), folder) === 'bin' && names.includes('rails')) folders.get(folderOf(folder))?.near.push('bin/rails');
  }
  const used = new Set(units.flatMap(({ reaches }) => reaches));
  return [...folders].map(([folder, { unit, own, near }]) => {
    const framework = frameworkOf(unit, [...own, ...near]);
    return {
      folder,
      unit,
      framework,
      own,
      isApp: isApp(unit, framework, own) || isServer(unit, framework, used),
      hasProgram: hasProgram(unit, files),
    };
  });
}

/** A folder that is no unit, because it has no manifest. */
export const bare = (folder: string, files: readonly string[]): Candidate => ({
  folder,
  unit: null,
  framework: null,
  own: new Set(files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1))),
  isApp: false,
  hasProgram: true,
});

const hasStart = (manifest: Unit['manifests'][number]): boolean =>
  'start' in manifest.scripts && !startsExample(manifest) && !startsOthers(manifest);

/** Its script starts several folders at once, so they are the apps: `concurrently "cd api && npm start" "npm start --prefix web"`. */
export function startsOthers({ scripts }: Unit['manifests'][number]): boolean {
  const text = (scripts.start ?? '').slice(0, 1000);
  if (!/(?:^|[\s;&|"'/])(?:concurrently|npm-run-all|run-p|turbo|nx|lerna)\s/.test(text)) return false;
  const named = [...text.matchAll(/\bnpm:([\w:.-]+)|\b(?:npm|yarn|pnpm|bun) (?:run )?([\w:.-]+)/g)].flatMap(
    ([, short, long]) => scripts[short ?? long ?? ''] ?? [],
  );
  const inner = /(?:^|[\s;&|"'])cd [\w./-]+|--prefix[ =]|--cwd[ =]|\s(?:-C|-w|--workspace|--filter|-F|--dir)[ =]|\byarn workspace /g;
  const goes = [text, ...named].join(' ; ').slice(0, 4000).match(inner) ?? [];
  return goes.length > 1 || /(?:^|[\s;&|"'/])(?:turbo|nx|lerna)\s/.test(text);
}

/** Its script starts an example or a test, so what it describes is no app. */
export function startsExample({ scripts: { start = '' } }: Unit['manifests'][number]): boolean {
  const words = start.slice(0, 1000).split(/[\s&|;"']+/);
  return words.some((word) => roleOfPath(word) === 'example' || (/\/[\w.-]+\.\w+$/.test(word) && isAside(word.replace(/^\.\//, ''))));
}

/** A manifest that says of itself that it is started: nobody publishes it, and it has a script for that. */
const isOwnServer = (manifest: Unit['manifests'][number]): boolean =>
  isAspNet(manifest) || (manifest.isPublished === false && hasStart(manifest));

const isAspNet = ({ packages }: Unit['manifests'][number]): boolean => packages.some(({ name }) => name === 'Microsoft.NET.Sdk.Web');

/** A project whose kind is a server, such as one of ASP.NET or one that a plugin of Gradle or Maven makes a program of. */
const isWebProject = ({ packages }: Unit['manifests'][number]): boolean =>
  packages.some(({ name }) =>
    /^(?:Microsoft\.NET\.Sdk\.Web$|org\.springframework\.boot:(?:org\.springframework\.boot\.gradle\.plugin|spring-boot-maven-plugin)$|io\.ktor\.plugin:|io\.quarkus:)/.test(
      name,
    ),
  );

/** A module that answers requests and that no other uses, although its place in the repository is that of a package. */
const isServer = ({ role, folder, manifests }: Unit, framework: Framework | null, used: ReadonlySet<string>): boolean =>
  role === 'package' &&
  folder !== '' &&
  !/storybook/.test(folder) &&
  framework?.kind === 'web' &&
  !framework.isWeak &&
  (!used.has(folder) || manifests.some(isOwnServer)) &&
  // The packages of npm beside a server of another kind make its assets.
  (manifests.some(isWebProject) || manifests.every((manifest) => manifest.ecosystem !== 'npm' || hasStart(manifest)));

function hasProgram({ folder, manifests }: Unit, files: readonly string[]): boolean {
  const before = folder === '' ? '' : `${folder}/`;
  const has = (pattern: RegExp): boolean => files.some((file) => file.startsWith(before) && pattern.test(file.slice(before.length)));
  if (manifests.some(({ ecosystem }) => ecosystem !== 'go' && ecosystem !== 'cargo')) return true;
  if (manifests.some(({ ecosystem }) => ecosystem === 'go')) return has(/^main\.go$|^(?:cmd|app|server|functions?)\/(?:.*\/)?[\w-]+\.go$/);
  return manifests.length === 0 || has(/^src\/(?:main\.rs|bin\/)/);
}

function isApp(unit: Unit, framework: Framework | null, own: ReadonlySet<string>): boolean {
  // Storybook shows parts of other apps.
  if (unit.role !== 'app' || /storybook/.test(unit.folder)) return false;
  const isWorkspace = unit.manifests.some(({ members }) => members.length > 0);
  if (framework && !framework.isWeak) return true;
  // The root of a workspace builds what its members are, and its image holds one of them.
  if (isWorkspace) return false;
  const scripts = new Set(unit.manifests.flatMap((manifest) => Object.keys(manifest.scripts)));
  const isStarted = unit.manifests.some(hasStart);
  if (framework && unit.manifests.some(startsOthers) && !own.has('index.html')) return false;
  if (framework) return scripts.has('build') || isStarted || own.has('index.html') || own.has('Dockerfile') || scripts.size === 0;
  // `services/worker` runs without a framework.
  const isPlaced = placeOf(unit.folder) === 'apps' && unit.manifests.some(({ packages }) => packages.some(({ use }) => use === 'runtime'));
  return isPlaced || own.has('Dockerfile') || own.has('Procfile') || isStarted;
}
