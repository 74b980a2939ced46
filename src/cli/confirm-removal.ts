import { Failure } from '../core/errors.ts';
import type { PlanDoc } from '../engine/document.ts';
import type { RunRequest } from '../engine/types.ts';
import { counted, oneLine } from '../report/text.ts';
import { summaryText } from '../report/verdicts.ts';
import type { TerminalAsk } from './ask.ts';

export interface Removal {
  readonly request: RunRequest;
  /** Plans the removal, and shows the plan to the person. */
  readonly show: () => Promise<PlanDoc>;
  /** Opens the terminal for the question. */
  readonly ask: () => Promise<TerminalAsk | null>;
}

/**
 * Shows what a run would remove, and asks for a `yes`. Gives the request of exactly that removal: what changes between the question and the
 * run is refused by the digest. Throws `NOT_CONFIRMED` for every other answer.
 */
export async function confirmRemoval({ request, show, ask }: Removal): Promise<RunRequest> {
  // A damaged ledger cannot be planned. The person named the commit of it, and is asked all the same.
  const seen = request.restoreLedger === null && request.trustLedger === null ? await show() : null;
  if (seen && !removesAnything(request, seen)) return request;
  const terminal = await ask();
  if (terminal === null) return request;
  try {
    const answer = await terminal.text(questionOf(request, seen));
    if (answer.trim() !== 'yes') throw new Failure('NOT_CONFIRMED', { detail: 'The answer was not `yes`. Nothing was removed.' });
  } finally {
    terminal.close();
  }
  return { ...request, expect: request.expect ?? seen?.digest ?? null };
}

const removesAnything = ({ destroy }: RunRequest, { lines, orphans }: PlanDoc): boolean =>
  destroy ? lines.some(({ verdict }) => verdict !== 'none') : prunedOf(orphans).length > 0;

const prunedOf = (orphans: PlanDoc['orphans']): PlanDoc['orphans'] =>
  orphans.filter(({ becomes }) => becomes === 'removed' || becomes === 'forgotten');

function questionOf({ environment, scope, destroy }: RunRequest, seen: PlanDoc | null): string {
  const place = oneLine(seen ? `${seen.environment}/${seen.scope}` : `${environment}${scope === null ? '' : `/${scope}`}`);
  const question = destroy
    ? `Destroy ${place}${seen ? ` (${summaryText(seen.summary)})` : ''}`
    : `Apply ${place}${seen ? `, and prune ${counted(prunedOf(seen.orphans).length, 'orphan')}` : ' and prune'}`;
  return `${question}? Type yes to go on:`;
}
