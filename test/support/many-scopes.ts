import { spawn } from 'node:child_process';
import type { HistoryEntry, Receipt } from '../../src/ledger/model/facts.ts';
import { toText } from '../../src/ledger/model/file-text.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { paths } from '../../src/ledger/model/state.ts';
import { recordOf } from '../attacks/planted.ts';

/** The files of the ledger of one scope with so many lines, as a finished run leaves them. */
export function scopeFiles(n: number, lines: number): ReadonlyMap<string, string> {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
  const run = n.toString(16).padStart(12, 'a');
  const commit = n.toString(16).padStart(40, '0');
  const ids = Array.from({ length: lines }, (_, i) => `line-${i}`);
  const receipt: Receipt = {
    ...{ v: 1, run, command: 'apply', environment: 'preview', scope: `pr-${n}`, plan: null, commit, branch: `feature-${n}`, pr: n },
    ...{ status: 'complete', digest: 'd', approvedBy: null, startedAt: at, ms: 4_000, stats: { requests: 9, writes: 3 } },
    lines: ids.map((id) => ({ id, verdict: 'create', state: 'settled', ms: 900, requests: 3 })),
  };
  const history: HistoryEntry = { run, at, commit, pr: n, repository: 'acme/shop', event: 'pull_request', outcome: 'complete' };
  const records = ids.map((line, i) => recordOf(n * 1_000 + i, { line, run, identity: identityOf(n, i), writtenAt: at }));
  return new Map([
    [paths.receipt, toText(receipt)],
    [paths.history, `${JSON.stringify(history)}\n`],
    ...records.map(({ path, text }) => [path, text] as const),
  ]);
}

/** Spread over the folders of records, as hashes are. */
const identityOf = (n: number, i: number): string =>
  ((n * 31 + i * 89) % 256).toString(16).padStart(2, '0') + `${n}0${i}`.padStart(62, '0');

/** Puts a branch for each scope into a bare repository, packed, without pilotfish. `beside`: files that stand beside the ledger of each. */
export async function plantScopes(
  dir: string,
  count: number,
  { lines = 3, change = () => new Map() }: { readonly lines?: number; readonly change?: (n: number) => ReadonlyMap<string, string> } = {},
): Promise<void> {
  const child = spawn('git', ['--git-dir', dir, '-c', 'core.fsync=none', 'fast-import', '--force', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (let n = 1; n <= count; n += 1) {
    const files = new Map([...scopeFiles(n, lines), ...change(n)]);
    const parts = [...files].map(([path, text]) => `M 100644 inline .pilotfish/${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    const head = `commit refs/heads/${receiptsBranch('preview', `pr-${n}`)}\ncommitter a <a@example.com> ${n} +0000\ndata 7\nreceipt\n`;
    const readme = 'M 100644 inline README.md\ndata 6\nledger\n';
    if (!child.stdin.write(`${head}${readme}${parts.join('')}\n`)) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  child.stdin.end();
  if ((await ended) !== 0) throw new Error('git took no scopes');
}
