import type { HostEvidence } from '../facts.ts';
import { isOfPullRequest, paramOf } from './host-ids.ts';
import type { HostProgram } from './host-program.ts';
import { hostPrograms } from './host-programs.ts';
import { joined, type Started } from './shell.ts';
import { isReport, sourceOf } from './uploads.ts';

/** What a command says about the host, without the file in which it stands. */
export interface HostCommand
  extends Pick<HostEvidence, 'provider' | 'ids' | 'product' | 'builds' | 'variables' | 'targets' | 'line' | 'isWithoutSite'> {
  /** From where the script began; `null` if nobody can tell. */
  readonly folder: string | null;
  /** The command deploys to production, whatever starts it. */
  readonly isProduction: boolean;
  /** It only shows the host, and deploys nothing. */
  readonly isWeak: boolean;
}

const byProgram = Map.groupBy(
  hostPrograms.flatMap((entry) => entry.programs.map((program) => ({ program, entry }))),
  ({ program }) => program,
);

/** Reads a command as one that deploys; `null` if it does not. */
export function hostCommand(started: Started): HostCommand | null {
  const entries = byProgram.get(started.program);
  if (!entries) return null;
  const valued = new Set(entries.flatMap(({ entry }) => valueFlags(entry)));
  const words = started.words.filter((word, i) => !word.startsWith('-') && !valued.has(started.words[i - 1] ?? ''));
  const text = words.join(' ').slice(0, 2000);
  const entry = entries.find(
    ({ entry: { does, has } }) => does.test(text) && (has?.test(started.words.join(' ').slice(0, 2000)) ?? true),
  )?.entry;
  if (!entry || (entry.uploads && isReport(uploadedBy(entry, started, words) ?? ''))) return null;
  const isPart = entry.provider === 'firebase_hosting' && isWithoutSite(started);
  return { ...read(entry, started, words), ...(isPart && { isWithoutSite: true }) };
}

/** `--only functions` or `--only firestore:rules` deploys no site; `firebase.json` names the folders of functions. */
const isWithoutSite = ({ words }: Started): boolean => {
  const only = valuesOf(words, ['--only'])[0];
  return only !== undefined && !only.includes('hosting');
};

const uploadedBy = ({ uploads }: HostProgram, { words }: Started, bare: readonly string[]): string | undefined =>
  valuesOf(words, uploads?.flags ?? [])[0] ?? (uploads?.at === undefined ? undefined : bare[uploads.at]);

function read(entry: HostProgram, started: Started, words: readonly string[]): HostCommand {
  const folder = folderOf(entry, started, words);
  const variables = variablesOf(entry, started, words);
  const targets = [started.filter, ...valuesOf(started.words, entry.configs ?? [])].flatMap((target) => target ?? []);
  const builds = buildsOf(entry, started.words);
  return {
    provider: entry.provider,
    ...(entry.product !== undefined && { product: entry.product }),
    ...(builds && { builds }),
    ...(variables.length > 0 && { variables }),
    ...(targets.length > 0 && { targets }),
    ids: idsIn(entry, started, words),
    line: started.line,
    folder,
    isProduction: started.words.some((word) => /^--(?:prod|production|prod-if-unlocked)$/.test(word)),
    isWeak: entry.isWeak ?? started.words.some((word) => /^--dry-?run(?:=|$)/.test(word)),
  };
}

function idsIn(entry: HostProgram, { words }: Started, bare: readonly string[]): { readonly [param: string]: string } {
  const ids: { [param: string]: string } = {};
  const put = (param: string, value: unknown): void => {
    const id = paramOf(value);
    if (id !== null) ids[param] ??= id;
  };
  for (const [param, flags] of Object.entries(entry.flags ?? {})) for (const value of valuesOf(words, flags)) put(param, value);
  const named = entry.nameAt ? bare.at(entry.nameAt.at) : undefined;
  // `gcloud run deploy` without a name asks for it.
  if (entry.nameAt?.param === 'service') put('service', named === 'deploy' ? undefined : named);
  const apps = [...valuesOf(words, entry.app?.flags ?? []), ...(entry.nameAt?.param === 'name' ? [named] : [])];
  const app = apps.find((name) => name !== undefined);
  if (app !== undefined) put(isOfPullRequest(app) ? (entry.app?.param ?? 'name') : 'application', app);
  return ids;
}

function folderOf(entry: HostProgram, started: Started, words: readonly string[]): string | null {
  const given =
    valuesOf(started.words, entry.folders ?? [])[0] ??
    (/^(?:deploy|up)$/.test(words[0] ?? '') ? words[entry.folderAt ?? words.length] : undefined);
  const inFilter =
    started.filter?.includes('/') && !started.filter.startsWith('@') ? joined(started.folder, started.filter) : started.folder;
  const uploaded = uploadedBy(entry, started, words);
  if (given === undefined && uploaded !== undefined) return joined(inFilter, sourceOf(uploaded)) ?? inFilter;
  return given === undefined ? inFilter : joined(inFilter, given);
}

/** A build that the command makes with the host's own variables counts as one of the host. */
function buildsOf(entry: HostProgram, words: readonly string[]): 'host' | 'ci' | undefined {
  if (entry.provider === 'vercel')
    return words.includes('--prebuilt') || words.includes('build') ? 'ci' : words.includes('pull') ? undefined : 'host';
  if (entry.provider === 'netlify' && words.includes('--build')) return 'host';
  return entry.builds;
}

function variablesOf(entry: HostProgram, { words }: Started, bare: readonly string[]): readonly string[] {
  const given = valuesOf(words, entry.sets ?? []).flatMap((value) => value.split(/[,\s]+/));
  const all = [...given, ...(entry.setsWords ? bare : [])];
  return [...new Set(all.flatMap((text) => /^([A-Za-z_]\w*)=/.exec(text)?.[1] ?? []))];
}

/** The values of flags: `-a x`, `--app=x`. A flag may come several times. */
function valuesOf(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.flatMap((word, i) => {
    for (const flag of flags) {
      if (word === flag) return words[i + 1] ?? [];
      if (word.startsWith(`${flag}=`)) return word.slice(flag.length + 1);
    }
    return [];
  });
}

const common = [
  '-t',
  '--token',
  '--org',
  '--dir',
  '-d',
  '--branch',
  '--message',
  '-m',
  '--alias',
  '--image',
  '--tag',
  '--only',
  '--environment',
  '--env',
  '--stack',
  '--command',
  '--cmd',
  '--domain',
];

const valueFlags = (entry: HostProgram): readonly string[] => [
  ...common,
  ...Object.values(entry.flags ?? {}).flat(),
  ...(entry.app?.flags ?? []),
  ...(entry.folders ?? []),
  ...(entry.configs ?? []),
  ...(entry.sets ?? []),
  ...(entry.uploads?.flags ?? []),
];
