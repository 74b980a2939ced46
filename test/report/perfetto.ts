import type { ChromeEvent } from '../../src/report/trace/chrome.ts';

/**
 * What Perfetto asks of Chrome's JSON format, as its documentation of "other formats" has it: slices of a thread nest or stand apart,
 * flows bind to the slice that holds their moment, nestable async events come in pairs, times are whole microseconds.
 * Returns what is against it.
 */
export function faultsOf(events: readonly ChromeEvent[]): readonly string[] {
  return [...times(events), ...overlaps(events), ...flows(events), ...pairs(events), ...named(events)];
}

const show = ({ ph, pid, tid, name, ts, dur }: ChromeEvent): string =>
  `${ph} ${pid}/${tid} ${name} at ${ts}${dur === undefined ? '' : `+${dur}`}`;
const trackOf = ({ pid, tid }: ChromeEvent): string => `${pid}/${tid}`;

function times(events: readonly ChromeEvent[]): string[] {
  return events
    .filter(({ ph, ts, dur }) => {
      const isTime = (time: number | undefined): boolean => time !== undefined && Number.isSafeInteger(time) && time >= 0;
      return ph !== 'M' && (!isTime(ts) || (ph === 'X' && !isTime(dur)));
    })
    .map((event) => `no whole microseconds: ${show(event)}`);
}

/** Bars here are states of one machine: they do not even nest. */
function overlaps(events: readonly ChromeEvent[]): string[] {
  const slices = events.filter(({ ph }) => ph === 'X');
  return [...Map.groupBy(slices, trackOf).values()].flatMap((track) => {
    const sorted = track.toSorted((a, b) => (a.ts ?? 0) - (b.ts ?? 0) || (a.dur ?? 0) - (b.dur ?? 0));
    return sorted.flatMap((slice, i) => {
      const before = sorted[i - 1];
      return before && (before.ts ?? 0) + (before.dur ?? 0) > (slice.ts ?? 0) ? [`overlap: ${show(before)} and ${show(slice)}`] : [];
    });
  });
}

/** A slice holds its first moment, and its last one no more. */
function flows(events: readonly ChromeEvent[]): string[] {
  const slices = Map.groupBy(
    events.filter(({ ph }) => ph === 'X'),
    trackOf,
  );
  const ends = events.filter(({ ph }) => ph === 's' || ph === 'f');
  const unbound = ends.filter((event) => {
    const at = event.ts ?? -1;
    return !slices.get(trackOf(event))?.some(({ ts = 0, dur = 0 }) => ts <= at && at < ts + dur);
  });
  const faulty = [...Map.groupBy(ends, ({ id }) => id).values()].filter(([start, end, ...more]) => {
    const isPair = start?.ph === 's' && end?.ph === 'f' && end.bp === 'e' && start.cat === end.cat && start.name === end.name;
    return !isPair || more.length > 0 || (start.ts ?? 0) >= (end.ts ?? 0);
  });
  return [
    ...unbound.map((event) => `a flow that no slice holds: ${show(event)}`),
    ...faulty.map(([event]) => `a broken flow: ${event ? show(event) : ''}`),
  ];
}

function pairs(events: readonly ChromeEvent[]): string[] {
  const spans = events.filter(({ ph }) => ph === 'b' || ph === 'e');
  return [...Map.groupBy(spans, ({ cat, id }) => `${cat} ${id}`).values()].flatMap(([begin, end, ...more]) => {
    const isPair = begin?.ph === 'b' && end?.ph === 'e' && begin.name === end.name && (begin.ts ?? 0) <= (end.ts ?? 0);
    return isPair && more.length === 0 ? [] : [`a broken span: ${begin ? show(begin) : ''}`];
  });
}

/** Each track with slices has a name. */
function named(events: readonly ChromeEvent[]): string[] {
  const names = new Set(events.filter(({ ph, name }) => ph === 'M' && name === 'thread_name').map(trackOf));
  return [...new Set(events.filter(({ ph }) => ph === 'X').map(trackOf))]
    .filter((track) => !names.has(track))
    .map((track) => `no name: ${track}`);
}
