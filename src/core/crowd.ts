/**
 * How many of a crowd go on in one turn of the process, and the others after them: what the first ask for is under way meanwhile. As many
 * as are under way to one host at first.
 */
export const crowd = 16;

/** When all that has come in so far has been heard. */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
