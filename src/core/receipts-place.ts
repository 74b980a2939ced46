/** Where receipts are kept, as `receipts:` of a plan or the variable `PILOTFISH_RECEIPTS` says it. */
export type ReceiptsPlace = 'git-branch' | 'local' | `plugin:${string}` | `postgres://${string}` | `s3://${string}`;

/** A plan says something, and it is no such place: then nobody knows where its ledger is. */
export type PlannedReceipts = ReceiptsPlace | 'unreadable' | null;

/** What a plan may say. It holds no password: a plan is committed. */
export const plannedPlace =
  /^(git-branch|local|plugin:[A-Za-z0-9@][A-Za-z0-9@/._-]*|postgres(?:ql)?:\/\/(?:[^\s:@/]*@)?[^\s@]*|s3:\/\/[^\s@]*)$/;

/** `null` for what is no such place. Whether an address leads to a database or a bucket, its store tells. */
export function receiptsPlace(text: string): ReceiptsPlace | null {
  if (text === 'git-branch' || text === 'local') return text;
  const [, scheme, rest = ''] = /^(plugin:|postgres(?:ql)?:\/\/|s3:\/\/)(\S+)$/.exec(text) ?? [];
  if (scheme === undefined) return null;
  if (scheme === 's3://') return `s3://${rest}`;
  return scheme === 'plugin:' ? `plugin:${rest}` : `postgres://${rest}`;
}
