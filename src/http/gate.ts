/**
 * What stands between a write and the network. The run implements it over the lease; without a run (a credential check)
 * there is none and only reads are sent.
 */
export interface WriteGate {
  /** Resolves when a write may be sent: lease held, quiet moment over. Rejects with `LEASE_LOST`, `LEASE_HELD` or the signal's reason. */
  open(signal: AbortSignal): Promise<void>;
  /** Synchronous, in the same turn as the send: throws `LEASE_LOST` when less of the lease is left than the request deadline. */
  check(): void;
  /** Called at the send of a write; the returned function is called once with whether its answer came whole. */
  sent(): (answered: boolean) => void;
}
