const mark = '\u0001';

/**
 * Marks every value of the command line, so that cac keeps it as text: without the mark it reads `--scope 007` as 7,
 * `1e3` as 1000 and an empty value as 0, and a scope silently becomes another scope (cac 7.1.0, also with `type: [String]`).
 * Flags, the command word and everything after `--` are left alone.
 */
export function protect(argv: readonly string[]): string[] {
  const rest = argv.indexOf('--');
  const end = rest < 0 ? argv.length : rest;
  return argv.map((token, index) => {
    if (index >= end || index === 0) return token;
    const equals = token.indexOf('=');
    if (token.startsWith('--') && equals > 0) return `${token.slice(0, equals + 1)}${mark}${token.slice(equals + 1)}`;
    return token.startsWith('-') && token !== '-' ? token : `${mark}${token}`;
  });
}

/** Takes the mark off what came back. */
export const unprotect = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text);
