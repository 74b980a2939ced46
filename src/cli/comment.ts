import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { type Clock, systemClock } from '../core/clock.ts';
import { Failure } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { ApplyDoc, FailureDoc, PlanDoc } from '../engine/document.ts';
import { maskRemote } from '../engine/prepare/secret-variables.ts';
import { documentShape } from '../engine/shapes.ts';
import { readCodeHostEvent } from '../engine/timing/event.ts';
import type { RunRequest } from '../engine/types.ts';
import { codeHostOf, isCodeHost } from '../host/code-host.ts';
import { type CommentMark, marked } from '../host/comment-mark.ts';
import { jobLinks, runLinks } from '../host/job-links.ts';
import { commentsOf, upsertComment } from '../host/upsert-comment.ts';
import { createClient } from '../http/client.ts';
import { receiptsBranch, scopeOf } from '../ledger/model/names.ts';
import { type Release, release } from '../onboard/setup/release.ts';
import { isProduction, resolveContext } from '../plan/context.ts';
import { locatePlan } from '../plan/locate.ts';
import type { Context } from '../plan/types.ts';
import { type RepositoryFacts, repositoryFacts } from '../platform/checkout.ts';
import { type MarkdownOptions, markdownOf } from '../report/markdown/markdown.ts';
import { placesOf } from '../report/markdown/places.ts';
import type { Network } from './world.ts';

/** A run that ended, for the comment on its pull request. */
export interface Told {
  readonly request: RunRequest;
  readonly document: PlanDoc | ApplyDoc | FailureDoc;
  /** Knows every secret of this process. */
  readonly redactor: Redactor;
  readonly hasTrace: boolean;
  readonly next: NonNullable<MarkdownOptions['next']>;
  /** Aborted by the first signal. */
  readonly interrupted: AbortSignal;
}

/** The time for the host: a minute of waiting that the host may ask for, and the requests themselves. */
const patienceMs = 90_000;
/** The time after a signal. The sender of the signal ends the process soon. */
const hurryMs = 2_000;

/**
 * Writes the comment of a run on its pull request. Returns a sentence if that fails, and never throws: a comment changes nothing about the
 * run. A run that came too late writes no comment, because the comment of a later run counts.
 */
export async function commentOn(told: Told, network: Network = {}, about: Release | null = release): Promise<string | null> {
  const { request, document, redactor } = told;
  if ('status' in document && document.status === 'stale') return null;
  return await writeComment({ request, redactor, interrupted: told.interrupted, document }, network, ({ mark, context, longest }) =>
    markdownOf(redactor.document(document, documentShape), {
      longest,
      isDestroy: request.destroy,
      environment: mark.environment,
      scope: mark.scope,
      commit: context?.git.sha ?? null,
      runUrl: jobLinks(request.env).run,
      ...runLinks(request.env, { cwd: request.cwd, commit: context?.git.sha ?? null, ...placesOf(document) }),
      traceUrl: told.hasTrace ? jobLinks(request.env).artifacts : null,
      errorsUrl: about && `https://github.com/${about.repository}/blob/${about.commit}/docs/errors.md`,
      next: told.next,
    }),
  );
}

/** Writes words in place of the comment of a run, for a pull request that has no run. Returns a sentence if that fails. */
export async function commentWords(
  { request, redactor, text }: { readonly request: About; readonly redactor: Redactor; readonly text: string },
  network: Network = {},
): Promise<string | null> {
  const interrupted = new AbortController().signal;
  return await writeComment({ request, redactor, interrupted, document: null }, network, () => redactor.text(text));
}

/** The members of a request that lead to a pull request and its comment. */
type About = Pick<RunRequest, 'cwd' | 'env' | 'plan' | 'environment' | 'scope' | 'pr' | 'branch' | 'sha'>;

interface Writing {
  readonly request: About;
  readonly redactor: Redactor;
  readonly interrupted: AbortSignal;
  readonly document: Told['document'] | null;
}

interface Room {
  readonly mark: CommentMark;
  readonly context: Context | null;
  /** The most characters of the text. */
  readonly longest: number;
}

