/**
 * The pairs of a file that `GITHUB_OUTPUT`, `GITHUB_STATE` or `GITHUB_ENV` names, read as the runner reads it: `name=value`, or
 * `name<<delimiter`, lines, and the delimiter alone. Throws where the runner would fail the step.
 */
export function pairsOf(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      pairs.set(line.slice(0, equals), line.slice(equals + 1));
    } else if (heredoc > 0 && line.length > heredoc + 2) {
      const delimiter = line.slice(heredoc + 2);
      const end = lines.indexOf(delimiter, at + 1);
      if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
      pairs.set(line.slice(0, heredoc), lines.slice(at + 1, end).join('\n'));
      at = end;
    } else {
      throw new Error(`Invalid format '${line}'`);
    }
  }
  return pairs;
}

/** A larger job summary is not shown at all, and the job has an error instead. */
export const longestSummary = 1024 * 1024;
