const hour = 3_600_000;
const day = 24 * hour;

/** The form of a span in a plan: whole days or hours. */
const spanPattern = /^[1-9]\d{0,4}[dh]$/;

/** The longest span. A longer one is a slip of the pen, or no limit at all. */
const longestSpan = 365 * day;

/** Reads `14d` or `36h` as milliseconds. `null` for any other text, for zero, and for more than a year. */
export function readSpan(text: string): number | null {
  if (!spanPattern.test(text)) return null;
  const ms = Number(text.slice(0, -1)) * (text.endsWith('d') ? day : hour);
  return ms <= longestSpan ? ms : null;
}

/** A span for people, in days from two days on: `6 d`, `30 h`. It rounds down, and never tells less than an hour. */
export const spanText = (ms: number): string =>
  ms >= 2 * day ? `${Math.floor(ms / day)} d` : ms >= hour ? `${Math.floor(ms / hour)} h` : 'less than 1 h';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day for people, in UTC: `12 Dec 2026`. */
export function dayText(ms: number): string {
  const at = new Date(ms);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}
