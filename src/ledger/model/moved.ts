import { Failure } from '../../core/errors.ts';
import type { Change, Files } from '../stores/store.ts';
import { toText } from './file-text.ts';

/** This file of a branch says that its ledger stands in another place now. It stays beside the facts, which are as they were then. */
export const movedPath = 'moved.json';

/** The place that the ledger was moved to, as it may be told; `null` where it was not moved. */
export function movedTo(files: Files): string | null {
  const text = files.get(movedPath);
  if (text === undefined) return null;
  try {
    const { to } = JSON.parse(text);
    return typeof to === 'string' && /^[\x21-\x7e]{1,500}$/.test(to) ? to : 'another place';
  } catch {
    return 'another place';
  }
}

export const movedChange = (to: string, at: string): Change => new Map([[movedPath, toText({ v: 1, to, at })]]);

/** Throws `LEDGER_REFUSED` for a branch whose ledger was moved: nothing that is written here would be found again. */
export function mustNotBeMoved(files: Files, branch: string): void {
  const to = movedTo(files);
  if (to === null) return;
  throw new Failure('LEDGER_REFUSED', {
    detail: `The ledger ${branch} was moved to ${to}. What stands here is as it was then.`,
    fix: `Let \`receipts:\` of the plan or PILOTFISH_RECEIPTS name ${to}, then run again.`,
  });
}
