import type { HostEvidence } from '../facts.ts';
import { folderOf, isIn, pathFrom } from '../paths.ts';
import { isReport } from '../readers/uploads.ts';
import { isOrchestrator } from '../units/roles.ts';
import type { Candidate } from './candidates.ts';

/** The folders of a repository as evidence needs them. */
export interface Ground {
  readonly candidates: readonly Candidate[];
  /** All units, with the shells of apps among them. */
  readonly all: readonly Candidate[];
  readonly folders: ReadonlySet<string>;
}

/** Hosts from which people install an app. */
const stores = new Set(['app_stores', 'expo_eas']);

/**
 * Gives evidence the folder that it is about, before it is placed: an app instead of its project for one system, an app that is installed
 * instead of the site beside it, what an orchestrator starts instead of itself. What is about no app goes away.
 */
export const aimed = (evidence: readonly HostEvidence[], ground: Ground): readonly HostEvidence[] =>
  evidence.flatMap((one) => {
    if (isAboutNothing(one, ground)) return [];
    if (stores.has(one.provider)) return installed(one, ground);
    const shell = appOfShell(one.folder, ground.all);
    return started(shell === null ? withFolder(one, ground) : { ...one, folder: shell }, ground);
  });

/** A folder that a workflow builds as an image, and that has no manifest, is deployed for itself. */
function withFolder(one: HostEvidence, { candidates, folders }: Ground): HostEvidence {
  const [path = '', ...more] = one.targets ?? [];
  if (one.folder !== '' || path === '' || more.length > 0 || !folders.has(path)) return one;
  return candidates.some(({ folder }) => folder !== '' && isIn(path, folder)) ? one : { ...one, folder: path };
}

/** A report is no app, and functions of a folder without a file are none. */
function isAboutNothing({ folder, product, by, targets = [] }: HostEvidence, { folders }: Ground): boolean {
  if (folder === '' || folders.has(folder))
    return targets.length > 0 && targets.every(isReport) && !targets.some((one) => folders.has(one));
  return (product === 'functions' && by === 'config') || isReport(folder);
}

/** Projects that a tool makes for each system of one app. */
const systems = /^(?:android|ios|macos|windows|linux|src-tauri)(?:\/|$)/;

/** The app whose project for one system a folder is; `null` for every other folder. */
export function appOfShell(folder: string, candidates: readonly Candidate[]): string | null {
  const app = candidates.find(
    ({ folder: above, framework }) =>
      isIn(folder, above) &&
      folder !== above &&
      (framework?.kind === 'mobile' || framework?.kind === 'desktop') &&
      systems.test(pathFrom(above, folder)),
  );
  return app?.folder ?? null;
}

/** Evidence of a store is about an app that is installed. A site has its evidence only with a project for phones inside. */
function installed(one: HostEvidence, { candidates, all, folders }: Ground): readonly HostEvidence[] {
  const mobile = candidates.filter(({ framework }) => framework?.kind === 'mobile');
  const shell = appOfShell(one.folder, all);
  if (shell !== null) return [{ ...one, folder: shell }];
  const here = candidates.find(({ folder }) => folder === one.folder);
  if (!here || here.framework?.kind === 'mobile') return [one];
  const inside = mobile.filter(({ folder }) => isIn(folder, one.folder));
  if (inside.length > 0) return inside.map(({ folder }) => ({ ...one, folder }));
  if (hasShell(here, folders)) return [one];
  if (one.folder !== '' && mobile.length === 1) return mobile.map(({ folder }) => ({ ...one, folder }));
  return here.framework?.kind === 'web' || here.framework?.kind === 'static' ? [] : [one];
}

const hasShell = ({ folder, unit }: Candidate, folders: ReadonlySet<string>): boolean =>
  ['ios', 'android'].some((name) => folders.has(folder === '' ? name : `${folder}/${name}`)) ||
  (unit?.manifests ?? []).some(({ packages }) => packages.some(({ name }) => /^(?:@capacitor\/|cordova|expo$|react-native)/.test(name)));

/** `azd` deploys the projects that an orchestrator starts. */
function started(one: HostEvidence, { candidates }: Ground): readonly HostEvidence[] {
  const unit = candidates.find(({ folder }) => folder === one.folder)?.unit;
  if (!unit?.manifests.some(isOrchestrator) || one.by === 'word') return [one];
  const apps = candidates.filter(({ folder, isApp }) => isApp && unit.reaches.includes(folder));
  return apps.length === 0 ? [one] : apps.map(({ folder }) => ({ ...one, folder }));
}

/** All folders that hold a file, themselves or below. */
export function foldersIn(direct: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>(['']);
  for (const folder of direct) for (let at = folder; !all.has(at); at = folderOf(at)) all.add(at);
  return all;
}
