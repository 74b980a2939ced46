/** The run was asked to stop before this step was sent; nothing of it happened. */
export class Interrupted extends Error {
  constructor() {
    super('the run was interrupted');
    this.name = 'Interrupted';
  }
}
