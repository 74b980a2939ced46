export interface Row {
  readonly family: string;
  readonly operation: string;
  readonly effects: number;
  readonly cuts: number;
  readonly failures: number;
}

/** One line of the table, in columns. */
export const rowOf = ({ family, operation, effects, cuts, failures }: Row): string =>
  columns(family, operation, String(effects), String(cuts), String(failures));

function columns(family: string, operation: string, ...numbers: readonly string[]): string {
  return [family.padEnd(26), operation.padEnd(22), ...numbers.map((number) => number.padStart(9))].join(' ');
}

export const headings = columns('family', 'operation', 'effects', 'cuts', 'failures');
