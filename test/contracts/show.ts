import type { ContractReport } from './report.ts';

/** Why a report is not good enough; empty when it is. Only a run of every suite can tell that nobody talked to a provider. */
export function faultsOf(report: ContractReport): readonly string[] {
  const faults = report.violations.map(
    ({ provider, operation, at, what, place, times }) =>
      `${provider}: ${operation}\n    ${at}: ${what}\n    in ${place}${times > 1 ? `, and ${times - 1} times more` : ''}`,
  );
  if (report.rows.length === 0) faults.push('nothing was recorded');
  if (!report.isWhole) return faults;
  faults.push(...report.silent.map((provider) => `${provider}: no suite sent it anything`));
  return faults;
}

/** Exemptions that a run of every suite did not need: the list must not outlive its reasons. */
export const idleOf = (report: ContractReport): readonly string[] =>
  report.exemptions
    .filter(({ used, isRare }) => report.isWhole && used === 0 && !isRare)
    .map(({ name }) => `the exemption "${name}" is needed by nothing: take it out of test/contracts/exemptions.ts`);

/** One line a provider and operation. */
export function tableOf({ rows }: ContractReport): string {
  const head = ['provider', 'op', 'requests checked', 'answers checked', 'violations', 'unconfirmed'];
  const cells = rows.map((row) => [
    row.provider,
    row.operation,
    ...[row.requests, row.answers, row.violations, row.unconfirmed].map(String),
  ]);
  const width = head.map((title, column) => Math.max(...[head, ...cells].map((line) => line[column]?.length ?? 0), title.length));
  const line = (texts: readonly string[]): string =>
    texts.map((text, column) => (column < 2 ? text.padEnd(width[column] ?? 0) : text.padStart(width[column] ?? 0))).join('  ');
  return [line(head), line(width.map((length) => '-'.repeat(length))), ...cells.map(line)].join('\n');
}

/** What the table does not say: the sums, what was let pass and why, what nobody knows, what did not run. */
export function notesOf(report: ContractReport): string {
  const sum = (of: (row: ContractReport['rows'][number]) => number): number => report.rows.reduce((total, row) => total + of(row), 0);
  const providers = new Set(report.rows.map(({ provider }) => provider)).size;
  const open = Object.entries(report.openQuestions).filter(([, count]) => count > 0);
  return [
    `${providers} providers, ${report.rows.length} operations: ${sum((row) => row.requests)} requests and ${sum((row) => row.answers)} answers of different form checked, ${sum((row) => row.violations)} violations, ${sum((row) => row.unconfirmed)} unconfirmed`,
    ...report.exemptions.filter(({ used }) => used > 0).map(({ name, used, reason }) => `exempt ${used}: ${name} (${reason})`),
    ...(open.length > 0
      ? [
          `statements that the descriptions themselves call unconfirmed: ${open.map(([provider, count]) => `${provider} ${count}`).join(', ')}`,
        ]
      : []),
    ...(report.isWhole ? [] : ['only a part of the suites ran']),
    ...report.leftOut.map(({ suite, reason }) => `left out: ${suite} (${reason})`),
  ].join('\n');
}
