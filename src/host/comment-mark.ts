import { z } from 'zod';
import { once } from '../core/once.ts';

/** The hidden data of our comments: the subject of a comment, and the run that wrote it. */
export interface CommentMark {
  readonly environment: string;
  /** Name of the plan, where it has one. */
  readonly plan: string | null;
  /** `null` where the run ended before it knew its scope. */
  readonly scope: string | null;
  readonly run: string | null;
  /** ISO 8601, by the clock of the code host where the host tells its time. It puts the runs of several machines in order. */
  readonly endedAt: string;
  /** The last receipt that any run of this comment named. */
  readonly receipt: { readonly branch: string; readonly commit: string } | null;
}

/** Longest name in a mark, and longest mark. A longer one did not come from us. */
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

/** `text` with its mark before it. The mark stands first, so that no name from a provider can put another mark there. */
export const marked = (mark: CommentMark, text: string): string => `${start}${inert(JSON.stringify(shape().parse(mark)))}${end}${text}`;

/** The mark at the beginning of a comment; `null` where there is none, or where the mark cannot be read. */
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

/** The text of a comment behind its mark. */
export function wordsOf(body: string): string {
  const text = body.replace(/\r\n/g, '\n');
  return markOf(body) ? text.slice(text.indexOf(end) + end.length) : text;
}

/** Markdown hides only HTML comments, and they end at the first `-->`. JSON can spell every character without that sequence. */
const inert = (json: string): string =>
  json.replace(/[^\x20-\x7e]|[-<>&@]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Whether two marks belong to one comment: there is one comment per environment and plan. */
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

/** The comments of one pull request or merge request. Each call throws `Failure` when the host refuses it. */
export interface CommentApi {
  /** All comments, oldest first. */
  list(signal: AbortSignal): Promise<readonly HostComment[]>;
  create(body: string, signal: AbortSignal): Promise<HostComment>;
  update(id: string, body: string, signal: AbortSignal): Promise<void>;
  remove(id: string, signal: AbortSignal): Promise<void>;
  /** Longest body that the host takes, in UTF-16 units. */
  readonly longest: number;
  /** The time at the host (ms since 1970); `null` until an answer of the host tells it. */
  now?(): number | null;
}
