/** The decision about a line: the words of plans, documents and receipts. */
export type VerdictName =
  | 'create'
  | 'claim'
  | 'adopt'
  | 'keep'
  | 'update'
  | 'replace'
  | 'reconcile'
  | 'rename'
  | 'record'
  | 'none'
  | 'delete'
  | 'forget'
  | 'send'
  | 'pending'
  | 'redeploy'
  | 'refused'
  | 'failed';
