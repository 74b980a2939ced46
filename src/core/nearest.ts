/** The known name that `name` most likely means, or `null` when none is close. Case does not count. */
export function nearest(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), allowed);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?` to append to a sentence, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const hit = nearest(name, known);
  return hit === null ? '' : ` Did you mean "${hit}"?`;
}

/**
 * Insertions, deletions, replacements and swaps of neighbours. Gives up with a larger number once `limit` is passed.
 * `fastest-levenshtein` 1.0 counts a swap as two: by its number `scpoe` would not be near `scope`.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