async function writeComment(o: Writing, network: Network, textFor: (room: Room) => string): Promise<string | null> {
  const { request, redactor } = o;
  const clock = network.clock ?? systemClock;
  const endedAt = new Date(clock.now()).toISOString();
  const ended = clock.mono();
  const limit = hurry(o.interrupted, clock);
  try {
    const facts = await repositoryFacts(request.cwd, request.env);
    maskRemote(redactor, facts);
    const context = contextOf(request, facts);
    const number = context?.pr.number ?? null;
    if (number === null) return isProduction(request.environment) ? null : lacks(noPull);
    const host = codeHostOf(request.env, facts);
    if (!isCodeHost(host)) return lacks(`${host.why}. ${host.fix}`);
    if (host.isReadOnly) return lacks(readOnly);
    const { dispatcher } = network;
    const client = createClient({ env: request.env, redactor, signal: limit.signal, clock, ...(dispatcher && { dispatcher }) });
    try {
      const api = commentsOf(client, host, number, request.env);
      const mark = await markFor(o, context, endedAt);
      const text = textFor({ mark, context, longest: api.longest - roomFor(mark) });
      await upsertComment(api, { mark, text, age: () => clock.mono() - ended }, limit.signal);
      return null;
    } finally {
      client.close();
    }
  } catch (thrown) {
    const reason = limit.signal.aborted ? limit.signal.reason : thrown;
    return lacks(reasonOf(reason));
  } finally {
    limit.stop();
  }
}

const noPull = 'pilotfish does not know the pull request. Pass `--pr <number>`, or leave `--comment` out.';
const readOnly = "the job's own token can only read comments. Set GITLAB_TOKEN to a project access token with the scope `api`.";
const lacks = (why: string): string => `pilotfish did not write the comment: ${why}`;

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Failure) return [thrown.detail, thrown.fix].filter(Boolean).join(' ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A signal that aborts when the time for the comment is over. After an interruption that is soon. */
function hurry(interrupted: AbortSignal, clock: Clock): { readonly signal: AbortSignal; stop(): void } {
  const limit = new AbortController();
  const over = new AbortController();
  const endAfter = (ms: number): void => {
    clock.sleep(ms, over.signal).then(
      () => limit.abort(new Error(`the code host did not accept it within ${ms / 1000} s.`)),
      () => undefined,
    );
  };
  const hurried = (): void => endAfter(hurryMs);
  endAfter(patienceMs);
  if (interrupted.aborted) hurried();
  else interrupted.addEventListener('abort', hurried, { once: true });
  return {
    signal: limit.signal,
    stop: () => {
      interrupted.removeEventListener('abort', hurried);
      over.abort('over');
    },
  };
}

/** The context of the run; `null` if flags and event do not give one. The run itself has reported that. */
function contextOf(request: About, facts: RepositoryFacts | null): Context | null {
  try {
    return resolveContext({ flags: request, event: () => readCodeHostEvent(request.env), git: facts });
  } catch (thrown) {
    if (thrown instanceof Error) return null;
    throw thrown;
  }
}

async function markFor({ request, document }: Writing, context: Context | null, endedAt: string): Promise<CommentMark> {
  const receipt = document && 'receipt' in document && document.receipt.commit !== null ? document.receipt : null;
  const { branch, commit } = receipt ?? {};
  // A destroy may be about the ledger of another plan than the one at hand.
  const named = document && 'receipt' in document ? scopeOf(document.receipt.branch) : null;
  return {
    environment: request.environment,
    plan: named ? named.plan : await planName(request),
    scope: document && 'scope' in document ? document.scope : (context?.scope ?? null),
    run: document && 'runId' in document ? document.runId : null,
    endedAt,
    receipt: branch !== undefined && commit ? { branch, commit } : null,
  };
}

/** The name of the plan, even if the plan has mistakes: the comment about the mistakes belongs to this plan. */
async function planName({ cwd, plan }: About): Promise<string | null> {
  try {
    const text = await readFile(await locatePlan(cwd, plan), 'utf8');
    const name: unknown = parseDocument(text, { logLevel: 'silent' }).get('name');
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    return null;
  }
}

/** The most room that the mark can take. It may keep the receipt of an earlier run. */
function roomFor(mark: CommentMark): number {
  const branch = mark.scope === null ? '-'.repeat(400) : receiptsBranch(mark.environment, mark.scope, mark.plan);
  return marked({ ...mark, scope: mark.scope ?? '-'.repeat(255), receipt: { branch, commit: '0'.repeat(64) } }, '').length;
}
