import { frameworkOf } from '../deployables/frameworks.ts';
import type { Manifest } from '../facts.ts';
import { compare, folderOf, foldersAbove } from '../paths.ts';
import type { Role, Unit } from '../survey.ts';
import { type Graph, graphOf, reachOf } from './graph.ts';
import { hasNoProgram, hasNoStart, isDjangoProject } from './layout.ts';
import { isHelperPackage, isOrchestrator, isPlaceholder, isSite, placeOf, roleOfPath, roleOfUnit } from './roles.ts';

/** The units of a repository: its folders with a role each, and the graph that they were made of. */
export interface Units {
  readonly list: readonly Unit[];
  readonly graph: Graph;
  /** Tells whether a folder may be an app by what its own files and its name say. */
  readonly mayBeApp: (folder: string) => boolean;
  /** The unit that a file or a folder belongs to: the nearest folder above. */
  readonly ownerOf: (path: string) => Unit;
}

/** The units by what their manifests and names say. `app` means only that a unit may be deployed. */
export const unitsOf = (manifests: readonly Manifest[], files: readonly string[]): Units =>
  withRoles(graphOf(manifests, []), (folder, graph) => firstRole(folder, graph, files));

/** The same once it is known what is deployed: each of these folders is an app, and nothing else is. */
export function withDeployed(first: Units, manifests: readonly Manifest[], deployed: readonly string[]): Units {
  const graph = graphOf(manifests, deployed);
  const before = new Map(first.list.map(({ folder, role }) => [folder, role]));
  const roleOf = (folder: string): Role => {
    const role = before.get(folder) ?? 'package';
    return deployed.includes(folder) ? 'app' : role === 'app' ? 'package' : role;
  };
  // An app that uses another takes its types or asks it over the network. The other one's code runs where that is deployed.
  return { ...withRoles(graph, roleOf, new Set(deployed)), mayBeApp: (folder) => before.get(folder) === 'app' };
}

function withRoles(graph: Graph, roleOf: (folder: string, graph: Graph) => Role, ends: ReadonlySet<string> = new Set()): Units {
  const roles = raised(new Map([...graph.keys()].map((folder) => [folder, roleOf(folder, graph)])), graph);
  const mayPass = (folder: string): boolean => !ends.has(folder) && ['app', 'package', 'library'].includes(roles.get(folder) ?? 'package');
  const list = [...graph.values()].map(
    ({ folder, manifests }): Unit => ({
      folder,
      manifests,
      role: roles.get(folder) ?? 'package',
      reaches: reachOf(folder, graph, mayPass),
    }),
  );
  const byFolder = new Map(list.map((unit) => [unit.folder, unit]));
  return {
    list: list.sort((a, b) => compare(a.folder, b.folder)),
    graph,
    mayBeApp: (folder) => roles.get(folder) === 'app',
    ownerOf: (path) => ownerIn(byFolder, path),
  };
}

function ownerIn(byFolder: ReadonlyMap<string, Unit>, path: string): Unit {
  for (const folder of foldersAbove(byFolder.has(path) ? path : folderOf(path))) {
    const unit = byFolder.get(folder);
    if (unit) return unit;
  }
  throw new Error('the root is always a unit');
}

function firstRole(folder: string, graph: Graph, files: readonly string[]): Role {
  const { manifests = [] } = graph.get(folder) ?? {};
  const named = manifests.filter(({ name }) => name !== null);
  if (folder !== '' && named.some(({ name }) => isPlaceholder(name ?? ''))) return 'template';
  const role = roleOfUnit(folder);
  if (role !== null) return role;
  if (named.length > 0 && (named.every(isHelperPackage) || named.some(isOrchestrator))) return 'helper';
  const framework = frameworkOf({ manifests }, []);
  const isApp = framework !== null && framework.isWeak !== true;
  const isListed = manifests.some(
    ({ isPublished, ecosystem }) => isPublished === true && !(ecosystem === 'pypi' && isDjangoProject(folder, files)),
  );
  if (isListed || (!isApp && hasNoProgram(folder, manifests, files))) return 'library';
  if (folder === '') return 'app';
  if (isSite(folder, manifests)) return 'app';
  const place = placeOf(folder);
  const isPart = isUsed(folder, graph);
  if (place === 'apps') return isPart && !isApp && hasNoStart(folder, manifests, files) ? 'package' : 'app';
  if (isPart) return 'package';
  return place === 'packages' && !isApp ? 'package' : 'app';
}

/** Tells whether another folder uses this one. Examples, tests and docs do not count: they use apps as well. */
function isUsed(folder: string, graph: Graph): boolean {
  for (const other of graph.values()) if (other.uses.has(folder) && roleOfPath(other.folder) === null) return true;
  return false;
}

/** A folder called `templates` or `tools` whose package an app uses when it runs is a package like others. */
function raised(first: ReadonlyMap<string, Role>, graph: Graph): ReadonlyMap<string, Role> {
  const roles = new Map(first);
  for (const [folder, role] of first) {
    if (role !== 'app' && role !== 'package') continue;
    for (const used of usedWhenRunning(folder, graph)) {
      const its = roles.get(used);
      if (its === 'helper' || its === 'template' || its === 'docs') roles.set(used, 'package');
    }
  }
  return roles;
}

function usedWhenRunning(folder: string, graph: Graph): readonly string[] {
  const { manifests = [], uses = [] } = graph.get(folder) ?? {};
  const runtime = new Set(manifests.flatMap(({ packages }) => packages.filter(({ use }) => use === 'runtime').map(({ name }) => name)));
  return [...uses].filter((used) => graph.get(used)?.manifests.some(({ name }) => name !== null && runtime.has(name)));
}
