import type { LedgerCopyDoc, MovedBranchDoc } from '../engine/ledger-document.ts';
import { errorLines } from './errors-text.ts';
import { indent, joinParts } from './sections.ts';
import type { Styles } from './styles.ts';
import { columns, counted, oneLine } from './text.ts';

/** Tells people what was moved, and what keeps the rest. Branches that were copied are counted; each other one is named. */
export function ledgerText({ from, to, isDryRun, ledger, branches, error }: LedgerCopyDoc, styles: Styles): string {
  const done = branches.filter(({ state }) => state === 'copied' || state === 'present' || state === 'would copy');
  const [files, bytes] = [sum(done, 'files'), sum(done, 'bytes')];
  const size = `${counted(files, 'file')}, ${bytes.toLocaleString('en-GB')} bytes`;
  const verb = isDryRun ? 'Would move' : error ? 'Copied' : 'Moved';
  const head = `${verb} ${counted(done.length, 'branch', 'branches')} (${size}) from ${oneLine(from)} to ${oneLine(to)}.`;
  const others = branches.filter((one) => !done.includes(one));
  return joinParts([
    [styles.paint('strong', head)],
    columns(others.map(({ branch, state }) => [oneLine(branch), state])).map((row) => `  ${styles.paint('warn', row)}`),
    others.flatMap((one) => (one.error ? indent(errorLines(one.error, styles), 4) : [])),
    [nextOf({ isDryRun, ledger, hasError: error !== undefined })],
    error ? errorLines(error, styles) : [],
  ]);
}

function nextOf({
  isDryRun,
  ledger,
  hasError,
}: {
  readonly isDryRun: boolean;
  readonly ledger: string;
  readonly hasError: boolean;
}): string {
  if (isDryRun) return `The ledger is at ${oneLine(ledger)}. Nothing was written.`;
  if (hasError) return `The ledger is still at ${oneLine(ledger)}, and runs are refused until it is moved.`;
  return `The ledger is at ${oneLine(ledger)}. Let \`receipts:\` of the plan or PILOTFISH_RECEIPTS name it.`;
}

const sum = (branches: readonly MovedBranchDoc[], member: 'files' | 'bytes'): number =>
  branches.reduce((all, branch) => all + branch[member], 0);
