/** Deeper nesting than any plan needs; it keeps every recursion over a plan short. */
export const maxDepth = 64;

/** Values after aliases are followed. A few lines of nested aliases can mean billions ("alias bomb"). */
export const maxValues = 1_000_000;
