const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
/** Between the clocks of the first and the last time zone. */
const allZones = 26 * 60 * minute;

/** Milliseconds since 1970; `null` for a text that is no moment. Numbers below 10^11 count seconds. A moment without a zone counts as UTC. */
export function instantOf(text: string): number | null {
  if (isNumber(text)) return Number(text) < 1e11 ? Number(text) * second : Number(text);
  const zones = hasZone(text) ? [''] : ['Z', ' UTC', ''];
  return zones.map((zone) => Date.parse(`${text}${zone}`)).find((ms) => !Number.isNaN(ms)) ?? null;
}

/** The moment as ISO 8601, for people; the text itself where it is no moment. */
export function shownInstant(text: string): string {
  const date = new Date(instantOf(text) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/**
 * Whether two texts of one provider surely name different moments. A list may round the moment that a single read shows whole, and may leave
 * out its zone.
 */
export function areApart(one: string, other: string): boolean {
  const [a, b] = [instantOf(one), instantOf(other)];
  if (a === null || b === null) return false;
  const slack = hasZone(one) === hasZone(other) ? 0 : allZones;
  return Math.abs(a - b) > slack + Math.max(unitOf(one), unitOf(other));
}

/** The step in which the text counts. Nobody makes, removes and makes an object anew within one second. */
function unitOf(text: string): number {
  if (isNumber(text) || /\d:\d\d:\d\d/.test(text)) return second;
  return /\d:\d\d/.test(text) ? minute : day;
}

const isNumber = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);
const hasZone = (text: string): boolean => isNumber(text) || /\d:\d\d.*(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text.trim());
