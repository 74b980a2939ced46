import type { HostEvidence } from '../facts.ts';
import type { Candidate } from './candidates.ts';
import { filesOnly } from './choice.ts';

/** Folders that hold configurations for the app beside or above them. */
const besides = new Set([
  '.github',
  'fly.io',
  'render',
  'heroku',
  'railway',
  'vercel',
  'netlify',
  '.circleci',
  '.do',
  '.digitalocean',
  '.aws',
  '.azure',
  '.fly',
  '.platform',
  '.upsun',
  '.heroku',
  'deploy',
  'deployment',
  'deployments',
  'infra',
  'infrastructure',
  'ops',
  'devops',
  'config',
  'configs',
  'conf',
  'docker',
  'k8s',
  'kubernetes',
  'helm',
  'charts',
  'chart',
  'manifests',
  'ci',
  'etc',
  'build',
  'cloud',
  'aws',
  'gcp',
  'azure',
  'fly',
  'terraform',
  'hosting',
  'envs',
  'environments',
  'copilot',
  'scripts',
  'bin',
  'tools',
]);

/** Words in the names of such folders: `helm_deploy`, `k8s-manifests`. */
const besideWords = new Set([
  'helm',
  'chart',
  'charts',
  'k8s',
  'kube',
  'kubernetes',
  'terraform',
  'deploy',
  'deployment',
  'infra',
  'manifests',
]);

const isBesideApp = (name: string): boolean => besides.has(name) || name.split(/[-_]/).some((word) => besideWords.has(word));

/** Apps for phones go to these hosts. */
const stores = new Set(['app_stores', 'expo_eas']);

/** Gives each folder its evidence. What names no folder of its own goes to the app that it means. */
export function place(
  evidence: readonly HostEvidence[],
  candidates: readonly Candidate[],
  files: readonly string[],
): ReadonlyMap<string, readonly HostEvidence[]> {
  const units = new Map(candidates.map((candidate) => [candidate.folder, candidate]));
  const placed = new Map<string, HostEvidence[]>();
  const put = (folder: string, one: HostEvidence): void => void placed.set(folder, [...(placed.get(folder) ?? []), { ...one, folder }]);
  for (const { folder, isApp } of candidates) if (isApp) placed.set(folder, []);

  const apps = candidates.filter(({ isApp }) => isApp);
  const installed = apps.filter(({ framework }) => framework?.kind === 'mobile');
  // Infrastructure that names no app is that of the only one there is.
  const beside = (one: HostEvidence): void => {
    const app = units.has(one.folder) && one.folder !== '' ? units.get(one.folder) : undefined;
    const served = servedOf(apps.some(({ folder }) => folder === '') ? apps.filter(({ folder }) => folder === '') : appsInside(candidates));
    const [only, ...more] = app ? [app] : served;
    if (only && more.length === 0) put(only.folder, one);
  };
  const later: HostEvidence[] = [];
  const inside: HostEvidence[] = [];
  for (const one of evidence) {
    const named = targetOf(one.isBeside ? { ...one, folder: '' } : one, candidates);
    if (named !== null) put(named, one);
    else if (one.isBeside) beside(one);
    else if (stores.has(one.provider) && installed.length === 1 && !units.get(one.folder)?.isApp) put(installed[0]?.folder ?? '', one);
    else if (one.folder === '') later.push(one);
    else if (units.has(one.folder) || one.product === 'functions') put(one.folder, one);
    else inside.push(one);
  }
  for (const one of inside) {
    if (!isStrong(one)) continue;
    const folder = folderOfInside(one, units, new Map([...placed, ['', [...(placed.get('') ?? []), ...later]]]), files);
    // A chart or a manifest of Kubernetes often has the name of the app.
    const named = folder === one.folder || folder === null ? null : targetOf({ ...one, folder: '', targets: namesIn(one) }, apps);
    if (named === null && folder === '') later.push({ ...one, folder });
    else if (folder !== null) put(named ?? folder, one);
  }
  // Configurations of several hosts at the root compete for the same apps.
  const before = new Map(placed);
  for (const one of later)
    for (const folder of foldersOfRoot(one, candidates, before)) put(folder, folder === '' ? one : withoutIds(one, candidates));
  return placed;
}

