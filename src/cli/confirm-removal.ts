import { Failure } from '../core/errors.ts';
import type { ClosedDoc, PlanDoc } from '../engine/document.ts';
import type { ClosedRequest, RunRequest } from '../engine/types.ts';
import { counted, oneLine } from '../report/text.ts';
import { summaryText } from '../report/verdicts.ts';
import type { TerminalAsk } from './ask.ts';

/** A run that removes something. A person confirms it first. */
export interface Removal<Request, Seen> {
  readonly request: Request;
  /** Plans the removal, and shows the plan to the person. */
  readonly show: () => Promise<Seen>;
  /** Opens the terminal for the question. */
  readonly ask: () => Promise<TerminalAsk | null>;
}

/**
 * Shows what a run would remove, and asks for a `yes`. Gives the request of exactly that removal: what changes between the question and the
 * run is refused by the digest. Throws `NOT_CONFIRMED` for every other answer.
 */
export async function confirmRun({ request, show, ask }: Removal<RunRequest, PlanDoc>): Promise<RunRequest> {
  // A damaged ledger cannot be planned. The person named the commit of it, and is asked all the same.
  const seen = request.restoreLedger === null && request.trustLedger === null ? await show() : null;
  if (seen && !removesAnything(request, seen)) return request;
  await mustBeYes(questionOf(request, seen), ask);
  return { ...request, expect: request.expect ?? seen?.digest ?? null };
}

/** The same for a sweep. It ends no scope that its plan did not show. */
export async function confirmSweep({ request, show, ask }: Removal<ClosedRequest, ClosedDoc>): Promise<ClosedRequest> {
  const { environment, scopes } = await show();
  const ends = scopes.filter(({ outcome }) => outcome === 'would destroy' || outcome === 'would remove');
  if (ends.length === 0) return request;
  const destroyed = ends.filter(({ outcome }) => outcome === 'would destroy').length;
  const parts = [
    ...(destroyed > 0 ? [`destroy ${counted(destroyed, 'scope')}`] : []),
    ...(ends.length > destroyed ? [`remove the receipts of ${counted(ends.length - destroyed, 'scope')}`] : []),
  ].join(' and ');
  await mustBeYes(`${parts[0]?.toUpperCase()}${parts.slice(1)} in ${oneLine(environment)}`, ask);
  return { ...request, branches: ends.map(({ branch }) => branch) };
}

async function mustBeYes(question: string, ask: () => Promise<TerminalAsk | null>): Promise<void> {
  const terminal = await ask();
  if (terminal === null) return;
  try {
    const answer = await terminal.text(`${question}? Type yes to go on:`);
    if (answer.trim() !== 'yes') throw new Failure('NOT_CONFIRMED', { detail: 'The answer was not `yes`. Nothing was removed.' });
  } finally {
    terminal.close();
  }
}

const removesAnything = ({ destroy }: RunRequest, { lines, orphans }: PlanDoc): boolean =>
  destroy ? lines.some(({ verdict }) => verdict !== 'none') : prunedOf(orphans).length > 0;

const prunedOf = (orphans: PlanDoc['orphans']): PlanDoc['orphans'] =>
  orphans.filter(({ becomes }) => becomes === 'removed' || becomes === 'forgotten');

function questionOf({ environment, scope, destroy }: RunRequest, seen: PlanDoc | null): string {
  const place = oneLine(seen ? `${seen.environment}/${seen.scope}` : `${environment}${scope === null ? '' : `/${scope}`}`);
  return destroy
    ? `Destroy ${place}${seen ? ` (${summaryText(seen.summary)})` : ''}`
    : `Apply ${place}${seen ? `, and prune ${counted(prunedOf(seen.orphans).length, 'orphan')}` : ' and prune'}`;
}
