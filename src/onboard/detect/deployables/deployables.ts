import type { HostEvidence, VariableUse } from '../facts.ts';
import { listingOf } from '../listing.ts';
import { baseOf, folderOf, inFolder } from '../paths.ts';
import type { Deployable, Unit } from '../survey.ts';
import { aimed, appOfShell, foldersIn } from './aim.ts';
import { bare, type Candidate, candidatesOf, startsExample } from './candidates.ts';
import { chooseHost } from './choice.ts';
import { fromManifests, madeInBuilds } from './from-manifests.ts';
import { fromVariables } from './from-variables.ts';
import { kindOf, nameOf } from './kind.ts';
import { place } from './place.ts';

export interface Given {
  readonly units: readonly Unit[];
  /** What all files say about hosts. */
  readonly hosts: readonly HostEvidence[];
  /** The paths of all files. */
  readonly files: readonly string[];
  readonly variables?: readonly VariableUse[];
  /** CI publishes an image of the repository. */
  readonly isImagePublished?: boolean;
}

/**
 * What a repository deploys, and the host of each. A folder counts that a host's file or a workflow deploys, or one with a framework that
 * runs. The strongest evidence names the host; a helper, an example or a package of types is no app.
 */
export function deployablesOf({ units, hosts, files, variables = [], isImagePublished = false }: Given): readonly Deployable[] {
  const all = candidatesOf(units, files);
  const candidates = withoutShells(all);
  const evidence = aimed(
    [
      ...withoutSites(isImagePublished ? withoutStarter(hosts, files) : hosts).filter(
        ({ isMaker, provider, folder }) =>
          isMaker !== true && (provider !== 'streamlit_cloud' || !files.includes(inFolder(folder, 'Dockerfile'))),
      ),
      ...candidates.flatMap(({ unit }) => (unit ? fromManifests(unit).filter(({ isWithoutSite }) => isWithoutSite !== true) : [])),
      ...fromVariables(variables, candidates),
    ],
    { candidates, all, folders: foldersIn(listingOf(files).folders.keys()) },
  );
  const found = [...place(evidence, candidates, files)].flatMap(([folder, own]) => {
    const candidate = candidates.find((one) => one.folder === folder) ?? bare(folder, files);
    return isDeployed(candidate, own) ? [deployable(candidate, own)] : [];
  });
  const missing = found.length > 0 ? [] : fallback(candidates);
  return withoutList(withoutContent([...found, ...missing], candidates)).sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/**
 * A Procfile beside a Dockerfile is read by whoever runs the image. Where CI publishes that image and nothing else names Heroku, it is no
 * sign of Heroku.
 */
function withoutStarter(hosts: readonly HostEvidence[], files: readonly string[]): readonly HostEvidence[] {
  const isStarter = ({ provider, file }: HostEvidence): boolean =>
    provider === 'heroku' && baseOf(file) === 'Procfile' && files.includes(inFolder(folderOf(file), 'Dockerfile'));
  if (hosts.some((one) => one.provider === 'heroku' && one.by !== 'word' && !isStarter(one))) return hosts;
  return hosts.filter((one) => !isStarter(one));
}

const isSite = ({ provider }: HostEvidence): boolean => provider === 'firebase_hosting';

/**
 * A project of Firebase may hold a site that its owner shows elsewhere. Where all deployments name other parts (`--only functions`), the
 * settings of a site are no sign of one.
 */
function withoutSites(hosts: readonly HostEvidence[]): readonly HostEvidence[] {
  const others = hosts.filter(({ isWithoutSite }) => isWithoutSite !== true);
  const isDeployed = others.some((one) => isSite(one) && one.by !== 'config' && one.by !== 'word');
  return others.length === hosts.length || isDeployed ? others : others.filter((one) => !isSite(one));
}

function deployable(candidate: Candidate, own: readonly HostEvidence[]): Deployable {
  const { host, others } = chooseHost(own, candidate.framework);
  const made = host && candidate.unit ? madeInBuilds(candidate.unit, host.provider) : [];
  return {
    folder: candidate.folder,
    name: nameOf(candidate, host),
    kind: kindOf(candidate, host),
    framework: candidate.framework?.name ?? null,
    host: host && { ...host, evidence: [...host.evidence, ...made] },
    others,
  };
}

/** An app for phones or desktops holds projects of other tools for each system, and Phoenix a package for its assets. They are no apps. */
function withoutShells(candidates: readonly Candidate[]): readonly Candidate[] {
  const isShell = (folder: string): boolean =>
    candidates.some(({ folder: app, framework }) => {
      const rest = app === '' ? folder : folder.startsWith(`${app}/`) ? folder.slice(app.length + 1) : '';
      if (framework?.name === 'phoenix') return rest === 'assets' || rest.endsWith('/assets');
      return framework?.name === 'android' && rest !== '' && app !== '';
    }) || appOfShell(folder, candidates) !== null;
  return candidates.filter(({ folder }) => folder === '' || !isShell(folder));
}

/** A root whose manifest only lists the packages of the apps inside it is none: these have hosts, and no manifests of their own. */
function withoutList(found: readonly Deployable[]): Deployable[] {
  const inner = found.filter(({ folder }) => folder !== '');
  const isList = inner.length > 1 && inner.every(({ host }) => host !== null && host.product !== 'functions');
  return found.filter(({ folder, host }) => folder !== '' || host !== null || !isList);
}

/**
 * The image of a root that has no framework holds the app inside it, if no other host has that app: `dotnet publish /src/Api`. The root is
 * deployed, and the app's folder is its code.
 */
function withoutContent(found: readonly Deployable[], candidates: readonly Candidate[]): readonly Deployable[] {
  const root = found.find(({ folder }) => folder === '');
  const hasImage = candidates.some(({ folder, own }) => folder === '' && own.has('Dockerfile'));
  const [content, ...more] = found.filter(
    ({ folder, host, kind }) => folder !== '' && host === null && (kind === 'web' || kind === 'worker'),
  );
  if (!root?.host || root.framework !== null || !hasImage || !content || more.length > 0) return found;
  return found.filter((one) => one !== content).map((one) => (one === root ? { ...root, framework: content.framework } : one));
}

const deploying = new Set<HostEvidence['by']>(['preview', 'deploy', 'link']);
const aside = new Set<Unit['role']>(['example', 'test', 'docs', 'template', 'helper']);
/** Hosts on which a library shows its documentation. */
const showcases = new Set(['github_pages', 'gitlab_pages', 'surge']);

/** Tells whether a folder is deployed. What its role says needs stronger evidence against it. */
function isDeployed(candidate: Candidate, own: readonly HostEvidence[]): boolean {
  const role = candidate.unit?.role ?? null;
  if (role === 'library') return own.some(({ by, provider }) => deploying.has(by) && !showcases.has(provider));
  if (role !== null && aside.has(role))
    return own.some(({ by }) => deploying.has(by)) || (role === 'docs' && own.some(({ by }) => by === 'config'));
  const isHosted = own.some(({ by }) => deploying.has(by) || by === 'config');
  if (role === 'package' || role === null) return isHosted || candidate.isApp;
  return isHosted || candidate.isApp || own.some(({ by }) => by === 'script');
}

/** Without any sign of a deployed folder, each app is one: its services may still be known. */
function fallback(candidates: readonly Candidate[]): readonly Deployable[] {
  if (candidates.some(({ unit }) => unit?.role === 'library')) return [];
  const apps = candidates.filter(
    ({ unit, hasProgram }) => unit?.role === 'app' && unit.manifests.length > 0 && !unit.manifests.some(startsExample) && hasProgram,
  );
  const root = apps.filter(({ folder }) => folder === '');
  return (root.length > 0 ? root : apps).map((candidate) => deployable(candidate, []));
}
