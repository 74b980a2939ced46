/** Writes milliseconds since the start for the clock beside the slider: `1.240 s`, `2:03.500`. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(3)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(3).padStart(6, '0')}`;
}

/** Round times for an axis: at most `most` of them from `from` to `to`. */
export function ticks(from: number, to: number, most: number): readonly { readonly at: number; readonly text: string }[] {
  const step = steps.find((ms) => (to - from) / ms <= Math.max(1, most)) ?? Math.ceil((to - from) / Math.max(1, most));
  const found: { at: number; text: string }[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to && found.length < 1_000; at += step) found.push({ at, text: tickText(at, step) });
  return found;
}

const steps: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
];

function tickText(at: number, step: number): string {
  if (at === 0) return '0';
  if (step < 1_000 && at < 1_000) return `${at} ms`;
  const seconds = at / 1_000;
  if (seconds < 60) return `${Number(seconds.toFixed(3))} s`;
  const rest = Number((seconds % 60).toFixed(3));
  return `${Math.floor(seconds / 60)}:${String(rest).padStart(2, '0')}`;
}
