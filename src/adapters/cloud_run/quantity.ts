const factors: { readonly [suffix: string]: number } = {
  ...{ m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 },
};

/** Whether two limits are one amount: `1000m` and `1`, `512Mi` and `0.5Gi`. */
export const isSameQuantity = (a: string, b: string): boolean => a === b || (amountOf(a) !== null && amountOf(a) === amountOf(b));

/** The amount in thousandths, so that `1000m` and `1` are one number. */
function amountOf(text: string): number | null {
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = factors[suffix];
  return digits === undefined || factor === undefined ? null : Math.round(Number(digits) * factor * 1000);
}
