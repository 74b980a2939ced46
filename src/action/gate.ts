import type { StandingPreview } from '../engine/standing-previews.ts';
import { isWanting, whyUnwanted } from '../engine/timing/wanted.ts';
import type { PullNow } from '../host/pull-request.ts';
import { isProduction } from '../plan/context.ts';
import { inert } from '../report/markdown/inert.ts';
import type { AskHost } from './host.ts';
import type { Inputs } from './inputs.ts';
import { matchesOne } from './path-globs.ts';

/** The facts of a pull request by which a workflow chooses. */
export type Chosen = Pick<PullNow, 'labels' | 'isDraft' | 'author'> & { readonly number: number };

/**
 * The decision about a pull request. `refuse`: it gets no preview, and `isTold` if its comment says why. `remove`: it loses its preview.
 */
export type Gate =
  | { readonly kind: 'go' }
  | { readonly kind: 'refuse'; readonly why: string; readonly isTold: boolean }
  | { readonly kind: 'remove'; readonly why: string };

export interface GateWorld {
  readonly host: Pick<AskHost, 'pull' | 'openPulls' | 'files'>;
  /** The scopes that stand; with a scope, those of this name. */
  readonly standing: (scope: string | null) => Promise<readonly StandingPreview[]>;
}

const go: Gate = { kind: 'go' };

/**
 * Judges whether a pull request gets a preview. Label and draft decide at each event, and end a preview that stands. Author, paths and the
 * number of previews decide only about the first apply: a preview that stands goes on.
 */
export async function gateOf(
  world: GateWorld,
  inputs: Inputs,
  event: { readonly action: string | null; readonly pull: Chosen | null },
): Promise<Gate> {
  const { who, command, closed, scope, env } = inputs;
  const { pull: told, action } = event;
  if (told === null || action === 'closed' || closed || scope !== null || isProduction(env)) return go;
  const ends = command === 'destroy';
  if (ends && !isWanting(who)) return go;
  const hasRules = isWanting(who) || who.authors !== null || who.paths !== null || who.mostPreviews !== null;
  if (!hasRules && (who.bots || told.author?.isBot !== true)) return go;
  // The event may be late. Where the host does not answer, the event is what is known.
  const now = hasRules ? await world.host.pull(told.number) : null;
  const pull: Chosen = now === null || now.state === 'unknown' ? told : { ...now, number: told.number };
  const named = `The pull request ${pull.number}`;
  const unwanted = whyUnwanted(pull, who);
  if (ends && unwanted === null) return refusal(`${named} keeps its preview.`, false);
  const unchosen = unwanted === null ? whyUnchosen(pull, inputs) : null;
  if (unwanted === null && unchosen === null && who.paths === null && who.mostPreviews === null) return go;
  const standing = await world.standing(`pr-${pull.number}`);
  if (unwanted !== null) {
    const isLeft = standing.length === 0 || command === 'plan';
    return isLeft ? refusal(`${named} ${unwanted}, so it gets no preview.`, !ends) : { kind: 'remove', why: `${named} ${unwanted}.` };
  }
  if (standing.some(({ isOwn }) => isOwn)) return go;
  if (unchosen !== null) return refusal(`${named} ${unchosen}, so it gets no preview.`, hasRules);
  const why = (await whyOutside(world, pull, inputs)) ?? (await whyTooMany(world, pull, inputs));
  return why === null ? go : refusal(`${named} ${why}`, true);
}

/** The comment of a pull request that gets no preview. A label and an author's name are texts of others, so nothing in them is interpreted. */
export const refusalText = (environment: string, why: string): string => `### pilotfish: no ${environment}\n\n${inert(why)}\n`;

const refusal = (why: string, isTold: boolean): Gate => ({ kind: 'refuse', why, isTold });

function whyUnchosen({ author }: Chosen, { who: { authors, bots } }: Inputs): string | null {
  const login = author?.login ?? null;
  // A bot that the list names is meant.
  if (authors !== null)
    return authors.some((one) => one.toLowerCase() === login?.toLowerCase()) ? null : 'is of an author whom `authors` does not name';
  return author?.isBot === true && !bots ? 'is of a bot' : null;
}

/** A list of files that cannot be read, or not to its end, counts as one that matches. */
async function whyOutside({ host }: GateWorld, { number }: Chosen, { who: { paths } }: Inputs): Promise<string | null> {
  if (paths === null) return null;
  const files = await host.files(number);
  if (files === null || files.some((file) => matchesOne(file, paths))) return null;
  return `changes no file that ${paths.map((one) => `\`${one}\``).join(' or ')} matches, so it gets no preview.`;
}

/** Counts the pull requests that are open and whose scopes stand. Two jobs that begin at the same moment may both be the last one. */
async function whyTooMany({ host, standing }: GateWorld, { number }: Chosen, { who: { mostPreviews } }: Inputs): Promise<string | null> {
  if (mostPreviews === null) return null;
  const open = await host.openPulls();
  if (open === null) return null;
  const scopes = new Set((await standing(null)).flatMap(({ scope, isUnsure }) => (isUnsure ? [] : [scope])));
  const others = [...open].filter((one) => one !== number && scopes.has(`pr-${one}`));
  if (others.length < mostPreviews) return null;
  return `gets no preview: ${others.length} stand, and \`max-previews\` is ${mostPreviews}. It gets one with its first push after another pull request was closed.`;
}