/** A folder that a configuration names and that is no app: a leftover, or the output of a build at the root. */
const isPath = (target: string): boolean => target.includes('/') && !target.startsWith('@') && !/\.(?:toml|jsonc?|ya?ml)$/.test(target);

/** Names that a path gives an app: `charts/web/Chart.yaml`, `k8s/web.yaml`. */
const namesIn = ({ folder, file }: HostEvidence): readonly string[] => [
  folder.slice(folder.lastIndexOf('/') + 1),
  file.slice(file.lastIndexOf('/') + 1).replace(/\..*$/, ''),
];

const isStrong = ({ by }: HostEvidence): boolean => by === 'preview' || by === 'deploy' || by === 'link' || by === 'config';

/** The folders inside that are apps, if the root itself is none. */
function appsInside(candidates: readonly Candidate[]): readonly Candidate[] {
  const root = candidates.find(({ folder }) => folder === '');
  if (root?.isApp) return [];
  const isInstalled = ({ framework }: Candidate): boolean => framework?.kind === 'mobile' || framework?.kind === 'desktop';
  return candidates.filter((one) => one.folder !== '' && !isInstalled(one) && (one.isApp || isMember(one.folder, one.unit, root)));
}

/** The apps that answer requests; without any, those that have an address, and then all. */
function servedOf(apps: readonly Candidate[]): readonly Candidate[] {
  const web = apps.filter(({ framework }) => framework?.kind === 'web' && !framework.isWeak);
  const served = web.length > 0 ? web : apps.filter(({ framework }) => framework?.kind === 'web' || framework?.kind === 'static');
  return served.length > 0 ? served : apps;
}

