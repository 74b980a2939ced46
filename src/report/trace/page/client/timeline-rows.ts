import { oneLine } from '../../../text.ts';
import type { Actor, Request, RunTrace, Said, Span } from '../model.ts';
import { type Bar, barsOf, isRestored } from '../moment.ts';
import { isEnd } from '../tones.ts';

/** One row of the timeline. */
export interface Row {
  readonly key: string;
  readonly name: string;
  readonly line: number | null;
  readonly parent: number | null;
  readonly bars: readonly Bar[];
  readonly spans: readonly Span[];
  readonly requests: readonly Request[];
  readonly waits: readonly Said[];
  /** The events end before the end of this row. */
  readonly isCut: boolean;
  readonly isRestored: boolean;
}

const bare = { line: null, parent: null, bars: [], spans: [], requests: [], waits: [], isCut: false, isRestored: false } as const;

/** The rows on top (the run, its ledger and shared objects), and then the lines. */
export function rowsOf(trace: RunTrace): { readonly top: readonly Row[]; readonly lines: readonly Row[] } {
  const isCut = trace.ending === 'cut off';
  const bars = (actor: Actor): readonly Bar[] => barsOf(actor, trace.ms, isEnd);
  const run: Row = {
    ...bare,
    key: 'run',
    name: 'the run',
    bars: trace.coordinators.flatMap(bars),
    requests: trace.requests,
    waits: trace.waits,
    spans: trace.delay ? [trace.delay] : [],
    isCut,
  };
  const ledger: Row = { ...bare, key: 'ledger', name: 'ledger', spans: trace.ledger };
  const parents = trace.parents.map((parent): Row => {
    const own = bars(parent);
    return {
      ...bare,
      key: `parent ${parent.index}`,
      name: shortName(parent.name),
      parent: parent.index,
      bars: own.filter(({ state }) => state !== 'idle'),
    };
  });
  const lines = trace.lines.map((line): Row => {
    const { index, name, requests, waits } = line;
    return {
      ...bare,
      key: `line ${index}`,
      name: shortName(name),
      line: index,
      bars: bars(line),
      requests,
      waits,
      isCut,
      isRestored: isRestored(line),
    };
  });
  return { top: [run, ledger, ...parents], lines };
}

/** A name that is safe to show, without the scheme of an address. */
export const shortName = (name: string): string => oneLine(name).replace(/^https?:\/\//, '');
