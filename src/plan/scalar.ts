/** What an unquoted YAML scalar means in a plan. */
export type PlainValue = string | number | boolean | null | typeof notFinite;

/** `.nan` and `.inf`: numbers for YAML, not for JSON. */
export const notFinite: unique symbol = Symbol('not finite');

const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);
const truths = new Set(['true', 'True', 'TRUE']);
const falsehoods = new Set(['false', 'False', 'FALSE']);
const nonFinite = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

/**
 * Reads an unquoted scalar without losing a character: a number only where the number, written out again, gives the same text.
 * YAML would make 12 of `012`, 1000 of `1e3`, 1.1 of `1.10` and round a 20-digit id; in a plan these are mostly ids and versions,
 * so they stay the text they are. `yes`, `no`, `on`, `off` and dates are text too.
 */
export function plainValue(source: string): PlainValue {
  if (nulls.has(source)) return null;
  if (truths.has(source)) return true;
  if (falsehoods.has(source)) return false;
  if (nonFinite.test(source)) return notFinite;
  if (!/^-?\d/.test(source)) return source;
  const number = Number(source);
  return Number.isFinite(number) && String(number) === source ? number : source;
}
