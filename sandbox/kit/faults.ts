import { compile } from './router.ts';
import type { Armed, FaultKit, Match, Reply, Seen } from './types.ts';

export type Fault =
  | { readonly kind: 'loseAnswer' | 'cutAnswer' | 'loseRequest' | 'hang' | 'dropWrite' }
  | { readonly kind: 'answer'; readonly reply: Reply }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'staleRead'; readonly writes: number }
  | { readonly kind: 'lags'; readonly ms: number }
  | { readonly kind: 'later'; readonly requests: number }
  | { readonly kind: 'late'; readonly ms: number };

interface Waiting {
  readonly matches: (call: Seen) => boolean;
  readonly fault: Fault;
  hits: number;
  left: number;
}

/** The armed faults of one simulation, and which of them a request meets. */
export class Faults implements FaultKit {
  pollsUntilReady = 0;
  #armed: Waiting[] = [];

  loseAnswer = (match: Match, times = 1): Armed => this.#arm(match, { kind: 'loseAnswer' }, times);
  cutAnswer = (match: Match, times = 1): Armed => this.#arm(match, { kind: 'cutAnswer' }, times);
  loseRequest = (match: Match, times = 1): Armed => this.#arm(match, { kind: 'loseRequest' }, times);
  hang = (match: Match, times = 1): Armed => this.#arm(match, { kind: 'hang' }, times);
  dropWrite = (match: Match, times = 1): Armed => this.#arm(match, { kind: 'dropWrite' }, times);
  slow = (match: Match, ms: number, times = Number.POSITIVE_INFINITY): Armed => this.#arm(match, { kind: 'slow', ms }, times);
  staleRead = (match: Match, writes: number, times = 1): Armed => this.#arm(match, { kind: 'staleRead', writes }, times);
  lags = (match: Match, ms: number, times = Number.POSITIVE_INFINITY): Armed => this.#arm(match, { kind: 'lags', ms }, times);
  later = (match: Match, requests: number, times = 1): Armed => this.#arm(match, { kind: 'later', requests }, times);
  late = (match: Match, ms: number, times = 1): Armed => this.#arm(match, { kind: 'late', ms }, times);
  once = (match: Match, status: number, body?: unknown, headers?: Reply['headers']): Armed => this.times(1, match, status, body, headers);
  times = (n: number, match: Match, status: number, body?: unknown, headers?: Reply['headers']): Armed =>
    this.#arm(match, { kind: 'answer', reply: { status, ...(body !== undefined && { body }), ...(headers && { headers }) } }, n);

  readyAfter = (polls: number): void => {
    this.pollsUntilReady = polls;
  };

  clear = (): void => {
    for (const waiting of this.#armed) waiting.left = 0;
    this.#armed = [];
    this.pollsUntilReady = 0;
  };

  /** Older states are kept only while somebody will ask for them: copying a large world at every write is not free. */
  get statesToKeep(): number {
    let most = 0;
    for (const { fault, left } of this.#armed) if (fault.kind === 'staleRead' && left > 0) most = Math.max(most, fault.writes);
    return most;
  }

  /** So many milliseconds back, as far as reads lag. */
  get timeToKeep(): number {
    let most = 0;
    for (const { fault, left } of this.#armed) if (fault.kind === 'lags' && left > 0) most = Math.max(most, fault.ms);
    return most;
  }

  /** Uses up what this request meets: any delay, and the first other fault. */
  take(call: Seen, isWrite: boolean): { readonly delay: number; readonly fault: Fault | null } {
    let delay = 0;
    let met: Fault | null = null;
    for (const waiting of this.#armed) {
      const { fault } = waiting;
      if (waiting.left <= 0 || !waiting.matches(call)) continue;
      if ((fault.kind === 'staleRead' || fault.kind === 'lags') && isWrite) continue;
      if (['dropWrite', 'later', 'late'].includes(fault.kind) && !isWrite) continue;
      if (fault.kind !== 'slow' && met) continue;
      waiting.left -= 1;
      waiting.hits += 1;
      if (fault.kind === 'slow') delay += fault.ms;
      else met = fault;
    }
    return { delay, fault: met };
  }

  #arm(match: Match, fault: Fault, times: number): Armed {
    const waiting: Waiting = { matches: matcher(match), fault, hits: 0, left: times };
    this.#armed = [...this.#armed.filter(({ left }) => left > 0), waiting];
    return {
      get hits() {
        return waiting.hits;
      },
      get left() {
        return waiting.left;
      },
      disarm: () => {
        waiting.left = 0;
      },
    };
  }
}

function matcher(match: Match): Waiting['matches'] {
  if (typeof match === 'function') return match;
  if (typeof match !== 'string') {
    return ({ method, path }) =>
      (match.method === undefined || match.method === method) && (match.path === undefined || match.path.test(path));
  }
  const [method, pattern] = match.split(' ');
  if (method === undefined || pattern === undefined) throw new Error(`"${match}" is not "METHOD /path/{pattern}"`);
  const { expression } = compile(pattern);
  return (call) => (method === '*' || call.method === method) && expression.test(call.path);
}
