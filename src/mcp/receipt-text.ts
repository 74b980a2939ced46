import type { ReceiptDoc, ScopesDoc } from '../engine/receipt-document.ts';
import { columns, counted, oneLine } from '../report/text.ts';

/** The same in a few lines, for who reads along. */
export function receiptText(document: ReceiptDoc | ScopesDoc): string {
  if ('scopes' in document) {
    const { scopes, environment } = document;
    if (scopes.length === 0) return `No scope of ${oneLine(environment)} has a ledger.`;
    const names = scopes.map(({ scope, plan }) => `  ${oneLine(scope)}${plan === null ? '' : ` (plan ${oneLine(plan)})`}`);
    return [`${counted(scopes.length, 'scope')} of ${oneLine(environment)}:`, ...names].join('\n');
  }
  const { receipt, stands, announced, held } = document;
  const head = receipt
    ? `The last run of ${oneLine(document.scope)} was a${receipt.command === 'apply' ? 'n apply' : ' destroy'} at ${receipt.startedAt}: ${receipt.status}.`
    : `No run of ${oneLine(document.scope)} has ended yet.`;
  const rows = stands.map(({ line, adapter, op, recipe, destroy }) => [`  ${oneLine(line)}`, recipe ?? `${adapter}.${op}`, destroy]);
  return [
    head,
    stands.length === 0 ? 'Nothing stands.' : 'What stands, and what a destroy does with it:',
    ...columns(rows),
    ...(announced.length > 0 ? [`Announced and not recorded: ${announced.map(oneLine).join(', ')}.`] : []),
    ...(held ? ['A run holds this scope, or ended while it did.'] : []),
  ].join('\n');
}
