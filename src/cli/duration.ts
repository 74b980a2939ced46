const units: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const longest = 24 * 3_600_000;

/** `90`, `90s`, `10m`, `1h` or `500ms` in milliseconds; `null` when it reads as none of these or exceeds a day. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h)?$/.exec(text);
  if (!match) return null;
  const ms = Number(match[1]) * (units[match[2] ?? 's'] ?? 0);
  return ms <= longest ? ms : null;
}
