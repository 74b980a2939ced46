import type { DraftLine } from '../../ops/detect.ts';
import type { Adapter, Op } from '../../ops/op.ts';
import type { Claim, Deployable, Survey } from '../detect/survey.ts';
import type { DraftProvider } from '../draft.ts';
import { kindOf } from '../wiring/kinds.ts';
import { receiverOf } from '../wiring/receiver.ts';
import { answersOf, type RouteUse } from './routes.ts';
import type { Deployed, Site } from './sites.ts';

/** A service of the repository that pilotfish manages. */
export interface Owner {
  readonly claim: Claim;
  readonly provider: DraftProvider;
}

/** The site and the path that one drafted line leads to. */
export interface Target {
  /** The site whose address the line takes; `null` if it takes none, or if no line knows it. */
  readonly site: Site | null;
  /** The path of the route that answers, as the app's own files say it. */
  readonly path: string | null;
  readonly isGuess: boolean;
  /** Why the line is a comment. */
  readonly why: string | null;
}

const nowhere: Target = { site: null, path: null, isGuess: false, why: null };

/** The targets of a line: none of its own, the receiver of the service's calls, or each site of the service. */
export function targetsOf(owner: Owner, line: DraftLine, { survey, deployed, titleOf }: TargetFacts): readonly Target[] {
  if (!takesAddress(line)) return [nowhere];
  const { adapter } = owner.provider;
  const op = adapter.ops[line.op];
  const use = routeUse(line, op);
  const sites = sitesOfClaim(owner, deployed);
  if (use === null) return sites;
  const words = wordsOf(adapter);
  if (use === 'return') {
    const answers = answersOf(words, use, survey);
    return sites.map((target) => {
      const answer = answers.find(({ deployable }) => deployable === target.site?.deployable);
      return answer ? { ...target, path: answer.path, isGuess: answer.isGuess } : target;
    });
  }
  const [usual = nowhere] = sites;
  const aside = (why: string, path: string | null = null): readonly Target[] => [{ ...usual, path, isGuess: true, why }];
  if (op?.params.cron !== undefined && !survey.schedules.some(({ by }) => by === adapter.name)) {
    return aside(`Nothing in this repository says that ${adapter.title} runs a job at times.`);
  }
  if (use === 'call') {
    const answers = answersOf(words, use, survey);
    if (answers.length === 0) return aside(`No file of this repository has a route that ${adapter.title} calls.`);
    return answers.map(({ deployable, path, file, isGuess }) => ({ ...atDeployable(deployable, { deployed, path, file }), isGuess }));
  }
  const receiver = receiverOf(survey, words, secretsOf(adapter));
  if (receiver.is === 'none') return aside(`No file of this repository has a route that takes events of ${adapter.title}.`);
  if (receiver.is === 'unclear') return aside(receiver.why);
  const { path, evidence } = receiver;
  const [deployable] =
    receiver.is === 'deployable'
      ? survey.deployables.filter(({ folder }) => folder === receiver.folder)
      : deployed.flatMap(({ site, deployable: one }) => (site?.provider.adapter.name === receiver.service ? [one] : []));
  if (deployable) return [atDeployable(deployable, { deployed, path, file: evidence.file })];
  const who = receiver.is === 'service' ? titleOf(receiver.service) : receiver.folder;
  const why = `${evidence.file} has the route ${path}, which ${who} answers at an address of its own.`;
  return [{ site: null, path, isGuess: false, why }];
}

export interface TargetFacts {
  readonly survey: Survey;
  readonly deployed: readonly Deployed[];
  readonly titleOf: (name: string) => string;
}

/** Words for a service in paths and in names of modules. */
function wordsOf({ name, title, detect }: Adapter): readonly string[] {
  const packages = Object.values(detect?.uses?.packages ?? {}).flat();
  return [...new Set([name, name.split('_', 1)[0] ?? name, title.toLowerCase(), ...packages])];
}

/** The usual names of the secret that signs the service's calls. */
const secretsOf = ({ detect }: Adapter): readonly string[] =>
  (detect?.variables ?? []).filter((one) => kindOf(one) === 'signing-secret').flatMap(({ names }) => names);

interface At {
  readonly deployed: readonly Deployed[];
  readonly path: string;
  readonly file: string;
}

function atDeployable(deployable: Deployable, { deployed, path, file }: At): Target {
  const receiver = deployed.find((one) => one.deployable === deployable);
  const why = receiver?.site ? null : `${file} has the route ${path}. ${receiver?.why ?? ''}`.trim();
  return { site: receiver?.site ?? null, path, isGuess: false, why };
}

/** The sites of the deployables that use the service. Pages go before what only works in the background. */
function sitesOfClaim({ claim }: Owner, deployed: readonly Deployed[]): readonly Target[] {
  const own = deployed.filter(({ deployable }) => claim.deployables.includes(deployable.folder));
  const pages = own.filter(({ deployable: { kind } }) => kind === 'web' || kind === 'static');
  const users = pages.length > 0 ? pages : own;
  const reached = users.filter(({ site }) => site !== null);
  if (reached.length > 0) return reached.map(({ site }) => ({ ...nowhere, site }));
  const [first] = users;
  const why = first?.why ?? 'No file tells which host has the app, so nothing knows the address of its preview.';
  return [{ ...nowhere, why }];
}

/** Tells whether a line takes the address of the preview. A param that may be left out decides nothing. */
export const takesAddress = ({ params }: DraftLine): boolean => Object.values(params).some((value) => mentions(value));

function mentions(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentions);
  if (typeof value !== 'object' || value === null) return false;
  const { of } = value as { readonly of?: unknown };
  return of === 'preview.url' || of === 'preview.host' || Object.values(value).some(mentions);
}

/** The params of a line that hold the path of a route which answers the provider. */
export function hookParams(line: DraftLine, op: Op | undefined): readonly string[] {
  if (line.hook) return line.hook;
  return isPath(op?.params.path?.default) ? ['path'] : [];
}

function routeUse(line: DraftLine, op: Op | undefined): RouteUse | 'hook' | null {
  const [param] = hookParams(line, op);
  if (param !== undefined) return /hook|inbound/.test(String(op?.params[param]?.default ?? 'hook')) ? 'hook' : 'call';
  return isPath(line.params.path) ? 'return' : null;
}

const isPath = (value: unknown): value is string => typeof value === 'string' && /^\/[\w]/.test(value);
