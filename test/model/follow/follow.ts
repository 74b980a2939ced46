import type { Model } from '../check.ts';
import { scopeModel } from '../scope/model.ts';
import { type Rules, rulesWithout } from '../scope/rules.ts';
import type { State } from '../scope/state.ts';
import { type Event, watchedTerms } from './observe.ts';

/** What was seen of one or more runs, from a scope without anything or with one recorded object. */
export interface Seen {
  readonly start: 'nothing' | 'applied';
  readonly events: readonly Event[];
}

/** What the model does and nobody outside can see. */
const hidden = /(hears that|loses its|gives its (create|delete) up|is to remove|has nothing to remove|sees that too little)/;

interface Way {
  readonly state: State;
  /** The sentences that may have led here. */
  readonly said: ReadonlySet<string>;
}

export type Following =
  /** What happened, in the words of the model; where it may have happened in several ways, of all of them. */
  | { readonly ok: true; readonly said: readonly string[] }
  /** The event that no state of the model allows, and what it would have allowed. */
  | { readonly ok: false; readonly event: number; readonly means: string; readonly allowed: readonly string[] };

/**
 * Walks the model along what was seen of the engine: after each event it holds every state that the engine may be in. An event
 * that none of them allows is a drift between the two. Time passes in the model exactly as it did on the clock.
 */
export function follow({ events, start }: Seen, rules: Rules = rulesWithout()): Following {
  const model = scopeModel({ ...watchedTerms, isUnique: true, person: true, other: false, rules });
  const begin = model.initial[start === 'nothing' ? 0 : 1];
  let ways: readonly Way[] = begin ? [{ state: begin, said: new Set() }] : [];
  let time = events[0]?.at ?? 0;
  for (const [number, event] of events.entries()) {
    for (; time < event.at; time += 1) ways = distinct(along(model, withHidden(model, ways), (say) => say === 'Time passes.'));
    const before = withHidden(model, ways);
    const after = along(model, before, (say) => event.means.test(say));
    ways = distinct(event.mayBeNothing ? [...after, ...before] : after);
    if (ways.length === 0) return { ok: false, event: number, means: event.means.source, allowed: allowedIn(model, before) };
  }
  return { ok: true, said: [...new Set(ways.flatMap(({ said }) => [...said]))] };
}

function along(model: Model<State>, ways: readonly Way[], fits: (say: string) => boolean): readonly Way[] {
  return ways.flatMap(({ state, said }) =>
    model.steps(state).flatMap(({ say, next }) => (fits(say) ? [{ state: next, said: new Set([...said, say]) }] : [])),
  );
}

/** These ways, and all that hidden steps lead on to. */
function withHidden(model: Model<State>, ways: readonly Way[]): readonly Way[] {
  let all = distinct(ways);
  for (;;) {
    const more = distinct([...all, ...along(model, all, (say) => hidden.test(say))]);
    if (more.length === all.length) return more;
    all = more;
  }
}

/** One way for each state; several that meet are one that may have been any of them. */
function distinct(ways: readonly Way[]): readonly Way[] {
  const known = new Map<string, Way>();
  for (const { state, said } of ways) {
    // Unlike the model's own encoding this tells A from B: the events do.
    const text = JSON.stringify(state);
    const met = known.get(text);
    known.set(text, { state, said: met ? new Set([...met.said, ...said]) : said });
  }
  return [...known.values()];
}

const allowedIn = (model: Model<State>, ways: readonly Way[]): readonly string[] => [
  ...new Set(ways.flatMap(({ state }) => model.steps(state).map(({ say }) => say))),
];
