/**
 * Is what several processes saw of one branch what they could have seen of a single register that one of them uses at a time?
 *
 * Each operation is an interval: it was called at one moment and had its answer at a later one. A store is linearizable if each operation can be
 * given one moment inside its interval so that, in the order of these moments, every answer is right for a register with compare-and-swap:
 *
 *     read                 answers the value that stands there
 *     append(expect, to)   'done': `expect` stood there, and `to` stands there from now on
 *                          'moved': something else stood there, and nothing changed
 *                          'unknown': it has no answer. It happened at some moment after its call, or never
 *
 * The search tries the orders one operation at a time. An operation may come next if no other one that is left had its answer before this one
 * was called. Orders that lead to the same rest and the same value end alike, so each such pair is tried once. (J. M. Wing and C. Gong, Testing
 * and Verifying Concurrent Objects, 1993, with the memory of G. Lowe, Testing for linearizability, 2017.)
 */
export interface Operation {
  readonly process: number;
  /** Nanoseconds of one clock that all processes share. `ended` is `Infinity` for an operation without an answer. */
  readonly called: number;
  readonly ended: number;
  readonly what:
    | { readonly kind: 'read'; readonly saw: string | null }
    | {
        readonly kind: 'append';
        readonly expect: string | null;
        readonly to: string;
        readonly answer: 'done' | 'moved' | 'unknown';
      };
}

/** More would make the search slow, and a history of so many tells no more than two of half its length. */
export const mostOperations = 64;

/** `null` if the history is linearizable; otherwise the longest order that was found, and the operations that fit nowhere after it. */
export function whyNotLinear(history: readonly Operation[]): string | null {
  if (history.length > mostOperations) throw new Error(`a history of ${history.length} operations: ${mostOperations} at most`);
  const all = [...history].sort((a, b) => a.called - b.called);
  const tried = new Set<string>();
  let best: Order = { order: [], value: null };

  const search = (now: Order): boolean => {
    const left = all.filter((one) => !now.order.includes(one));
    if (left.every(isUnknown)) return true;
    const key = `${all.map((one) => (left.includes(one) ? '-' : 'x')).join('')} ${now.value}`;
    if (tried.has(key)) return false;
    tried.add(key);
    if (now.order.length > best.order.length) best = now;
    const firstEnd = Math.min(...left.map(({ ended }) => ended));
    return left
      .filter(({ called }) => called <= firstEnd)
      .some((one) => {
        const value = after(one, now.value);
        return value !== undefined && search({ order: [...now.order, one], value });
      });
  };

  if (search(best)) return null;
  const rest = all.filter((one) => !best.order.includes(one) && !isUnknown(one));
  return [
    'The longest order that fits:',
    ...best.order.map(shown),
    `Then ${best.value ?? 'nothing'} stands there, and none of these can be next:`,
    ...rest.map(shown),
  ].join('\n');
}

interface Order {
  readonly order: readonly Operation[];
  readonly value: string | null;
}

const isUnknown = ({ what }: Operation): boolean => what.kind === 'append' && what.answer === 'unknown';

/** The value after an operation on a register that holds `value`; `undefined` if the register would have answered otherwise. */
function after({ what }: Operation, value: string | null): string | null | undefined {
  if (what.kind === 'read') return what.saw === value ? value : undefined;
  if (what.answer === 'moved') return what.expect === value ? undefined : value;
  return what.expect === value ? what.to : undefined;
}

function shown({ process, called, ended, what }: Operation): string {
  const when = `${(called / 1e6).toFixed(3)}–${ended === Number.POSITIVE_INFINITY ? '?' : (ended / 1e6).toFixed(3)} ms`;
  const told = what.kind === 'read' ? `read ${what.saw ?? 'nothing'}` : `append ${what.to} on ${what.expect ?? 'nothing'}: ${what.answer}`;
  return `  process ${process}, ${when}: ${told}`;
}
