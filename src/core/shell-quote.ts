/** One word of a command that a person pastes into a POSIX shell. */
export const shellQuote = (text: string): string => (/^[A-Za-z0-9._/@:+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
