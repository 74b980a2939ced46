/** The head moved before this run held the lease, so what a line found may be out of date. The line looks again. */
export class LedgerMoved extends Error {
  constructor() {
    super('the ledger moved before this run held its lease');
    this.name = 'LedgerMoved';
  }
}