/** The unit that a workflow or a configuration names: by its package, its folder, or the name of its app. */
function targetOf(one: HostEvidence, candidates: readonly Candidate[]): string | null {
  const inner = candidates.filter(({ folder }) => folder !== '');
  for (const target of one.targets ?? []) {
    const path = target.replace(/^\.?\//, '').replace(/\.{3}$|^\.{3}|^\{|\}$/g, '');
    const hit = inner.filter((candidate) => candidate.folder === path || isWithin(path, candidate.folder) || namesOf(candidate).has(path));
    const [only] = hit.toSorted((a, b) => b.folder.length - a.folder.length);
    if (only && (hit.length === 1 || isWithin(path, only.folder))) return only.folder;
  }
  if (one.folder !== '') return null;
  const apps = inner.filter(({ isApp }) => isApp);
  const names = [one.ids.application, one.ids.project_name, one.ids.service, one.ids.name, one.ids.app].flatMap(
    (name) => name?.toLowerCase() ?? [],
  );
  const hit = apps.filter((candidate) => names.some((name) => isNamed(name, candidate)));
  return apps.length > 1 && hit.length === 1 ? (hit[0]?.folder ?? null) : null;
}

const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** `acme-web` and `web-preview` are named after `web`. */
const isNamedAfter = (name: string, own: string): boolean => own.length > 2 && name.split(/[-_.$]/).includes(own.toLowerCase());

/** A package may have the name of the whole product, so a part of the host's name counts only where the folder has it. */
function isNamed(name: string, candidate: Candidate): boolean {
  const folder = candidate.folder.slice(candidate.folder.lastIndexOf('/') + 1);
  const whole = name.replace(/[-_.](?:prod|production|live|staging|stage|dev|development|test|preview|pr)$/, '');
  return [...namesOf(candidate)].some(
    (own) => isNamedAfter(name, own) && (own === folder || own.toLowerCase() === whole || isScoped(own, candidate)),
  );
}

const isScoped = (own: string, { unit }: Candidate): boolean => unit?.manifests.some(({ name }) => name?.endsWith(`/${own}`)) ?? false;

function namesOf({ folder, unit }: Candidate): ReadonlySet<string> {
  const names = (unit?.manifests ?? []).flatMap(({ name }) => (name === null ? [] : [name, name.slice(name.lastIndexOf('/') + 1)]));
  return new Set([...names, folder.slice(folder.lastIndexOf('/') + 1)]);
}

/**
 * The folders that evidence at the root means. Where the root has no app of its own, it means each app inside that no other host has, so
 * that nobody takes the root for one more app.
 */
function foldersOfRoot(
  one: HostEvidence,
  candidates: readonly Candidate[],
  placed: ReadonlyMap<string, readonly HostEvidence[]>,
): readonly string[] {
  const apps = appsInside(candidates);
  if (apps.length === 0 || !(isStrong(one) || one.isSaid) || one.targets?.some(isPath)) return [''];
  const isFree = ({ folder }: Candidate): boolean =>
    (placed.get(folder) ?? []).every((own) => !isStrong(own) || own.provider === one.provider);
  // A host that only serves files shows the app that has nothing else.
  const files = filesOnly.has(one.provider) ? apps.filter(({ framework }) => framework?.kind === 'static') : [];
  const wanted = (files.length > 0 ? files : servedOf(apps)).filter(isFree);
  return wanted.length > 0 ? wanted.map(({ folder }) => folder) : [''];
}

/** A folder such as `apps/web` is an app although its packages name no framework. */
const isMember = (folder: string, unit: Candidate['unit'], root: Candidate | undefined): boolean =>
  unit?.role === 'app' &&
  (root?.unit?.manifests ?? []).some(({ members }) => members.length > 0) &&
  unit.manifests.length > 0 &&
  folder !== '';

/** Ids of the root name one project. Several apps cannot all be that project. */
function withoutIds(one: HostEvidence, candidates: readonly Candidate[]): HostEvidence {
  const apps = candidates.filter(({ folder, unit }) => folder !== '' && unit?.role === 'app');
  if (apps.length < 2) return one;
  const kept = Object.entries(one.ids).filter(
    ([param]) => param.startsWith('provider.') || /^(?:account_id|org_slug|region|location)$/.test(param),
  );
  return { ...one, ids: Object.fromEntries(kept) };
}

/** A folder without a manifest: it belongs to the app above it, is deployed by itself, or helps. */
function folderOfInside(
  one: HostEvidence,
  units: ReadonlyMap<string, Candidate>,
  placed: ReadonlyMap<string, readonly HostEvidence[]>,
  files: readonly string[],
): string | null {
  const above = nearest(one.folder, units);
  const between = one.folder.slice(above === '' ? 0 : above.length + 1).split('/');
  if (between.some(isBesideApp)) return above;
  if (!files.some((file) => file.startsWith(`${one.folder}/`))) return existing(one, above, files);
  if (one.by === 'preview' || one.by === 'deploy' || one.by === 'link') return one.folder;
  // An app with a host of its own keeps small programs for other hosts beside it.
  const isHosted = (placed.get(above) ?? []).some(isStrong);
  return isHosted && units.get(above)?.unit?.role !== 'helper' ? null : one.folder;
}

/** What is uploaded is gone after the build: `docs/site` is made of `docs`. Without such a folder it is the app above. */
function existing({ folder, by }: HostEvidence, above: string, files: readonly string[]): string {
  const outer = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
  const isSource =
    (by === 'deploy' || by === 'preview') && outer.length > above.length && files.some((file) => file.startsWith(`${outer}/`));
  return isSource ? outer : above;
}

function nearest(folder: string, units: ReadonlyMap<string, Candidate>): string {
  let at = folder;
  while (at !== '') {
    at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
    if (units.has(at)) return at;
  }
  return '';
}
