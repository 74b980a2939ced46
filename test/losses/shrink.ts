import { shrinkTo } from '../support/shrink.ts';
import type { History, Step } from './history.ts';
import type { Result } from './seed.ts';

/** The shortest part of a failing history that still fails in the same way: steps, fates, deliveries and lines go one by one. */
export const shrink = (failing: History, liveThrough: (history: History) => Promise<Result>): Promise<History> =>
  shrinkTo(failing, { smaller, shapeOf: async (one) => shapeOf(await liveThrough(one)), mostTries: 400 });

/** The first breach without its names and numbers. */
const shapeOf = ({ breaches }: Result): string =>
  breaches[0]?.slice(0, 200).replace(/\b(?:thing|once|key|entry)\b|\S*\d\S*|acme\/\w+/g, '…') ?? '';

function* smaller(history: History): Iterable<History> {
  const { steps } = history;
  for (let i = steps.length - 1; i >= 0; i -= 1) {
    yield { ...history, steps: cut(steps, i) };
    // The time of a step that is taken out may matter.
    const next = steps[i + 1];
    const gone = steps[i];
    if (next && gone) yield { ...history, steps: cut(steps.with(i + 1, { ...next, after: next.after + gone.after }), i) };
  }
  const changed = (i: number, more: Partial<Step>): History => {
    const step = steps[i];
    return step ? { ...history, steps: steps.with(i, { ...step, ...more }) } : history;
  };
  for (const [i, { fate, delivery, act, after }] of steps.entries()) {
    if (fate) yield changed(i, { fate: null });
    if (delivery !== 'at once') yield changed(i, { delivery: 'at once' });
    if ('lines' in act)
      for (const [nth] of act.lines.entries())
        if (act.lines.length > 1) yield changed(i, { act: { ...act, lines: act.lines.toSpliced(nth, 1) } });
    if (after > 5) yield changed(i, { after: 5 });
  }
  if (history.who !== 'all') yield { ...history, who: 'all' };
  if (history.idleHours !== null) yield { ...history, idleHours: null };
  if (history.weather !== 'calm') yield { ...history, weather: 'calm' };
  if (history.credential !== 'lasting') yield { ...history, credential: 'lasting' };
}

const cut = (steps: readonly Step[], at: number): readonly Step[] => steps.toSpliced(at, 1);
