/** A part that opens with a click. `summary`: finished HTML on one line. A part without a body is left out. */
export const folded = (summary: string, ...body: readonly string[]): string => {
  const parts = body.filter((part) => part !== '');
  return parts.length === 0 ? '' : [`<details><summary>${summary}</summary>`, '', parts.join('\n\n'), '', '</details>'].join('\n');
};
