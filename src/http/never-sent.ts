/**
 * The attempt ended before undici began to write it: no byte of it left this machine, so nothing of it can land. The cause says why.
 * Only the exchange knows this; no code or text of an error proves it, because the same ones also end a request that was written.
 */
export class NeverSent extends Error {
  constructor(cause: unknown) {
    super('the request was never sent', { cause });
    this.name = 'NeverSent';
  }
}
