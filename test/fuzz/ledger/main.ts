import { type Outcome, trial } from './trial.ts';

export interface LedgerTally {
  readonly inputs: number;
  readonly ends: ReadonlyMap<string, number>;
  readonly findings: readonly (Outcome & { readonly at: number })[];
}

/** Forged ledgers, one after another, from number `from` on. */
export async function fuzzLedgers(o: {
  readonly inputs: number;
  readonly seed: number;
  readonly from?: number;
  readonly onProgress?: (done: number) => void;
}): Promise<LedgerTally> {
  const ends = new Map<string, number>();
  const findings: (Outcome & { readonly at: number })[] = [];
  const { from = 0 } = o;
  for (let at = from; at < from + o.inputs; at += 1) {
    const outcome = await trial(o.seed, at);
    ends.set(outcome.end, (ends.get(outcome.end) ?? 0) + 1);
    if (outcome.finding !== null) findings.push({ ...outcome, at });
    o.onProgress?.(at - from + 1);
  }
  return { inputs: o.inputs, ends, findings };
}

export function ledgerSummary({ inputs, ends, findings }: LedgerTally, o: { readonly seed: number; readonly seconds: number }): string {
  return [
    `${inputs.toLocaleString('en')} inputs in ${Math.round(o.seconds)} s, seed ${o.seed}`,
    'forged ledgers by how the run ended',
    ...[...ends].toSorted((a, b) => b[1] - a[1]).map(([end, n]) => `  ${end.padEnd(24)} ${n.toLocaleString('en').padStart(9)}`),
    `failures: ${findings.length}`,
    ...findings.slice(0, 20).map(({ at, how, finding }) => `--ledger --seed ${o.seed} --at ${at}: ${finding} (${how})`),
  ].join('\n');
}
