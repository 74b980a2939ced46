import { bounds } from '../../core/bounds.ts';
import type { Clock } from '../../core/clock.ts';
import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import type { Lease } from '../model/facts.ts';

/** The name of this run, and how long its promises last in milliseconds. */
export interface LeaseTerms {
  /** For people: host and process. */
  readonly holder: string;
  readonly run: string;
  readonly durationMs: number;
  readonly deadlineMs: number;
}

/** Reads `PILOTFISH_LEASE_MS` and `PILOTFISH_REQUEST_DEADLINE_MS`; a lease shorter than three deadlines, or longer than others honour, is `USAGE`. */
export function leaseTerms(env: NodeJS.ProcessEnv, holder: string, run: string): LeaseTerms {
  const durationMs = milliseconds(env, 'PILOTFISH_LEASE_MS', 120_000, bounds.lease);
  const deadlineMs = milliseconds(env, 'PILOTFISH_REQUEST_DEADLINE_MS', 30_000, bounds.deadline);
  if (durationMs < 3 * deadlineMs) {
    throw new Failure('USAGE', {
      detail: `PILOTFISH_LEASE_MS is ${durationMs} and PILOTFISH_REQUEST_DEADLINE_MS is ${deadlineMs}; a lease shorter than three deadlines cannot be held safely.`,
      fix: 'Raise PILOTFISH_LEASE_MS or lower PILOTFISH_REQUEST_DEADLINE_MS.',
    });
  }
  return { holder, run, durationMs, deadlineMs };
}

function milliseconds(env: NodeJS.ProcessEnv, name: string, otherwise: number, most: number): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= most) return value;
  throw new Failure('USAGE', {
    detail: `${name} is "${text}"; it must be a whole number of milliseconds above zero, and at most ${most}.`,
    fix: `Correct or unset ${name}.`,
  });
}

/** A run that gives up before a lease can run out would find the same lease at each restart, so the fix names a longer timeout. */
const outwaiting = ({ durationMs }: Lease): string =>
  `Wait for the other run, then run again. If it is dead, pass a ${door.named('lease-timeout')} above ${Math.ceil(durationMs / 1000)}s: its lease runs out then.`;

/** Bounds another run's lease: anybody with the right to push can ask for years. */
export const honoured = (lease: Lease): Lease => ({
  ...lease,
  durationMs: Math.min(lease.durationMs, bounds.lease),
  deadlineMs: Math.min(lease.deadlineMs, bounds.deadline),
  released: lease.released && { quietForMs: Math.min(lease.released.quietForMs, bounds.lease) },
});

/** `quietForMs` releases the lease: how long an unanswered write may still land. */
export const leaseFact = (terms: LeaseTerms, renewal: number, at: number, quietForMs: number | null = null): Lease => ({
  v: 1,
  holder: terms.holder,
  run: terms.run,
  durationMs: terms.durationMs,
  deadlineMs: terms.deadlineMs,
  renewal,
  released: quietForMs === null ? null : { quietForMs: Math.max(0, Math.ceil(quietForMs)) },
  at: new Date(at).toISOString(),
});

/** True while another run may still act under `lease`. */
export const isHeldByAnother = (lease: Lease | null, run: string): lease is Lease =>
  lease !== null && lease.released === null && lease.run !== run;

/** Time since a mark by whichever clock advanced more: a machine that slept, or whose wall clock was set back, loses its lease. */
export class Elapsed {
  readonly #clock: Clock;
  #wall: number;
  #mono: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wall = clock.now();
    this.#mono = clock.mono();
  }

  ms(): number {
    return Math.max(this.#clock.now() - this.#wall, this.#clock.mono() - this.#mono);
  }
}

/**
 * Waits until `lease` of another run is released or has run out. It ran out when the head stood unchanged for the lease's own
 * duration by our monotonic clock: the holder's clock is never compared with ours, and a wall clock that is set forward while
 * we wait must not end a lease that is alive.
 * `head` tells the current head. Resolves `moved` when another run wrote (read again), `expired` when none did. `waited` counts
 * from the start of all waiting, over renewals, against `timeoutMs`.
 */
export async function awaitLease(o: {
  clock: Clock;
  lease: Lease;
  seenHead: string;
  head: () => Promise<string | null>;
  waited: Pick<Elapsed, 'ms'>;
  timeoutMs: number;
  signal: AbortSignal;
  onWait: (detail: string) => void;
}): Promise<'moved' | 'expired'> {
  const seenAt = o.clock.mono();
  const seenFor = (): number => o.clock.mono() - seenAt;
  // Most locks are held for a second, and most leases for minutes.
  const longest = Math.max(20, Math.min(5_000, Math.floor(o.lease.durationMs / 6)));
  let pause = Math.min(longest, 250);
  // Requests of a dead holder may land for one deadline more, and this run writes nothing before that.
  const latest = new Date(o.clock.now() + o.lease.durationMs + o.lease.deadlineMs).toISOString().slice(11, 19);
  o.onWait(`run ${o.lease.run} of ${o.lease.holder} holds this scope; if it is dead, this run goes on at ${latest} UTC`);
  for (;;) {
    if (seenFor() >= o.lease.durationMs) return 'expired';
    const left = o.timeoutMs - o.waited.ms();
    if (left <= 0) {
      throw new Failure('LEASE_HELD', {
        detail: `Run ${o.lease.run} of ${o.lease.holder} still holds this scope after ${Math.round(o.waited.ms() / 1000)} s.`,
        ...(o.timeoutMs <= o.lease.durationMs && { fix: outwaiting(o.lease) }),
      });
    }
    await o.clock.sleep(Math.max(1, Math.min(pause, left, o.lease.durationMs - seenFor())), o.signal);
    pause = Math.min(longest, pause * 1.5);
    if ((await o.head()) !== o.seenHead) return 'moved';
  }
}
