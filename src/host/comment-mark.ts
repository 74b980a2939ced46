import { z } from 'zod';
import { once } from '../core/once.ts';

/** What a comment of ours says of itself, unseen by people: what it is about, and which run wrote it. */
export interface CommentMark {
  readonly environment: string;
  /** Name of the plan, where it has one. */
  readonly plan: string | null;
  /** `null` where the run ended before it knew. */
  readonly scope: string | null;
  readonly run: string | null;
  /** ISO 8601, by the clock of the code host where it tells that: runs of several machines are put in order by it. */
  readonly endedAt: string;
  /** The last one that any run of this comment told of. */
  readonly receipt: { readonly branch: string; readonly commit: string } | null;
}

/** No name that a mark holds is longer, and no mark as a whole: what is did not come from us. */
const longestName = 1_000;
const longestMark = 20_000;

const shape = once(() => {
  const name = z.string().max(longestName);
  return z.object({
    environment: name,
    plan: name.nullable(),
    scope: name.nullable(),
    run: name.nullable(),
    endedAt: z.iso.datetime(),
    receipt: z.object({ branch: name, commit: z.string().regex(/^[\w.-]{1,200}$/) }).nullable(),
  });
});

const start = '<!-- pilotfish ';
const end = ' -->\n';

/** `text` with its mark before it. It stands first, so that no name a provider gave anything can put another one there. */
export const marked = (mark: CommentMark, text: string): string => `${start}${inert(JSON.stringify(shape().parse(mark)))}${end}${text}`;

/** The mark that a comment begins with; `null` for a comment without one, or one that cannot be read. */
export function markOf(body: string): CommentMark | null {
  const text = body.replace(/\r\n/g, '\n');
  const last = text.indexOf(end);
  if (!text.startsWith(start) || last < 0 || last > longestMark) return null;
  try {
    return shape().safeParse(JSON.parse(text.slice(start.length, last))).data ?? null;
  } catch {
    return null;
  }
}

/** Markdown shows all of a body but its HTML comments, which end at the first `-->`: JSON can spell every character without one. */
const inert = (json: string): string =>
  json.replace(/[^\x20-\x7e]|[-<>&@]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Whether two marks are of one comment: there is one per environment and plan. */
export const isSameComment = (one: CommentMark, other: CommentMark): boolean =>
  one.environment === other.environment && one.plan === other.plan;

/** A comment on a pull request, as its code host holds it. */
export interface HostComment {
  readonly id: string;
  /** Markdown, as it was sent. */
  readonly body: string;
  /** Whether the account of this run's token wrote it. Anybody may write a comment that looks like ours. */
  readonly isOwn: boolean;
}

/** The comments of one pull request or merge request. Each call throws `Failure` for what the host refuses. */
export interface CommentApi {
  /** All of them, oldest first. */
  list(signal: AbortSignal): Promise<readonly HostComment[]>;
  create(body: string, signal: AbortSignal): Promise<HostComment>;
  update(id: string, body: string, signal: AbortSignal): Promise<void>;
  remove(id: string, signal: AbortSignal): Promise<void>;
  /** Longest body that the host takes, in UTF-16 units. */
  readonly longest: number;
  /** The time at the host (ms since 1970); `null` while none of its answers told it. */
  now?(): number | null;
}
