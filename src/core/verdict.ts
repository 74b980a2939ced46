/** The decision about a line: the words of plans, documents and receipts. */
export type VerdictName =
  | 'create'
  | 'claim'
  | 'adopt'
  | 'keep'
  | 'update'
  | 'replace'
  | 'reconcile'
  | 'none'
  | 'delete'
  | 'forget'
  | 'send'
  | 'pending'
  | 'refused'
  | 'failed';
